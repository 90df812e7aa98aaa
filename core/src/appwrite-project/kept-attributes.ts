/**
 * The project of a real Appwrite may lack attributes. What they would hold stays on this device and completes
 * documents from the backend (docs/decisions/0016-appwrite-projects.md).
 */
import type { CollectionId, DocumentOf } from '#collections.ts'
import { projectionOf } from '#log/projection.ts'
import { withoutAttributes } from '#record/fields.ts'
import { TASK, TASK_FIELDS, taskAttributes } from '#record/task.ts'
import {
  ENTRY,
  ENTRY_FIELDS,
  entryAttributes,
  entryFromDocument,
  isUnconfirmed,
} from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { instantToWire } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { addPause, clipPauses, NO_PAUSES, pausedMilliseconds, pausesToWire } from '#timer/pauses.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import type { Draft, View } from '#device/draft.ts'
import { deletesForGood, missingAttributes } from '#device/missing-attributes.ts'
import { foldOf } from '#device/session-log.ts'
import { takeInEarlier } from '#device/take-in.ts'

/** Notes which attributes the project lacks. What is here of attributes that were added since is sent again. */
export function noteMissing(
  draft: Draft,
  collection: CollectionId,
  missing: readonly string[],
): void {
  const known = missingAttributes(draft, collection)
  const added = known.filter((name) => !missing.includes(name))
  const all = draft.value('schema')?.missing ?? {}
  draft.putValue({ key: 'schema', missing: { ...all, [collection]: missing } })
  if (added.length === 0) return
  if (collection === 'time_entries') sendEntriesAgain(draft, added)
  if (collection === 'tasks') sendTasksAgain(draft, added)
}

/** The backend has these tasks without what was kept here. The difference is an edit. */
function sendTasksAgain(draft: Draft, added: readonly string[]): void {
  for (const here of draft.tasks.all()) {
    const edit = draft.edit('task', here.id)
    const known = edit ? edit.base : here
    if (known === null) continue
    const there = withoutAttributes(TASK_FIELDS, known, added)
    if (TASK.differing(known, there).length > 0) takeInEarlier(draft, 'task', here.id, there)
  }
}

/** The same of entries. */
function sendEntriesAgain(draft: Draft, added: readonly string[]): void {
  for (const here of draft.entries.all()) {
    const edit = draft.edit('entry', here.id)
    const known = edit ? edit.base : here
    if (known === null || here.deletedAt !== null) continue
    const lost = withoutAttributes(ENTRY_FIELDS, known, added)
    const there = added.includes('pauses') ? { ...lost, pauses: unplaced(known) } : lost
    if (ENTRY.differing(known, there).length > 0) takeInEarlier(draft, 'entry', here.id, there)
  }
}

function unplaced({ startedAt, endedAt, durationSeconds }: TimeEntry): TimeEntry['pauses'] {
  const span = Math.floor((endedAt - startedAt) / 1000)
  return { ...NO_PAUSES, unplacedSeconds: Math.max(0, span - durationSeconds) }
}

/**
 * Returns a document of the backend with what this device knows of the attributes that the project lacks, or lacked
 * when the document was written: a session that has no log yet is sent with the next press on it.
 */
export function completed<C extends CollectionId>(
  view: View,
  collection: C,
  document: DocumentOf<C>,
): DocumentOf<C> {
  const hasLacked = view.value('schema') !== undefined
  const isOld =
    hasLacked && collection === 'timer_sessions' && 'log' in document && document.log === null
  if (!document.$missing && !isOld && !deletesForGood(view)) return document
  const known = knownHere(view, collection, document)
  const unwritten = isOld ? Object.entries(document).filter(([, value]) => value === null) : []
  const names = [...(document.$missing ?? []), ...unwritten.map(([name]) => name), '$createdAt']
  const missing = names.filter((name) => name in known)
  return { ...document, ...Object.fromEntries(missing.map((name) => [name, known[name]])) }
}

type Known = Readonly<Record<string, unknown>>

