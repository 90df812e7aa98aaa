/**
 * Edits that waited: one that was made without a network, or whose answer was lost, is not sent over one
 * that another device made later (docs/decisions/0082-the-later-edit-stays.md).
 */
import { changedParts } from '@stint/core/entry-parts.ts'
import type { EntryPart } from '@stint/core/entry-parts.ts'
import { taskFromDocument } from '@stint/core/task.ts'
import type { Task, TaskChanges } from '@stint/core/task.ts'
import { entryFromDocument } from '@stint/core/time-entry.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'

import type { OutboxItem } from './local-db.ts'
import type { OutboxContext, Round } from './outbox-context.ts'
import { pullChanges } from './pull.ts'

/** What is sent so long after it was made may be older than what another device changed. */
const LATE_MILLISECONDS = 10_000

/** What changed at the backend while edits waited, as it was before any of them was sent. */
export interface ChangedMeanwhile {
  readonly entries: ReadonlyMap<string, TimeEntry>
  readonly tasks: ReadonlyMap<string, Task>
}

type Sent = Pick<OutboxItem, 'addedAt' | 'attempts'>

/**
 * What to hold an edit against before it is sent; null for one that is sent at once. Asked for once in a
 * round, since afterwards what was sent from here is the last change. Rejects with BackendError.
 */
export async function changedMeanwhile(
  round: Round,
  { addedAt, attempts }: Sent,
): Promise<ChangedMeanwhile | null> {
  if (attempts === 0 && round.now() - addedAt <= LATE_MILLISECONDS) return null
  round.meanwhile ??= await fetchMeanwhile(round)
  return round.meanwhile
}

async function fetchMeanwhile({
  db,
  backend,
}: Pick<OutboxContext, 'db' | 'backend'>): Promise<ChangedMeanwhile> {
  const oldest = await db.outbox.orderBy('sequence').first()
  const since = new Date(oldest?.addedAt ?? 0).toISOString()
  const entries = new Map<string, TimeEntry>()
  await pullChanges({ db, backend }, 'time_entries', since, async (_db, documents) => {
    for (const document of documents) entries.set(document.$id, entryFromDocument(document))
  })
  const tasks = new Map<string, Task>()
  await pullChanges({ db, backend }, 'tasks', since, async (_db, documents) => {
    for (const document of documents) tasks.set(document.$id, taskFromDocument(document))
  })
  return { entries, tasks }
}

/**
 * The parts that are still to be sent of an edit made at `addedAt` that changed `before`, where the entry is
 * now `here` and the backend has `theirs`: not those that another device changed later.
 */
export function standingParts(
  parts: readonly EntryPart[],
  { addedAt, before, here, theirs }: Edit<TimeEntry>,
): EntryPart[] {
  if (theirs.updatedAt < addedAt) return [...parts]
  const foreign = new Set(changedParts(before, theirs)).intersection(
    new Set(changedParts(here, theirs)),
  )
  return parts.filter((part) => !foreign.has(part))
}

/** The same of a task's fields. */
export function standingChanges(
  changes: TaskChanges,
  { addedAt, before, here, theirs }: Edit<TaskChanges> & { readonly theirs: Task },
): TaskChanges {
  if (theirs.updatedAt < addedAt) return changes
  const [was, is, there] = [before, here, theirs].map((task) => new Map(Object.entries(task)))
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([field]) => there?.get(field) === was?.get(field) || there?.get(field) === is?.get(field),
    ),
  )
}

interface Edit<Thing> {
  readonly addedAt: number
  readonly before: Thing
  readonly here: Thing
  readonly theirs: Thing
}
