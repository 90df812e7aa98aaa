/**
 * Compares the presses with the final state: every second that was worked is in an entry, in the
 * session that still runs, or in a question, and only once. The judge reads the server's rows, not
 * the product's values.
 */
import type { Row } from '../backup.ts'
import type { Ledger, Rules } from './ledger.ts'
import type { Work } from './work.ts'
import { both, length, longerThan, union, without } from './spans.ts'
import type { Span } from './spans.ts'

export interface Rows {
  readonly sessions: readonly Row[]
  readonly entries: readonly Row[]
}

/** A question of a device to its owner about a work, named by one of the work's ids. */
export interface Question {
  readonly id: string
  /** The time of the question. All of the work by default. */
  readonly span?: Span
  /** The time counts until its owner decides otherwise. */
  readonly isCounted?: boolean
  /** The time was left out, and the device says so, with Undo. */
  readonly isUndoable?: boolean
}

/** What a device shows in the end, as plain text, and what it has not sent. */
export interface Shows {
  readonly timer: string
  readonly entries: readonly string[]
  readonly unsent: readonly string[]
  readonly questions: readonly Question[]
  /** Pairs of ids of entries that share time, and of which the device asks which one to trim. */
  readonly overlaps: readonly (readonly string[])[]
}

export interface Ending {
  readonly at: number
  readonly rows: Rows
  readonly devices: readonly Shows[]
  readonly rules: Rules
  /** Whether the server was restored from an earlier state. */
  readonly wasRestored: boolean
}

export interface Verdict {
  readonly violations: readonly string[]
  /** How many works ran at the same time and were both kept. */
  readonly overlaps: number
  readonly countedSeconds: number
  readonly askedSeconds: number
  /** How often two entries of one work share time, and a device asks about it. */
  readonly askedOverlaps: number
}

/**
 * Milliseconds by which a stretch may differ. Both ends may be off, because seconds are whole and
 * clocks are learned.
 */
const TOLERANCE = 1050