function knownHere<C extends CollectionId>(
  view: View,
  collection: C,
  document: DocumentOf<C>,
): Known {
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the document is of this collection */
  switch (collection) {
    case 'tasks': {
      const task = view.tasks.get(document.$id)
      return task ? taskAttributes(task, '') : {}
    }
    case 'timer_sessions':
      return knownOfSession(view, document as DocumentOf<'timer_sessions'>)
    case 'time_entries':
      return knownOfEntry(view, document as DocumentOf<'time_entries'>)
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

function knownOfSession(view: View, document: DocumentOf<'timer_sessions'>): Known {
  const timer = timerHere(view, document.$id)
  if (!timer) return {}
  const session = view.sessions.get(document.$id)
  const { startTime, endTime, currentPauseStart, pauseDurationSeconds } = document
  const start = startTime === null ? timer.startedAt : Date.parse(startTime)
  const end = currentPauseStart ?? endTime
  const span = { start, end: end === null ? Infinity : Date.parse(end) }
  return {
    device: session?.base?.device ?? null,
    // What was pressed since is not in the document.
    log: session?.base?.log ?? null,
    note: timer.note ?? null,
    // The sum has whole seconds, and the pauses may be almost a second longer.
    pauses: pausesWithin(span, pauseDurationSeconds * 1000 + 999, timer),
  }
}

function knownOfEntry(view: View, document: DocumentOf<'time_entries'>): Known {
  const here = view.entries.get(document.$id)
  const edit = view.edit('entry', document.$id)
  const timer = timerHere(view, document.$id)
  const entry = entryFromDocument(document)
  const states = [edit?.base, here, ...(edit?.sent ?? [])].flatMap((each) => each ?? [])
  const same = states.find((each) => timesOf(each) === timesOf(entry))
  const known = same ?? states[0] ?? timer
  const { startedAt: start, endedAt: end, durationSeconds } = entry
  const most = end - start - durationSeconds * 1000
  const confirmed = edit ? edit.base : (here ?? null)
  const isSame = confirmed === null || isUnconfirmed(confirmed) || !deletesForGood(view)
  return {
    ...(here && entryAttributes(here, '')),
    ...(!here && { note: timer?.note ?? null }),
    // What was edited since is not in the document.
    log: (edit ? (same ?? edit.base) : here)?.log ?? null,
    pauses: known ? pausesWithin({ start, end }, most, known) : null,
    deletedAt: null,
    // One that was created again after its deletion is a later state of the one that is known here.
    ...(!isSame &&
      confirmed.createdAt < entry.createdAt && { $createdAt: instantToWire(confirmed.createdAt) }),
  }
}

function timesOf({ startedAt, endedAt, durationSeconds }: TimeEntry): string {
  return [startedAt, endedAt, durationSeconds].join(' ')
}

/** Returns the timer of a session: as the backend last had it, or as it is here. */
function timerHere(view: View, id: string): ActiveTimer | undefined {
  const session = view.sessions.get(id)
  const there = session?.base?.state
  if (there && there.kind !== 'stopped') return there.timer
  const folded = session && foldOf(session)
  return (folded && projectionOf(id, folded).session?.timer) ?? undefined
}

/**
 * Returns the known pauses within a span, or null if the backend knows of fewer milliseconds without work. A pause
 * that was open here and has ended elsewhere gets the rest.
 */
function pausesWithin(
  { start, end }: Interval,
  most: number,
  known: Pick<TimeEntry, 'pauses'> | ActiveTimer,
): string | null {
  const rest = most - pausedMilliseconds(clipPauses(known.pauses, start, end))
  const pausedAt = 'status' in known && known.status === 'paused' ? known.pausedAt : Infinity
  // However short it was, it has ended.
  const opened = pausedAt + Math.max(1, Math.floor(rest / 1000) * 1000)
  const placed = addPause({ ...known.pauses, unplacedSeconds: 0 }, pausedAt, opened)
  const within = clipPauses(placed, start, end)
  return pausedMilliseconds(within) > most ? null : pausesToWire(within)
}
