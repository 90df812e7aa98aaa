/**
 * A ledger of what is timed on several devices: the session of each task, the presses on it, and so
 * what the server must have. It uses none of the product's code.
 */
import { createLedger } from '../web/src/test/simulation/ledger.ts'
import type { Rules } from '../web/src/test/simulation/ledger.ts'
import { running } from '../web/src/test/simulation/work.ts'
import type { Work } from '../web/src/test/simulation/work.ts'
import { both, length, longerThan, union, without } from '../web/src/test/simulation/spans.ts'
import type { Span } from '../web/src/test/simulation/spans.ts'
import type { Screen } from './walked-device.ts'
import type { Row } from './walked-rows.ts'

const RULES: Rules = { foldsLatePresses: false, keepsLaterWork: true, asksAboutAwake: false }
/**
 * Both ends of an interval may be off by a second: times are whole seconds, and clock offsets are
 * estimates.
 */
export const TOLERANCE = 1050
/** A shorter overlap of two timers is not offered for trimming. */
const SHORT_OVERLAP = 5000

export class TimedSessions {
  readonly ledger
  readonly #clock: (instant: number) => string
  /** The work of each task that was not compared yet. */
  readonly #open = new Map<string, string>()
  /** The compared rows, which must not change. */
  #settled = new Map<string, Row>()
  /** What was trimmed of them since. */
  readonly #trimmed = new Map<string, Span[]>()
  /** Sessions that overlapped on two devices, whose owner kept both. */
  readonly #keptTwice = new Set<string>()
  #works = 0

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

  /** Returns how long the work on a task ran until an instant, in milliseconds, as all devices pressed. */
  worked(task: string, at: number): number {
    const work = this.workOf(task)
    return work ? length(running(work, at)) : 0
  }

  begin(device: number, task: string, at: number): void {
    this.#works += 1
    const id = `${task} ${this.#works}`
    this.#open.set(task, id)
    this.ledger.start({ device, at, startedAt: at, id, taskId: task })
    // A start that fails at once may never be visible; it is offered nevertheless.
    this.ledger.screen(device, at, { id, isRunning: true }, null)
  }

  change(kind: 'pause' | 'resume' | 'stop', device: number, task: string, at: number): void {
    const id = this.#open.get(task)
    if (id !== undefined) this.ledger.change(kind, { device, at, id })
  }

