/**
 * Finds what looks wrong in the record. Findings are shown to the owner with possible fixes.
 * Nothing is fixed without the owner's request.
 */
import { t } from '#text.ts'
import { exactDuration } from '#time/duration.ts'
import type { EntryChange } from './entry-change.ts'
import { deleteEntry } from './entry-change.ts'
import { editEntry, endAfterWork, mergeEntries } from './entry-edit.ts'
import { allOverlaps, trimNeighbours } from './overlaps.ts'
import type { Task } from './task.ts'
import { nameInReports } from './task.ts'
import type { TimeEntry } from './time-entry.ts'
import { workedSeconds } from '#timer/timer.ts'

export const FINDING_KINDS = [
  /** Entries with the same task, start and end. */
  'duplicate',
  /** Two entries share time. */
  'overlap',
  /** The entry does not end after it starts. */
  'backwards',
  /** The entry counts more seconds than its times hold. */
  'seconds',
  /** The entry ends later than now. */
  'future',
  /** The entry has over twelve hours of work: probably a forgotten timer. */
  'long',
  /** The task of the entry is missing. */
  'unknown-task',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface Finding {
  /** The same finding has the same key when the record is checked again. */
  readonly key: string
  readonly kind: FindingKind
  /**
   * The entries of the finding. Of duplicates, the first is the one to keep. Of an overlap, the
   * first is the one that began earlier. All entries of one unknown task are one finding.
   */
  readonly entries: readonly TimeEntry[]
  /** The names of the entries' tasks, in the same order. */
  readonly taskNames: readonly string[]
  /**
   * The affected seconds: of a duplicate those that count too often, of an overlap those that count
   * twice, of 'seconds' the surplus, of 'future' the distance of the end from now, and otherwise
   * the work of the entries.
   */
  readonly seconds: number
  /** Empty where only the owner knows the fix and makes it in the editor. */
  readonly fixes: readonly Fix[]
}

export interface Fix {
  /** The text of a button: 'Trim the earlier'. */
  readonly label: string
  /** Returns the changes to save. Further parts of a split entry get ids from `newId`. */
  readonly changes: (newId: () => string, now: number) => readonly EntryChange[]
}

const LONG_SECONDS = 12 * 3600
/** The clocks of devices may differ by this much without an error. */
const CLOCK_TOLERANCE_MILLISECONDS = 60_000

/**
 * Returns all findings, by kind and within each kind the newest first. The entries may come in any
 * order. Deleted entries are ignored. 100,000 entries take a fraction of a second.
 */
export function checkHealth(
  entries: readonly TimeEntry[],
  tasks: readonly Task[],
  now: number,
): readonly Finding[] {
  const taskById = new Map(tasks.map((task) => [task.id, task]))
  const find = (
    kind: FindingKind,
    about: readonly TimeEntry[],
    seconds: number,
    fixes: readonly Fix[],
  ): Finding => ({
    key: `${kind} ${about.map((entry) => entry.id).join(' ')}`,
    kind,
    entries: about,
    taskNames: about.map((entry) => nameInReports(taskById.get(entry.taskId))),
    seconds,
    fixes,
  })
  const sorted = entries
    .filter((entry) => entry.deletedAt === null)
    .sort(
      (a, b) => a.startedAt - b.startedAt || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    )
  const groups = alike(sorted)
  const findings = [
    ...groups.filter((group) => group.length > 1).map((group) => duplicates(group, find)),
    // One entry of each group of duplicates is enough to find its overlaps with others.
    ...allOverlaps(groups.flatMap((group) => group[0] ?? [])).map((pair) => overlap(pair, find)),
    ...sorted.flatMap((entry) => wrongTimes(entry, now, find)),
    ...withoutTask(sorted, taskById).map((group) => find('unknown-task', group, workOf(group), [])),
  ]
  const order = new Map(FINDING_KINDS.map((kind, index) => [kind, index]))
  return findings.sort(
    (a, b) =>
      (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0) ||
      (b.entries[0]?.startedAt ?? 0) - (a.entries[0]?.startedAt ?? 0),
  )
}

type Find = (
  kind: FindingKind,
  entries: readonly TimeEntry[],
  seconds: number,
  fixes: readonly Fix[],
) => Finding

function duplicates(group: readonly TimeEntry[], find: Find): Finding {
  const [, ...others] = group
  const label = t('{count, plural, =1 {Delete the duplicate} other {Delete {count} duplicates}}', {
    count: others.length,
  })
  return find('duplicate', group, workOf(others), [
    { label, changes: (_, now) => others.map((entry) => deleteEntry(entry, now)) },
  ])
}

function overlap(
  { first, second, seconds }: ReturnType<typeof allOverlaps>[number],
  find: Find,
): Finding {
  const trims: Fix[] = [
    {
      label: t('Trim the earlier'),
      changes: (newId, now) => trimNeighbours(second, [first], newId, now),
    },
    {
      label: t('Trim the later'),
      changes: (newId, now) => trimNeighbours(first, [second], newId, now),
    },
  ]
  const merge: Fix = {
    label: t('Merge them'),
    changes: (_, now) => mergeEntries([first, second], now),
  }
  const isOneTask = first.taskId === second.taskId
  return find('overlap', [first, second], seconds, isOneTask ? [...trims, merge] : trims)
}

function wrongTimes(entry: TimeEntry, now: number, find: Find): Finding[] {
  const { startedAt, endedAt, pauses, durationSeconds } = entry
  const remove: Fix = { label: t('Delete it'), changes: (_, now) => [deleteEntry(entry, now)] }
  const findings: Finding[] = []
  const held = workedSeconds(startedAt, endedAt, pauses)
  if (endedAt <= startedAt) {
    const end = startedAt + durationSeconds * 1000
    const endLater: Fix = {
      label: t('End it after {duration}', { duration: exactDuration(durationSeconds) }),
      changes: (_, now) => [editEntry(entry, { endedAt: end }, now)],
    }
    const fixes = durationSeconds > 0 && end <= now ? [endLater, remove] : [remove]
    findings.push(find('backwards', [entry], durationSeconds, fixes))
  } else if (durationSeconds > held) {
    const recount: Fix = {
      label: t('Count {duration}', { duration: exactDuration(held) }),
      changes: (_, now) => [
        { before: entry, after: { ...entry, durationSeconds: held, updatedAt: now } },
      ],
    }
    findings.push(find('seconds', [entry], durationSeconds - held, [recount]))
  }
  if (endedAt > now + CLOCK_TOLERANCE_MILLISECONDS) {
    const endNow: Fix = {
      label: t('End it now'),
      changes: (_, now) => [editEntry(entry, { endedAt: now }, now)],
    }
    const fixes = startedAt < now ? [endNow, remove] : [remove]
    findings.push(find('future', [entry], Math.floor((endedAt - now) / 1000), fixes))
  }
  if (durationSeconds > LONG_SECONDS) {
    const end = endAfterWork(entry, LONG_SECONDS)
    const shorten: Fix = {
      label: t('End it after {duration}', { duration: exactDuration(LONG_SECONDS) }),
      changes: (_, now) => [editEntry(entry, { endedAt: end ?? entry.endedAt }, now)],
    }
    findings.push(find('long', [entry], durationSeconds, end === null ? [] : [shorten]))
  }
  return findings
}

/** Groups the entries by task, start and end, to the second. Sorted entries stay in order. */
function alike(sorted: readonly TimeEntry[]): TimeEntry[][] {
  const groups = new Map<string, TimeEntry[]>()
  for (const entry of sorted) {
    const [start, end] = [entry.startedAt, entry.endedAt].map((at) => Math.floor(at / 1000))
    const key = `${start} ${end} ${entry.taskId}`
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups.values()]
}

/** Returns the entries of each missing task, newest first. */
function withoutTask(
  sorted: readonly TimeEntry[],
  tasks: ReadonlyMap<string, Task>,
): TimeEntry[][] {
  const groups = new Map<string, TimeEntry[]>()
  for (const entry of sorted.toReversed()) {
    if (tasks.has(entry.taskId)) continue
    const group = groups.get(entry.taskId)
    if (group) group.push(entry)
    else groups.set(entry.taskId, [entry])
  }
  return [...groups.values()]
}

function workOf(entries: readonly TimeEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.durationSeconds, 0)
}