/** Returns the violations in words. The list is empty when there are none. */
export function judge(ledger: Ledger, ending: Ending): Verdict {
  const violations: string[] = []
  const say = (what: string) => void violations.push(what)
  const documents = documentsOf(ending)
  const covered = new Map<Work, { id: string; spans: Span[] }[]>()
  for (const { id, spans, problem } of documents) {
    const work = ledger.workOf(id)
    if (problem !== null) say(`seconds: ${id} ${problem}`)
    if (!work) say(`stranger: ${id}, which nobody started`)
    else covered.set(work, [...(covered.get(work) ?? []), { id, spans }])
  }
  // A press that a restored server has lost counts when its device returns, which that device says.
  const questions = ending.devices
    .flatMap((device) => device.questions)
    .filter(({ isUndoable = false }) => ending.wasRestored || !isUndoable)
  // With a clock that jumped unnoticed, a second may be on either side of a press. It must be on
  // one of them, saved or asked about.
  const ofLostClocks = [
    ...[...covered].flatMap(([work, parts]) =>
      work.hasLostClock ? parts.flatMap(({ spans }) => spans) : [],
    ),
    ...questions.flatMap(({ id, span }) => (span && ledger.workOf(id)?.hasLostClock ? [span] : [])),
  ]
  let askedSeconds = 0
  let askedOverlaps = 0
  const askedPairs = ending.devices.flatMap(({ overlaps }) => overlaps)
  const isAskedOverlap = (ids: readonly string[]) =>
    askedPairs.some((pair) => ids.every((id) => pair.includes(id)))
  for (const work of ledger.works()) {
    const parts = covered.get(work) ?? []
    const counted = union(...parts.map(({ spans }) => spans))
    const askedIf = (counts: boolean) =>
      questions
        .filter(({ id, isCounted = false }) => ledger.workOf(id) === work && isCounted === counts)
        .map(({ span }) => span ?? { start: 0, end: ending.at })
    const asked = askedIf(false)
    const offered = askedIf(true)
    askedSeconds += seconds(
      without(asked.length > 0 ? ledger.must(work, ending.at, ending.rules) : [], counted),
    )
    for (const { ids, shared } of doubled(parts)) {
      if (longerThan(without(shared, work.claimedTwice), TOLERANCE).length === 0) continue
      if (isAskedOverlap(ids)) askedOverlaps += 1
      else say(`doubled${kindOf(work)}: ${work.name} ${said(shared)}`)
    }
    if (work.hasLostClock) {
      const lost = [...ofLostClocks, ...work.unmeasured]
      const must = without(ledger.must(work, ending.at, ending.rules), lost)
      if (length(must) > 2000 && counted.length === 0 && asked.length === 0)
        say(`lost${kindOf(work)}: all of ${work.name}`)
      continue
    }
    // What is left out after a device has stopped by itself is told, with Undo.
    const told = work.hasFailed ? offered : []
    const left = [...asked, ...told, ...ofLostClocks]
    const must = without(ledger.must(work, ending.at, ending.rules), left)
    // A corrected clock is right to a second.
    const tolerance = work.isCorrected ? TOLERANCE + 1000 : TOLERANCE
    const missing = longerThan(without(must, counted), tolerance)
    if (missing.length > 0) say(`lost${kindOf(work)}: ${work.name} ${said(missing)}`)
    const may = ledger.may(work, ending.at, ending.rules)
    const invented = longerThan(without(counted, [...may, ...offered]), tolerance)
    if (invented.length > 0) say(`invented${kindOf(work)}: ${work.name} ${said(invented)}`)
    const paused = ending.wasRestored ? [] : without(ledger.paused(work), [...asked, ...offered])
    const overPause = longerThan(both(counted, paused), tolerance)
    if (overPause.length > 0) say(`pause counted: ${work.name} ${said(overPause)}`)
  }
  for (const { id, note, deleted_at } of ending.rows.entries) {
    const written = ledger.noteOf(String(id))
    // Of two notes, the second one follows on a line of its own.
    const isKept = typeof note === 'string' && note.split('\n').includes(written ?? '')
    if (written === undefined || deleted_at !== null || isKept) continue
    say(`note lost: ${String(id)} has '${String(note)}' for '${written}'`)
  }
  for (const id of ledger.runningOn()) say(`shown after its stop: ${id}`)
  judgeDevices(ending, say)
  return {
    violations,
    overlaps: overlapsIn([...covered.values()]),
    countedSeconds: documents.reduce((sum, { spans }) => sum + seconds(spans), 0),
    askedSeconds,
    askedOverlaps,
  }

  function said(spans: readonly Span[]): string {
    const start = Math.min(...ledger.works().map(({ startedAt }) => startedAt))
    const at = (instant: number) => `${((instant - start) / 1000).toFixed(1)} s`
    return spans.map((span) => `from ${at(span.start)} to ${at(span.end)}`).join(', ')
  }
}

/** Returns the kind of the affected work, for the text of a violation. */
function kindOf({ startedAt, hasFailed, isEdited, events }: Work): string {
  const [stop] = events.filter(({ kind, isTakenBack }) => kind === 'stop' && !isTakenBack)
  if (stop && stop.at - startedAt < 1000) return ' of no length'
  if (isEdited) return ' by edits'
  if (hasFailed) return ' after a failure'
  return new Set(events.map(({ device }) => device)).size > 1 ? ' between devices' : ''
}

function judgeDevices({ devices, rows }: Ending, say: (what: string) => void): void {
  for (const [device, { unsent }] of devices.entries()) {
    if (unsent.length > 0) say(`unsent on ${device}: ${unsent.join(', ')}`)
  }
  const timers = devices.map(({ timer }) => timer)
  const unanswered = new Set(devices.flatMap(({ questions }) => questions.map(({ id }) => id)))
  const isAsked = timers.some((timer) => unanswered.has(timer.split(' ')[0] ?? ''))
  if (new Set(timers).size > 1 && !isAsked) say(`different timers: ${timers.join(' | ')}`)
  const stored = rows.entries.map(entryText).toSorted()
  for (const [device, { entries }] of devices.entries()) {
    const shown = entries.toSorted()
    if (JSON.stringify(shown) === JSON.stringify(stored)) continue
    const extra = shown.filter((entry) => !stored.includes(entry))
    const lacking = stored.filter((entry) => !shown.includes(entry))
    say(`different entries: ${device} shows [${extra.join('; ')}] for [${lacking.join('; ')}]`)
  }
}

