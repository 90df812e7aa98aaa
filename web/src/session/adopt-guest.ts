/** Adds the record without an account to the record of a person (docs/decisions/0056-before-sign-up.md). */
import { correctInstants } from '@stint/core/device/correct-instants.ts'
import type { Draft, View } from '@stint/core/device/draft.ts'
import { editKey } from '@stint/core/device/draft.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { showTimers } from '@stint/core/device/shown-timer.ts'

import { removeCopies } from '#copies/copy-folder.ts'
import { databaseName } from '#record/database.ts'
import { emptyRecord } from '#record/empty-record.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'

import { removeTraces } from '#traces/traces-database.ts'
import type { DeviceDb } from './device-db.ts'

/** How much of a record without an account is not in another one. */
export interface GuestWork {
  readonly tasks: number
  /** Saved sessions, and the running timer. */
  readonly sessions: number
}

/** Returns how much of the guest's record, beside what its owner has deleted, the record of a person lacks. */
export async function guestWork(id: string, record: LocalRecord): Promise<GuestWork> {
  const { tasks, entries, sessions } = record.view
  return withGuest(id, record, async ({ view }) => {
    const timer = view.value('timer')?.timer
    const isTiming = timer !== undefined && !sessions.get(timer.sessionId)
    const added = view.entries.all().filter(({ id, deletedAt }) => !deletedAt && !entries.get(id))
    return {
      tasks: view.tasks.all().filter(({ id, isActive }) => isActive && !tasks.get(id)).length,
      sessions: added.length + Number(isTiming),
    }
  })
}

/**
 * Adds everything of the guest's record to the record of a person, where it is sent like what was tracked offline, and
 * then empties the guest's. It can end at any point and be done again: ids stay, and what is there already is left as it
 * is. Settings are taken over only `withSettings`, for an account without its own.
 * @returns false if the browser's storage takes no more: everything is still in the guest's record then.
 */
export async function adoptGuest(
  device: DeviceDb,
  record: LocalRecord,
  { withSettings }: { withSettings: boolean },
): Promise<boolean> {
  const guest = await device.guest()
  if (!guest) return true
  await withGuest(guest.id, record, async (source) => {
    // The instants of a clock that is confirmed by now are corrected first.
    source.correct = correctInstants
    // A press in another window may arrive meanwhile.
    for (let seen = -1; seen !== source.changes.get();) {
      await source.refresh()
      seen = source.changes.get()
      await record.write((draft) => takeInGuest(draft, source.view, withSettings))
      await source.refresh()
    }
  })
  if (record.storageProblem() === 'unwritten') return false
  await emptyRecord(databaseName(guest.id), true)
  await removeCopies(guest.id)
  await removeTraces(guest.id)
  await device.delete('guest')
  return true
}

/** Puts what a guest has and the draft lacks into the draft. Pure but for the draft. */
export function takeInGuest(draft: Draft, guest: View, withSettings: boolean): void {
  const isNew = ({ kind, id }: { kind: string; id: string }) =>
    (kind === 'task' && !draft.tasks.get(id)) || (kind === 'entry' && !draft.entries.get(id))
  // An edit goes with its thing, so both are looked for before anything is put.
  const edits = guest.edits.all().filter(isNew)
  for (const task of guest.tasks.all()) if (!draft.tasks.get(task.id)) draft.tasks.put(task)
  for (const entry of guest.entries.all())
    if (!draft.entries.get(entry.id)) draft.entries.put(entry)
  for (const edit of edits) if (!draft.edits.get(editKey(edit))) draft.edits.put(edit)
  for (const session of guest.sessions.all()) {
    if (draft.sessions.get(session.id)) continue
    draft.sessions.put(session)
    // What is asked about it is noted after the change.
    draft.settled.add(session.id)
  }
  takeInQuestions(draft, guest)
  if (withSettings) {
    const { trackOffline: _, ...prefs } = guest.value('settings')?.prefs ?? {}
    changePrefs(draft, (known) => ({ ...prefs, ...known }))
  }
  showTimers(draft)
}

/** Puts what the guest's device noted about gaps, overlaps and its clock beside what is noted already. */
function takeInQuestions(draft: Draft, guest: View): void {
  const [gaps, overlaps, clock] = [
    guest.value('gaps'),
    guest.value('overlaps'),
    guest.value('clock'),
  ]
  const known = draft.value('clock')
  if (gaps) draft.putValue({ ...gaps, gaps: union(draft.value('gaps')?.gaps, gaps.gaps) })
  if (overlaps)
    draft.putValue({ ...overlaps, pairs: union(draft.value('overlaps')?.pairs, overlaps.pairs) })
  if (!clock) return
  draft.putValue({
    ...clock,
    from: Math.min(clock.from, known?.from ?? clock.from),
    events: { ...known?.events, ...clock.events },
    leaps: union(known?.leaps, clock.leaps ?? []),
    gaps: union(known?.gaps, clock.gaps ?? []),
  })
}

/** Returns the items of both lists, equal ones once. */
function union<T>(some: readonly T[] = [], others: readonly T[]): T[] {
  const texts = new Set(some.map((each) => JSON.stringify(each)))
  return [...some, ...others.filter((each) => !texts.has(JSON.stringify(each)))]
}

async function withGuest<T>(
  id: string,
  { clock, device }: LocalRecord,
  work: (guest: LocalRecord) => Promise<T>,
): Promise<T> {
  const guest = await openRecord(databaseName(id), { clock, device })
  try {
    return await work(guest)
  } finally {
    guest.close()
  }
}
