/** The commands of the timer. */
import { t } from '@stint/core/text.ts'
import { briefDuration } from '@stint/core/time/duration.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'

import { useFormats } from './use-formats.ts'
import type { Formats } from './use-formats.ts'
import { newDocumentId } from '#record/document-id.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import type { LocalRecord } from '#record/record.ts'
import { STOP_FAILED } from '@stint/core/device/timer-texts.ts'
import * as store from '@stint/core/device/timer.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { offerUndo } from '#ui/undo.ts'

/** As long as the toast is shown. Later, the time since the stop would not be work. */
export const UNDO_STOP_SECONDS = 10

export interface TimerCommands {
  readonly start: (taskId: string, note?: string) => Promise<void>
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** Stops as of the instant `at`; default: now. */
  readonly stop: (at?: number) => Promise<void>
}

/**
 * Returns the timer's commands. Each resolves once the change is durable on this device; the backend
 * receives it later.
 */
export function useTimerCommands(): TimerCommands {
  return timerCommands(useRecord(), useFormats(), useValue('timer')?.timer.sessionId)
}

/**
 * Returns the commands of a screen that shows the session `shownId`, or none. Pause, Resume and Stop
 * are meant for that session: when news of another one has arrived and is not on the screen yet, they
 * do nothing.
 */
export function timerCommands(
  record: LocalRecord,
  { duration }: Pick<Formats, 'duration'>,
  shownId: string | undefined,
): TimerCommands {
  const { device } = record
  return {
    async start(taskId, note) {
      const input = { sessionId: newDocumentId(record.clock.now()), taskId, device, note }
      await record.write((draft) => store.start(draft, input))
    },
    pause: () => changeOrShowError(store.pause),
    resume: () => changeOrShowError(store.resume),
    async stop(at) {
      // While the history loads, nobody knows.
      const isFirst =
        record.entries().length === 0 && record.value('pull:time_entries')?.complete === true
      try {
        const stopped = await record.write((draft) =>
          isShown(draft) ? store.stop(draft, at) : null,
        )
        if (stopped) offerUndoStop(stopped, isFirst)
      } catch {
        await record.write((draft) => store.showBanner(draft, { text: STOP_FAILED, action: null }))
      }
    },
  }

  function isShown(draft: Draft): boolean {
    return draft.value('timer')?.timer.sessionId === shownId
  }

  function offerUndoStop(stopped: StoppedTimer, isFirst: boolean): void {
    if (stopped.durationSeconds === 0) return
    offerUndo(
      isFirst && stopped.durationSeconds >= 60 ? firstTime(stopped) : stoppedText(stopped),
      () => resumeStopped(record, stopped, 'undo'),
      { seconds: UNDO_STOP_SECONDS },
    )
  }

  function stoppedText({ taskId, durationSeconds }: StoppedTimer): string {
    const stopped = t('Stopped after {duration}', { duration: duration(durationSeconds) })
    const task = record.tasks().find(({ id }) => id === taskId)
    return task ? `${stopped} · ${task.name}` : stopped
  }

  async function changeOrShowError(change: typeof store.pause): Promise<void> {
    await record.write((draft) => {
      const text = isShown(draft) ? change(draft) : null
      if (text !== null) store.showBanner(draft, { text, action: null })
    })
  }
}

/** What is said of the first time that a person has tracked: a minute at least, as less is a try. */
function firstTime({ durationSeconds }: StoppedTimer): string {
  const minutes = Math.floor(durationSeconds / 60)
  if (minutes >= 60)
    return t('Your first {duration}.', { duration: briefDuration(durationSeconds) })
  return t('{count, plural, one {Your first minute.} other {Your first # minutes.}}', {
    count: minutes,
  })
}

/** Resumes a timer that was stopped within the last seconds; otherwise does nothing. */
export async function resumeJustStopped(record: LocalRecord, stopped: StoppedTimer): Promise<void> {
  if (record.clock.now() - stopped.endedAt > UNDO_STOP_SECONDS * 1000) return
  await resumeStopped(record, stopped, 'undo')
}

/**
 * Resumes a stopped timer. After Undo, the seconds until it was pressed count, as Stop was the mistake.
 */
export async function resumeStopped(
  record: LocalRecord,
  stopped: StoppedTimer,
  gap: 'pause' | 'work' | 'undo',
): Promise<void> {
  const sessionId = newDocumentId(record.clock.now())
  const input = { sessionId, stopped, gap, device: record.device }
  await record.write((draft) => store.resumeStopped(draft, input))
}