/**
 * Returns an entry as text for comparison: id, task, instants, seconds, note. A deleted entry has
 * its id alone.
 */
function entryText(row: Row): string {
  const { id, task_id, duration_seconds, note } = row
  const isDeleted = row['deleted_at'] !== null
  return describeEntry({
    id: String(id),
    taskId: String(task_id),
    start: instant(row['start_time']),
    end: instant(row['end_time']),
    seconds: Number(duration_seconds),
    note: typeof note === 'string' ? note : null,
    isDeleted,
  })
}

/** Returns an entry as text for comparison. */
export function describeEntry(entry: {
  readonly id: string
  readonly taskId: string
  readonly start: number
  readonly end: number
  readonly seconds: number
  readonly note: string | null
  readonly isDeleted: boolean
}): string {
  if (entry.isDeleted) return `${entry.id} deleted`
  const { id, taskId, start, end, seconds: worked, note } = entry
  return `${id} ${taskId} ${start} ${end} ${worked} ${note ?? ''}`
}

interface DocumentSpans {
  readonly id: string
  readonly spans: Span[]
  readonly problem: string | null
}

function documentsOf({ at, rows }: Ending): DocumentSpans[] {
  const entries = rows.entries
    .filter((row) => row['deleted_at'] === null)
    .map((row) => {
      const spans = worked(row, instant(row['start_time']), instant(row['end_time']), null)
      const difference = length(spans) / 1000 - Number(row['duration_seconds'])
      const problem = Math.abs(difference) > 1 ? `is off by ${difference} s` : null
      return { id: String(row['id']), spans, problem }
    })
  const saved = new Set(entries.map(({ id }) => id))
  const sessions = rows.sessions
    // A session that is stopped and saved, but not yet removed, does not count again.
    .filter((row) => !(row['end_time'] !== null && saved.has(String(row['id']))))
    .filter(
      (row) => row['end_time'] !== null || isTrue(row['is_running']) || isTrue(row['is_paused']),
    )
    .map((row) => {
      const end = row['end_time'] === null ? at : instant(row['end_time'])
      const open = row['current_pause_start']
      const spans = worked(
        row,
        instant(row['start_time']),
        end,
        open === null ? null : instant(open),
      )
      return { id: String(row['id']), spans, problem: null }
    })
  return [...entries, ...sessions]
}

function worked(row: Row, start: number, end: number, pausedAt: number | null): Span[] {
  const text = row['pauses']
  const pairs: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : []
  const pauses = (Array.isArray(pairs) ? pairs : []).map((pair: unknown) => {
    const [from, to] = Array.isArray(pair) ? pair : []
    return { start: instant(from), end: instant(to) }
  })
  const open = pausedAt === null ? [] : [{ start: pausedAt, end: Infinity }]
  return without([{ start, end }], [...pauses, ...open])
}

/** Returns what pairs of entries count twice. */
function doubled(
  parts: readonly { id: string; spans: Span[] }[],
): { ids: readonly string[]; shared: Span[] }[] {
  return parts.flatMap((part, index) =>
    parts.slice(index + 1).flatMap((other) => {
      const shared = longerThan(both(part.spans, other.spans), TOLERANCE)
      return shared.length > 0 ? [{ ids: [part.id, other.id], shared }] : []
    }),
  )
}

function overlapsIn(works: readonly { spans: Span[] }[][]): number {
  const all = works.map((parts) => union(...parts.map(({ spans }) => spans)))
  return all.reduce(
    (sum, spans, index) =>
      sum +
      all.slice(index + 1).filter((other) => longerThan(both(spans, other), TOLERANCE).length > 0)
        .length,
    0,
  )
}

function seconds(spans: readonly Span[]): number {
  return Math.floor(length(spans) / 1000)
}

function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : NaN
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1
}
