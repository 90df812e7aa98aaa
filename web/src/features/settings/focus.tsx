import { LONG_BREAK_AFTER, POMODORO_MINUTES } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { NumberRow, SwitchRow } from './controls.tsx'
import { Section } from './section.tsx'

/** Pomodoro mode, and its settings while it is on. */
export function Focus({ id }: { id: string }) {
  const { pomodoroMode, pomodoro, autoBreak } = useSettings()
  const change = useChangeSettings()
  return (
    <Section id={id} title={t('Focus')}>
      <SwitchRow
        label={t('Pomodoro mode')}
        hint={t('Work in sessions, with breaks that pause the timer.')}
        checked={pomodoroMode}
        onChange={(value) => change({ pomodoroMode: value })}
      />
      {pomodoroMode && (
        <>
          <NumberRow
            label={t('Work')}
            unit={t('unit|minutes')}
            {...POMODORO_MINUTES}
            value={pomodoro.workMinutes}
            onChange={(workMinutes) => change({ pomodoro: { workMinutes } })}
          />
          <NumberRow
            label={t('Break')}
            unit={t('unit|minutes')}
            {...POMODORO_MINUTES}
            value={pomodoro.breakMinutes}
            onChange={(breakMinutes) => change({ pomodoro: { breakMinutes } })}
          />
          <NumberRow
            label={t('Long break')}
            unit={t('unit|minutes')}
            {...POMODORO_MINUTES}
            value={pomodoro.longBreakMinutes}
            onChange={(longBreakMinutes) => change({ pomodoro: { longBreakMinutes } })}
          />
          <NumberRow
            label={t('Long break after')}
            unit={t('unit|sessions')}
            {...LONG_BREAK_AFTER}
            value={pomodoro.longBreakAfter}
            onChange={(longBreakAfter) => change({ pomodoro: { longBreakAfter } })}
          />
          <SwitchRow
            label={t('Start breaks automatically')}
            hint={t('When off, Stint asks after each session.')}
            checked={autoBreak}
            onChange={(value) => change({ autoBreak: value })}
          />
          <SwitchRow
            label={t('Sound')}
            hint={t('Plays a quiet tone when a session or a break ends.')}
            checked={pomodoro.sound}
            onChange={(sound) => change({ pomodoro: { sound } })}
          />
        </>
      )}
    </Section>
  )
}
