/**
 * A ledger of what is timed on several devices: the session of each task, the presses on it, and so
 * what the server must have. It uses none of the product's code.
 */
import { createLedger, EVER } from '../web/src/test/simulation/ledger.ts'
import type { Work } from '../web/src/test/simulation/ledger.ts'
import { both, length, longerThan, union, without } from '../web/src/test/simulation/spans.ts'
import type { Span } from '../web/src/test/simulation/spans.ts'
import type { Screen } from './walked-device.ts'
import type { Row, Stored, StoredPress } from './walked-rows.ts'

/**
 * Both ends of an interval may be off by a second: times are whole seconds, and clock offsets are
 * estimates.
 */
export const TOLERANCE = 1050
/** A screen may show a timer for this long after its end elsewhere, without a question. */
const NEWS_TOLERANCE = 6000
/** A press is found in a log by its time, which is that of the device that made it. */
const SAME_PRESS_MILLISECONDS = 2000

type TurnKind = 'pause' | 'resume' | 'stop'

/** A press on a screen that was not found in a log yet. */
interface Turn {
  readonly session: string
  readonly key: string
  readonly kind: TurnKind
  readonly at: number
}

export class TimedSessions {
  readonly ledger
  readonly #clock: (instant: number) => string
  /** The work of each task that was not compared yet. */
  readonly #open = new Map<string, string>()
  /** The compared rows, which must not change. */
  #settled = new Map<string, Row>()
  /** What was trimmed of them since. */
  readonly #trimmed = new Map<string, Span[]>()
  /** The presses that no log has shown yet. */
  #turns: readonly Turn[] = []
  /** The keys of presses in the ledger by those of the events in the logs. */
  readonly #keys = new Map<string, string>()
  /** The ids of the sessions that were compared, with all their events. */
  readonly #over = new Set<string>()
  #presses = 0

  /** @param clock formats an instant. */
  constructor(devices: number, clock: (instant: number) => string) {
    this.ledger = createLedger(devices)
    this.#clock = clock
  }

  /** Returns the tasks that were timed since the last comparison. */
  tasks(): readonly string[] {
    return [...this.#open.keys()]
  }

  has(task: string): boolean {
    return this.#open.has(task)
  }

  isSettled(id: string): boolean {
    return this.#settled.has(id)
  }

  workOf(task: string): Work | undefined {
    const id = this.#open.get(task)
    return id === undefined ? undefined : this.ledger.workOf(id)
  }

  /** Returns how long the work on a task may have run until an instant, in milliseconds. */
  worked(task: string, at: number): number {
    const work = this.workOf(task)
    return work ? length(this.ledger.may(work, at)) : 0
  }

  begin(device: number, task: string, at: number): void {
    const session = `${task} ${this.#key()}`
    this.#forgetMoments(task, at)
    this.#open.set(task, session)
    this.ledger.start({ session, startedAt: at, at })
    // A start that fails at once may never be visible; it is asked about nevertheless.
    this.runs(device, task, at)
  }

  /**
   * A session that another start ends within its first second leaves nothing, not even a log that says when it
   * ended. Other screens may show it a little longer.
   */
  #forgetMoments(task: string, at: number): void {
    for (const other of this.tasks()) {
      const startedAt = this.workOf(other)?.startedAt ?? -Infinity
      if (other !== task && at - startedAt < TOLERANCE)
        this.release(other, { start: startedAt, end: at + NEWS_TOLERANCE })
    }
  }

