/** Trims all overlaps of a record in one step, which can be shown before it is made. */
import { acceptance } from './accepted-findings.ts'
import { checkHealth } from './data-health.ts'
import type { Finding } from './data-health.ts'
import type { EntryChange } from './entry-change.ts'
import { workedIntervals } from './entry-edit.ts'
import { partsOutside, replaceEntry } from './overlaps.ts'
import type { TimeEntry } from './time-entry.ts'

export interface OverlapTrim {
  /** The entries that change, newest first. */
  readonly trimmed: readonly TrimmedEntry[]
  /** The changes to save. */
  readonly changes: readonly EntryChange[]
  /** How many seconds the record counts less. */
  readonly seconds: number
  /**
   * The acceptances of the overlaps that stay and whose entries change, in their state after the
   * changes.
   */
  readonly accepted: readonly string[]
}

export interface TrimmedEntry {
  readonly entry: TimeEntry
  /** What stays of it, in order; empty if all of it is worked in other entries too. */
  readonly parts: readonly TimeEntry[]
  /** How many seconds it counts less. */
  readonly seconds: number
}

/**
 * Returns what removes these overlaps and duplicates. Of two entries, the one that began earlier
 * gives way, of two that began together the longer one. So a session within a longer one stays
 * whole. Of duplicates, the first stays. `accepted` are the overlaps that stay.
 */
export function trimOverlaps(
  findings: readonly Finding[],
  accepted: readonly Finding[],
  newId: () => string,
  now: number,
): OverlapTrim {
  const duplicates = findings
    .filter(({ kind }) => kind === 'duplicate')
    .flatMap(({ entries }) => entries.slice(1))
  const cut = new Map<string, TrimmedEntry>(
    duplicates.map((entry) => [entry.id, trimmedTo(entry, [])]),
  )
  for (const [entry, keepers] of keepersByEntry(findings)) {
    // A keeper may be trimmed itself, and only what stays of it is taken.
    const taken = keepers
      .flatMap((keeper) => cut.get(keeper.id)?.parts ?? [keeper])
      .flatMap(workedIntervals)
      .sort((a, b) => a.start - b.start)
    cut.set(entry.id, trimmedTo(entry, withoutSurplus(entry, partsOutside(entry, taken))))
  }
  const trimmed = [...cut.values()].sort((a, b) => keepingOrder(b.entry, a.entry))
  const changes = new Map(
    trimmed.map(({ entry, parts }) => [entry.id, replaceEntry(entry, parts, newId, now)]),
  )
  const stays = (entry: TimeEntry) =>
    (changes.get(entry.id) ?? [{ after: entry }])
      .map(({ after }) => after)
      .filter((after) => after.deletedAt === null)
  return {
    trimmed,
    changes: [...changes.values()].flat(),
    seconds: trimmed.reduce((sum, { seconds }) => sum + seconds, 0),
    accepted: accepted
      .filter(({ entries }) => entries.some(({ id }) => changes.has(id)))
      .flatMap(({ entries }) => checkHealth(entries.flatMap(stays), [], now))
      .filter(({ kind }) => kind === 'overlap')
      .map(acceptance),
  }
}

/** Returns each entry that gives way, the latest first, with the entries that keep their time. */
function keepersByEntry(findings: readonly Finding[]): [TimeEntry, TimeEntry[]][] {
  const keepers = new Map<TimeEntry, TimeEntry[]>()
  for (const { kind, entries } of findings) {
    const [entry, keeper] = kind === 'overlap' ? entries.toSorted(keepingOrder) : []
    if (!entry || !keeper) continue
    keepers.set(entry, [...(keepers.get(entry) ?? []), keeper])
  }
  return [...keepers].sort(([a], [b]) => keepingOrder(b, a))
}

/** Sorts entries so that each gives way to those after it. */
function keepingOrder(a: TimeEntry, b: TimeEntry): number {
  return (
    a.startedAt - b.startedAt ||
    b.endedAt - a.endedAt ||
    a.createdAt - b.createdAt ||
    (a.id < b.id ? -1 : 1)
  )
}

function trimmedTo(entry: TimeEntry, parts: readonly TimeEntry[]): TrimmedEntry {
  return { entry, parts, seconds: entry.durationSeconds - secondsOf(parts) }
}

/**
 * Returns the parts with no more seconds than the entry counts. Another client may have saved fewer
 * than its times hold, and the pauses of unknown time are divided with rounding.
 */
function withoutSurplus(entry: TimeEntry, parts: readonly TimeEntry[]): TimeEntry[] {
  let surplus = secondsOf(parts) - entry.durationSeconds
  return parts
    .map((part) => {
      const less = Math.max(0, Math.min(surplus, part.durationSeconds))
      surplus -= less
      const unplacedSeconds = part.pauses.unplacedSeconds + less
      return {
        ...part,
        durationSeconds: part.durationSeconds - less,
        pauses: { ...part.pauses, unplacedSeconds },
      }
    })
    .filter((part) => part.durationSeconds > 0)
}

function secondsOf(entries: readonly TimeEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.durationSeconds, 0)
}
