/** What sync does for the record without an account: nothing is sent, and time is watched as on every device. */
import { noteAwake } from '@stint/core/device/awake.ts'
import { correctInstants } from '@stint/core/device/correct-instants.ts'
import { noteAllQuestions, noteQuestions } from '@stint/core/device/note-asked.ts'

import type { ServerClock } from '#backend/server-clock.ts'
import type { Change, LocalRecord } from '#record/record.ts'
import { createSchedule } from '#sync/schedule.ts'
import { createStatus } from '#sync/status.ts'
import type { Sync } from '#sync/sync.ts'

/** How often this device records that the timer runs, in milliseconds. */
const AWAKE_MILLISECONDS = 60_000

const done = () => Promise.resolve()

/** Returns the sync of a record that has no account. Closing it closes the record. */
export function guestSync(record: LocalRecord, clock: ServerClock): Sync {
  const closing = new AbortController()
  const { signal } = closing
  const schedule = createSchedule(signal)
  const status = createStatus()
  status.set({ ...status.get(), online: true, isRefreshed: true })
  record.correct = correctInstants
  record.ask = noteQuestions
  changeSoon(noteAllQuestions)
  changeSoon(noteAwake)
  schedule.every(AWAKE_MILLISECONDS, () => changeSoon(noteAwake))
  addEventListener('focus', () => changeSoon(noteAwake), { signal })
  // Any change corrects the instants of a clock that was not confirmed before.
  const stopListening = clock.onChange(() => changeSoon(() => undefined))
  return {
    status,
    flush: done,
    refresh: done,
    retry: done,
    close() {
      closing.abort()
      stopListening()
      record.close()
      return done()
    },
  }

  /** Makes an automatic change. Where the record is closed, nothing is left to change. */
  function changeSoon(change: Change<unknown>): void {
    void record.takeIn(change).catch(() => undefined)
  }
}