  change(kind: TurnKind, task: string, at: number): void {
    const session = this.#open.get(task)
    if (session === undefined) return
    const turn = { session, key: this.#key(), kind, at }
    this.ledger.turn(session, turn)
    this.#turns = [...this.#turns, turn]
  }

  /** Records that a device shows a timer running, as of a press. */
  runs(device: number, task: string, at: number): void {
    this.see(device, at, { task, isRunning: true })
  }

  see(device: number, at: number, timer: Screen['timer']): void {
    const id = this.#open.get(timer?.task ?? '') ?? ''
    const shown = timer && { id, isRunning: timer.isRunning, worked: null }
    this.ledger.screen(device, at, shown)
  }

  /** Records an answer about time that does not count yet. */
  answer(task: string, isWork: boolean, at: number): void {
    const work = this.workOf(task)
    if (!work) return
    if (isWork) this.ledger.allow(work.session, { start: work.startedAt, end: at })
    else this.release(task, { start: 0, end: at })
  }

  /** Records that time of a task was left out. */
  release(task: string, region: Span = EVER): void {
    const session = this.#open.get(task)
    if (session !== undefined) this.ledger.leaveOut(session, { key: this.#key(), region })
  }

  /** Records that one of two overlapping sessions on a card is trimmed. */
  trim(card: string, at: number): void {
    const works = this.tasks()
      .filter((task) => card.includes(task))
      .flatMap((task) => this.workOf(task) ?? [])
    const [one = [], other = []] = works.map((work) => this.ledger.may(work, at))
    const spans = both(one, other).map(wider)
    // One of the two may have been compared before the other was stopped.
    for (const row of this.#settled.values()) {
      if (!card.includes(row.task)) continue
      const shared = both(row.spans, union(one, other)).map(wider)
      this.#trimmed.set(row.id, [...(this.#trimmed.get(row.id) ?? []), ...shared])
      spans.push(...shared)
    }
    for (const task of this.tasks().filter((each) => card.includes(each)))
      for (const span of spans) this.release(task, span)
  }

  /** Records an answer with unknown effect. */
  releaseAll(): void {
    for (const [task, session] of this.#open) {
      this.release(task)
      this.ledger.allow(session, EVER)
    }
  }

  /** Returns the violations in what the server has, as sentences. */
  problems({ rows, presses }: Stored, now: number): string[] {
    const problems: string[] = []
    this.ledger.close(now)
    this.#hear(presses)
    const added = rows.filter(({ id }) => !this.#settled.has(id))
    const rests = new Set<Row>()
    for (const [id, before] of this.#settled) {
      const row = rows.find((each) => each.id === id)
      // A trim in the middle of a session leaves its rest as a session of its own.
      const after = added.filter((each) => this.#isRestOf(each, before))
      for (const each of after) rests.add(each)
      if (this.#isAsItWas(before, row, after)) continue
      problems.push(`changed: ${rowInWords(before)} is ${row ? rowInWords(row) : 'gone'}`)
    }
    for (const row of added) {
      const isOff = Math.abs(row.seconds - length(row.spans) / 1000) > 1
      if (isOff) problems.push(`seconds: ${rowInWords(row)} has ${row.seconds}`)
    }
    const fresh = added.filter((row) => !rests.has(row))
    for (const row of fresh) {
      if (!this.#open.has(row.task)) problems.push(`stranger: ${rowInWords(row)}`)
    }
    for (const task of this.tasks()) {
      const work = this.workOf(task)
      const its = fresh.filter((row) => row.task === task)
      if (work) problems.push(...this.#problemsOf(work, its, now))
    }
    return problems
  }

  /** Accepts what the server has as final, except for the timer that still runs. */
  settle({ rows, presses }: Stored): void {
    const active = rows.find(({ isRunning }) => isRunning !== null)
    for (const task of this.tasks()) if (task !== active?.task) this.#open.delete(task)
    for (const { task, session } of presses) if (task !== active?.task) this.#over.add(session)
    const over = rows.filter(({ task, id }) => task !== active?.task || this.#settled.has(id))
    this.#settled = new Map(over.map((row) => [row.id, row]))
    this.#trimmed.clear()
  }

  /**
   * Enters what the devices have made by themselves: the end of a start that failed, a stop where another
   * timer begins, and what an undo undoes. It is in the logs on the server.
   */
  #hear(presses: readonly StoredPress[]): void {
    const news = presses.filter(
      ({ key, session }) => !this.#keys.has(key) && !this.#over.has(session),
    )
    for (const { task, key, kind, at } of news) {
      const session = this.#open.get(task)
      if (session === undefined) continue
      const turn = this.#turns.find(
        (each) =>
          each.session === session &&
          each.kind === kind &&
          Math.abs(each.at - at) <= SAME_PRESS_MILLISECONDS,
      )
      this.#turns = this.#turns.filter((each) => each !== turn)
      this.#keys.set(key, turn?.key ?? key)
      if (turn) continue
      if (kind === 'stop' || kind === 'fail') this.ledger.turn(session, { key, kind: 'stop', at })
      if (kind === 'resume') this.ledger.turn(session, { key, kind, at })
    }
    for (const { task, key, kind, of, at } of news) {
      const work = this.workOf(task)
      if (!work || kind !== 'undo') continue
      this.ledger.undo(
        key,
        of.map((each) => this.#keys.get(each) ?? each),
      )
      this.ledger.allow(work.session, { start: work.startedAt, end: at })
    }
  }

  #key(): string {
    this.#presses += 1
    return String(this.#presses)
  }

  /** Returns whether a row is what a trim in the middle of a compared session has left after it. */
  #isRestOf({ task, isRunning, spans }: Row, before: Row): boolean {
    const isWithin = task === before.task && isRunning === null
    return isWithin && this.#trimmed.has(before.id) && without(spans, before.spans).length === 0
  }

  #isAsItWas(before: Row, row: Row | undefined, rests: readonly Row[]): boolean {
    if (row && rests.length === 0 && rowInWords(row) === rowInWords(before)) return true
    const parts = [...(row ? [row] : []), ...rests].map((each) => each.spans)
    const spans = union(...parts)
    const isOnce = length(parts.flat()) === length(spans)
    const gone = without(without(before.spans, spans), this.#trimmed.get(before.id) ?? [])
    const isWithin = gone.length + without(spans, before.spans).length === 0
    return this.#trimmed.has(before.id) && isWithin && isOnce
  }

  #problemsOf(work: Work, rows: readonly Row[], now: number): string[] {
    const problems: string[] = []
    const say = (what: string, spans: readonly Span[]) => {
      const bad = longerThan(spans, TOLERANCE)
      const said = bad.map((span) => `from ${this.#clock(span.start)} to ${this.#clock(span.end)}`)
      if (bad.length > 0) problems.push(`${what}: ${work.session} ${said.join(', ')}`)
    }
    const counted = union(...rows.map(({ spans }) => spans))
    const twice = rows.flatMap((row, index) =>
      rows.slice(index + 1).flatMap((other) => both(row.spans, other.spans)),
    )
    say('doubled', twice)
    say('lost', without(this.ledger.must(work), counted))
    const decided = work.decisions.map(({ region }) => region)
    const shown = without(union(work.shown), [...decided, ...counted])
    say('shown and lost', longerThan(shown, NEWS_TOLERANCE))
    say('invented', without(counted, this.ledger.may(work, now)))
    if (problems.length === 0) return []
    const stored = rows.map(({ spans }) =>
      spans.map(({ start, end }) => `${this.#clock(start)}–${this.#clock(end)}`).join(' '),
    )
    return [...problems, `   stored: ${stored.join(' | ') || 'nothing'}`]
  }
}

/** Widens an interval by a second: times on a screen are whole seconds. */
function wider({ start, end }: Span): Span {
  return { start: start - TOLERANCE, end: end + TOLERANCE }
}

function rowInWords({ task, start, end, spans, seconds, note }: Row): string {
  const [from, to] = [start, end].map((instant) => new Date(instant).toISOString().slice(11, 22))
  return `${task} ${from} – ${to}, ${spans.length} spans, ${seconds} s '${note}'`
}
