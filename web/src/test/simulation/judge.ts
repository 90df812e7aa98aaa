/**
 * Compares the presses with the final state: every second that was worked is in an entry, in the
 * session that still runs, or in a question, and only once. The judge reads the server's rows, not
 * the product's values.
 */
import type { Row } from '../backup.ts'
import type { Ledger, Work } from './ledger.ts'
import { both, length, longerThan, union, without } from './spans.ts'
import type { Span } from './spans.ts'

export interface Rows {
  readonly sessions: readonly Row[]
  readonly entries: readonly Row[]
}

/** A question of a device to its owner about a session. */
export interface Question {
  readonly id: string
  /** The time of the question. All of the session by default. */
  readonly span?: Span
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
  /**
   * Whether every question was answered with yes. Then time may count twice, and in parts without the
   * note of their session.
   */
  readonly isAnswered: boolean
  readonly rows: Rows
  readonly devices: readonly Shows[]
}

export interface Verdict {
  readonly violations: readonly string[]
  /** How many questions are open. */
  readonly questions: number
}

/**
 * Milliseconds by which a stretch may differ. Both ends may be off, because seconds are whole and
 * clocks are learned.
 */
const TOLERANCE = 1050
/** A screen may show a timer for this long after its end elsewhere, without a question. */
const NEWS_TOLERANCE = 6000

/** Returns the violations in words. The list is empty when there are none. */
export function judge(ledger: Ledger, ending: Ending): Verdict {
  const violations: string[] = []
  const say = (what: string) => void violations.push(what)
  const documents = documentsOf(ending)
  ledger.close(ending.at)
  const asked = new Map<string, Span[]>()
  for (const { id, span } of ending.devices.flatMap(({ questions }) => questions))
    asked.set(id, union(asked.get(id) ?? [], [span ?? { start: 0, end: ending.at }]))
  for (const { id, session, problem } of documents) {
    if (problem !== null) say(`seconds: ${id} ${problem}`)
    if (!ledger.workOf(session)) say(`stranger: ${id}, which nobody started`)
  }
  for (const work of ledger.works()) {
    const { session } = work
    const parts = documents.filter((each) => each.session === session)
    const counted = union(...parts.map(({ spans }) => spans))
    const here = union(counted, asked.get(session) ?? [])
    if (ledger.isShownAfterStop(work)) say(`shown after its stop: ${session}`)
    for (const shared of doubled(parts)) say(`doubled: ${session} ${said(shared)}`)
    if (work.isDoubted) {
      if (length(ledger.must(work)) > 2000 && here.length === 0) say(`lost: all of ${session}`)
      continue
    }
    // A corrected clock is right to a second.
    const slack = work.isCorrected ? 1000 : 0
    const missing = longerThan(without(ledger.must(work), here), TOLERANCE + slack)
    if (missing.length > 0) say(`lost${kindOf(work)}: ${session} ${said(missing)}`)
    const shown = longerThan(without(ledger.claimed(work), here), NEWS_TOLERANCE + slack)
    if (shown.length > 0) say(`shown and lost${kindOf(work)}: ${session} ${said(shown)}`)
    const invented = longerThan(without(counted, ledger.may(work, ending.at)), TOLERANCE + slack)
    if (invented.length > 0) say(`invented${kindOf(work)}: ${session} ${said(invented)}`)
  }
  for (const { id, session_id, note, deleted_at } of ending.rows.entries) {
    const session = String(session_id ?? id)
    const work = ledger.workOf(session)
    const texts = work && !ending.isAnswered ? ledger.notesFor(work, String(id)) : []
    if (deleted_at !== null || texts.length === 0 || texts.includes(String(note))) continue
    say(`note lost: ${String(id)} has '${String(note)}' for '${texts.join("' or '")}'`)
  }
  for (const [one, other] of pairsOf(documents.filter(({ isSaved }) => isSaved))) {
    const shared = longerThan(both(one.spans, other.spans), NEWS_TOLERANCE)
    const works = [one, other].map(({ session }) => ledger.workOf(session))
    const isOffered = ending.devices.some(({ overlaps }) =>
      overlaps.some((pair) => pair.includes(one.id) && pair.includes(other.id)),
    )
    // An edit or an earlier start may mean to share time, and a split that was undone is one.
    const isMeant = works.some(
      (work) => !work || kindOf(work) !== '' || work.isDoubted || hasUndoneCut(work),
    )
    const isAllowed = isOffered || isMeant || ending.isAnswered
    if (shared.length > 0 && one.session !== other.session && !isAllowed)
      say(`counted twice: ${one.id} and ${other.id} ${said(shared)}`)
  }
  judgeDevices(ending, say)
  return {
    violations,
    questions: asked.size,
  }

  function hasUndoneCut({ cuts }: Work): boolean {
    return cuts.some(({ key }) => ledger.isUndone(key))
  }

  function said(spans: readonly Span[]): string {
    const start = Math.min(...ledger.works().map(({ startedAt }) => startedAt))
    const at = (instant: number) => `${((instant - start) / 1000).toFixed(1)} s`
    return spans.map((span) => `from ${at(span.start)} to ${at(span.end)}`).join(', ')
  }
}

/** Returns the kind of the affected work, for the text of a violation. */
function kindOf({ moves, decisions }: Work): string {
  if (decisions.length > 0) return ' by edits'
  return moves.length > 0 ? ' by a moved start' : ''
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
  /** The id of the session that it is a part of. */
  readonly session: string
  readonly spans: Span[]
  readonly problem: string | null
  /** Whether it is an entry, and no session. */
  readonly isSaved: boolean
}

function documentsOf({ at, rows }: Ending): DocumentSpans[] {
  const entries = rows.entries
    .filter((row) => row['deleted_at'] === null)
    .map((row) => {
      const spans = worked(row, instant(row['start_time']), instant(row['end_time']), null)
      const difference = length(spans) / 1000 - Number(row['duration_seconds'])
      const problem = Math.abs(difference) > 1 ? `is off by ${difference} s` : null
      const session = String(row['session_id'] ?? row['id'])
      return { id: String(row['id']), session, spans, problem, isSaved: true }
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
      const id = String(row['id'])
      return { id, session: id, spans, problem: null, isSaved: false }
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

/** Returns what pairs of parts of one session count twice. */
function doubled(parts: readonly DocumentSpans[]): Span[][] {
  return pairsOf(parts).flatMap(([part, other]) => {
    const shared = longerThan(both(part.spans, other.spans), TOLERANCE)
    return shared.length > 0 ? [shared] : []
  })
}

function pairsOf<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const))
}

function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : NaN
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1
}
