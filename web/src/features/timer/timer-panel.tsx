import {
  ArrowLeftRight,
  Clock4,
  CloudOff,
  MonitorSmartphone,
  PictureInPicture2,
  Plus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { tint } from '#ui/tint.ts'
import { openEditor } from '#hooks/requests.ts'
import { canFloat } from '#ui/can-float.ts'
import { runShortcut } from '#hooks/requests.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { shownDevice } from '#session/device-label.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { Clock } from './clock.tsx'
import { NoteField } from './note-field.tsx'
import { StartField } from './start-field.tsx'
import { TimerButtons } from './timer-buttons.tsx'
import { timerState } from './timer-words.ts'
import { useTimerMotion } from './use-timer-motion.ts'

/**
 * The timer on the dashboard: the time, the task and the controls. `focusNote` says how much is left of a pomodoro
 * session.
 */
export function TimerPanel({ focusNote }: { focusNote: ReactNode }) {
  const { timer, creating, trackedOffline, taskName, device } = useTimer()
  const { tasks, colors } = useTasks()
  const { pomodoroMode } = useSettings()
  const state = timerState(timer, creating)
  const active = timer.status === 'idle' ? null : timer
  const color = active ? colors.get(active.taskId) : undefined
  const panel = useTimerMotion(timer.status, color && tint(color))

  return (
    <section
      ref={panel}
      aria-label={t('Timer')}
      // Has the focus after the field has started a timer and gone.
      tabIndex={-1}
      className="flex flex-col gap-x-8 gap-y-6 rounded-panel border border-line bg-surface p-5 md:p-8 lg:flex-row lg:items-end lg:justify-between"
    >
      <div className="flex min-w-0 flex-col gap-4 md:gap-5 lg:flex-1">
        <div data-settles="" className="flex h-6 items-center gap-3">
          <h2 className="text-sm text-quiet">{t('Current Session')}</h2>
          {state && <Badge tone={state.tone}>{state.word}</Badge>}
          {creating && <span className="animate-late text-xs text-quiet">{t('Creating...')}</span>}
        </div>
        <div data-settles="" className="flex">
          <Clock className={active ? 'numerals' : 'numerals text-quiet'} />
        </div>
        {active ? (
          // As high as the field with its text, so that a start moves nothing below.
          <div className="flex min-w-0 flex-col gap-1 md:min-h-18">
            <div className="flex min-w-0 items-center gap-2.5 text-base">
              <Dot tintName={color} />
              <Name text={taskName ?? t('Deleted task')} className="font-semibold" />
            </div>
            {taskName === t('Untitled') && (
              <div className="my-1 max-w-120">
                <StartField names />
              </div>
            )}
            <NoteField key={active.sessionId} timer={active} />
            {device !== null && (
              <Note icon={<Icon of={MonitorSmartphone} />}>
                {t('Started on {device}', { device: shownDevice(device) })}
              </Note>
            )}
            {pomodoroMode && focusNote}
            {trackedOffline && (
              <Note icon={<Icon of={CloudOff} />}>
                {t('Tracked on this device. Syncs when you’re back online.')}
              </Note>
            )}
          </div>
        ) : (
          <div className="flex max-w-120 flex-col gap-3">
            <StartField />
            <p className="text-quiet">{t('Select a task below to start timing')}</p>
          </div>
        )}
      </div>
      {active && (
        <div className="-mb-2 flex flex-col gap-1 md:-mb-1 lg:w-80 lg:shrink-0">
          <div data-settles="" className="flex gap-2">
            <TimerButtons status={active.status} size="large" />
          </div>
          <div className="flex flex-wrap justify-center gap-x-1">
            {tasks.length > 1 && (
              // A menu, as the Start buttons of the list are disabled while a timer is active.
              <Button variant="quiet" onClick={() => runShortcut('start')}>
                <Icon of={ArrowLeftRight} />
                {t('Switch task')}
              </Button>
            )}
            <Button variant="quiet" onClick={() => openEditor({ kind: 'timer' })}>
              <Icon of={Clock4} />
              {t('Edit timer')}
            </Button>
            {canFloat() && (
              <IconButton
                icon={PictureInPicture2}
                label={t('Open floating timer')}
                onClick={() => runShortcut('float')}
                className="md:size-9"
              />
            )}
          </div>
        </div>
      )}
      {!active && (
        <Button className="self-start lg:self-end" onClick={() => openEditor({ kind: 'add' })}>
          <Icon of={Plus} />
          {t('Add time')}
        </Button>
      )}
    </section>
  )
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-1.5 text-xs text-quiet">
      {icon}
      {children}
    </p>
  )
}
