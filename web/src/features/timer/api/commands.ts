/** What can be pressed of the timer. */
import type { StoppedTimer } from '@stint/core/timer/timer.ts'

import { useFormats } from '#features/settings/api.ts'
import type { Formats } from '#features/settings/api.ts'
import { newDocumentId } from '#record/document-id.ts'
import type { LocalRecord } from '#record/record.ts'
import { STOP_FAILED } from '#record/timer-texts.ts'
import * as store from '#record/timer.ts'
import { useRecord } from '#session/signed-in.ts'
import { offerUndo } from '#ui/undo.ts'

/** By key as long as by the toast: later, the time since would no longer be work. */
const UNDO_STOP_SECONDS = 10

export interface TimerCommands {
  readonly start: (taskId: string) => Promise<void>
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** As if it had been pressed `at` that instant, now unless given. */
  readonly stop: (at?: number) => Promise<void>
}

/** What can be pressed. Each resolves once it is durable here; the backend hears of it after. */
export function useTimerCommands(): TimerCommands {
  return timerCommands(useRecord(), useFormats())
}

function timerCommands(record: LocalRecord, { duration }: Formats): TimerCommands {
  const { device } = record
  return {
    async start(taskId) {
      const input = { sessionId: newDocumentId(record.clock.now()), taskId, device }
      await record.write((draft, now) => store.start(draft, { ...input, now }))
    },
    pause: () => changeOrSay(store.pause),
    resume: () => changeOrSay(store.resume),
    async stop(at) {
      try {
        const stopped = await record.write((draft, now) => store.stop(draft, at ?? now))
        if (stopped) offerUndoStop(stopped)
      } catch {
        await record.write((draft, now) =>
          store.showBanner(draft, { text: STOP_FAILED, action: null }, now),
        )
      }
    },
  }

  function offerUndoStop(stopped: StoppedTimer): void {
    if (stopped.durationSeconds === 0) return
    offerUndo(
      `Stopped after ${duration(stopped.durationSeconds)}`,
      () => takeUpAgain(record, stopped, 'undo'),
      UNDO_STOP_SECONDS,
    )
  }

  async function changeOrSay(change: typeof store.pause): Promise<void> {
    await record.write((draft, now) => {
      const text = change(draft, now)
      if (text !== null) store.showBanner(draft, { text, action: null }, now)
    })
  }
}

/** Goes on with a timer that was stopped a moment ago; later, it stays stopped. */
export async function takeUpStopped(record: LocalRecord, stopped: StoppedTimer): Promise<void> {
  if (record.clock.now() - stopped.endedAt > UNDO_STOP_SECONDS * 1000) return
  await takeUpAgain(record, stopped, 'undo')
}

/** After Undo the seconds until it is pressed count: Stop was the mistake. */
export async function takeUpAgain(
  record: LocalRecord,
  stopped: StoppedTimer,
  gap: 'pause' | 'work' | 'undo',
): Promise<void> {
  const sessionId = newDocumentId(record.clock.now())
  const input = { sessionId, stopped, gap, device: record.device }
  await record.write((draft, now) => store.resumeStopped(draft, { ...input, now }))
}