  see(device: number, at: number, timer: Screen['timer'], banner: Screen['banner']): void {
    const shown = timer && { id: this.#open.get(timer.task) ?? '', isRunning: timer.isRunning }
    this.ledger.screen(device, at, shown, banner)
  }

  /**
   * Records an answer about time that may or may not exist: of a failed start, or after the session
   * ended elsewhere.
   */
  answer(
    work: Work,
    answer: 'Keep' | 'Discard',
    { isUntimed, at }: { isUntimed: boolean; at: number },
  ): void {
    const stop = work.events.findLast(({ kind, isTakenBack }) => kind === 'stop' && !isTakenBack)
    // It is offered up to the next event.
    if (answer === 'Keep' && isUntimed && stop) {
      this.ledger.release(work.name, { start: stop.at, end: at })
    }
    // A device that only showed it asks about the time until it heard of the end.
    if (answer === 'Keep' && !isUntimed) {
      this.ledger.accept(work.name, { start: this.#endOf(work), end: at })
    }
    if (answer === 'Discard') {
      const start = isUntimed ? work.startedAt : this.#endOf(work)
      this.ledger.release(work.name, { start, end: at })
    }
  }

  /** Records that both of two overlapping sessions on a card are kept. */
  keepTwice(card: string): void {
    for (const [task, id] of this.#open) if (card.split(task).length > 2) this.#keptTwice.add(id)
  }

  /** Records that one of two overlapping sessions on a card is trimmed. */
  trim(card: string, at: number): void {
    const works = this.tasks()
      .filter((task) => card.includes(task))
      .flatMap((task) => this.workOf(task) ?? [])
    const [one = [], other = []] = works.map((work) => this.ledger.may(work, at, RULES))
    const spans = both(one, other).map(wider)
    // One of the two may have been compared before the other was stopped.
    for (const row of this.#settled.values()) {
      if (!card.includes(row.task)) continue
      const shared = both(row.spans, union(one, other)).map(wider)
      this.#trimmed.set(row.id, [...(this.#trimmed.get(row.id) ?? []), ...shared])
      spans.push(...shared)
    }
    for (const { name } of works) for (const span of spans) this.ledger.release(name, span)
  }

  /** Records an answer with unknown effect. */
  releaseAll(): void {
    for (const id of this.#open.values()) this.ledger.release(id)
  }

  /** Returns the violations in the rows, as sentences. */
  problems(rows: readonly Row[], now: number): string[] {
    const problems: string[] = []
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

  /** Accepts the rows as final, except for the timer that still runs. */
  settle(rows: readonly Row[]): void {
    const active = rows.find(({ isRunning }) => isRunning !== null)
    for (const task of this.tasks()) if (task !== active?.task) this.#open.delete(task)
    const over = rows.filter(({ task, id }) => task !== active?.task || this.#settled.has(id))
    this.#settled = new Map(over.map((row) => [row.id, row]))
    this.#trimmed.clear()
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
      if (bad.length > 0) problems.push(`${what}: ${work.name} ${said.join(', ')}`)
    }
    const counted = union(...rows.map(({ spans }) => spans))
    const twice = rows.flatMap((row, index) =>
      rows.slice(index + 1).flatMap((other) => both(row.spans, other.spans)),
    )
    // If one device resumed it while another continued it, it ran on both at once. An overlap of
    // five seconds or more is offered, and its owner may have kept both.
    const ranTwice =
      work.begun.length > 1 && new Set(work.events.map(({ device }) => device)).size > 1
    const kept = this.#keptTwice.has(work.name)
    say('doubled', kept ? [] : longerThan(twice, ranTwice ? SHORT_OVERLAP : 0))
    // A pause counts from its press, even if another device has not received it and shows the timer
    // running. An earlier start on another device has not certainly ended this work, since that
    // start may have failed.
    const must = without(this.ledger.must(work, now, RULES), pausesOf(work, now))
    say('lost', without(must, counted))
    say('invented', without(counted, this.ledger.may(work, now, RULES)))
    say('pause counted', both(counted, this.ledger.paused(work)))
    if (problems.length === 0) return []
    const stored = rows.map(({ spans }) =>
      spans.map(({ start, end }) => `${this.#clock(start)}–${this.#clock(end)}`).join(' '),
    )
    return [...problems, `   stored: ${stored.join(' | ') || 'nothing'}`]
  }

  /** Returns when a work first ended: by a stop, or by the start of another one. */
  #endOf(work: Work): number {
    const ends = work.events.filter(({ kind }) => kind === 'stop').map(({ at }) => at)
    const others = this.ledger
      .works()
      .filter((other) => other !== work)
      .flatMap(({ begun }) => begun.filter((at) => at > work.startedAt))
    return Math.min(...ends, ...others)
  }
}

/** Returns when a work was paused on any device, up to the next press that ends the pause. */
function pausesOf({ events }: Work, now: number): Span[] {
  const pressed = events.filter((event) => !event.isTakenBack).toSorted((a, b) => a.at - b.at)
  return pressed.flatMap(({ kind, at }, index) => {
    if (kind !== 'pause') return []
    const next = pressed.slice(index + 1).find((event) => event.kind !== 'pause')
    return [{ start: at, end: next?.at ?? now }]
  })
}

/** Widens an interval by a second: times on a screen are whole seconds. */
function wider({ start, end }: Span): Span {
  return { start: start - TOLERANCE, end: end + TOLERANCE }
}

function rowInWords({ task, start, end, spans, seconds, note }: Row): string {
  const [from, to] = [start, end].map((instant) => new Date(instant).toISOString().slice(11, 22))
  return `${task} ${from} – ${to}, ${spans.length} spans, ${seconds} s '${note}'`
}
