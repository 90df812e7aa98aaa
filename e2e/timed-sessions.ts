/**
 * A ledger of what is timed on several devices: which session each task's is, what was pressed on it, and so
 * what the server must have of it. It knows nothing of the product's code.
 */
import { createLedger } from '../web/src/test/simulation/ledger.ts'
import type { Rules, Work } from '../web/src/test/simulation/ledger.ts'
import { both, length, longerThan, union, without } from '../web/src/test/simulation/spans.ts'
import type { Span } from '../web/src/test/simulation/spans.ts'
import type { Screen } from './walked-device.ts'
import type { Row } from './walked-rows.ts'

const RULES: Rules = { foldsLatePresses: false, keepsLaterWork: true, asksAboutAwake: false }
/** Both ends of a stretch may be off by a second: seconds are whole, and clocks are learned. */
export const TOLERANCE = 1050
/** Two timers that ran at once for no longer are not asked about. */
const SHORT_OVERLAP = 5000

export class TimedSessions {
  readonly ledger
  readonly #clock: (instant: number) => string
  /** The work of each task that was not compared yet. */
  readonly #open = new Map<string, string>()
  /** The rows that were compared: they stay as they are. */
  #settled = new Map<string, Row>()
  /** What their owner has trimmed of them since. */
  readonly #trimmed = new Map<string, Span[]>()
  /** What ran at once on two devices, and whose owner has kept both. */
  readonly #keptTwice = new Set<string>()
  #works = 0

  /** `clock` says an instant in words. */
  constructor(devices: number, clock: (instant: number) => string) {
    this.ledger = createLedger(devices)
    this.#clock = clock
  }

  /** The tasks that were timed since all was compared. */
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

  begin(device: number, task: string, at: number): void {
    this.#works += 1
    const id = `${task} ${this.#works}`
    this.#open.set(task, id)
    this.ledger.start({ device, at, startedAt: at, id, taskId: task })
    // One that fails at once may never be seen, and is offered all the same.
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

  /** What is asked about may be there or not: of a start that had failed, or after the session had ended elsewhere. */
  answer(
    work: Work,
    answer: 'Keep' | 'Discard',
    { isUntimed, at }: { isUntimed: boolean; at: number },
  ): void {
    const stop = work.events.findLast(({ kind, isTakenBack }) => kind === 'stop' && !isTakenBack)
    // It is offered up to what came after it.
    if (answer === 'Keep' && isUntimed && stop) {
      this.ledger.release(work.name, { start: stop.at, end: at })
    }
    if (answer === 'Discard') {
      const start = isUntimed ? work.startedAt : this.#endOf(work)
      this.ledger.release(work.name, { start, end: at })
    }
  }

  /** A card names two sessions that share time, and both stay. */
  keepTwice(card: string): void {
    for (const [task, id] of this.#open) if (card.split(task).length > 2) this.#keptTwice.add(id)
  }

  /** A card names two sessions that share time, and one of them is trimmed. */
  trim(card: string, at: number): void {
    const works = this.tasks()
      .filter((task) => card.includes(task))
      .flatMap((task) => this.workOf(task) ?? [])
    const [one = [], other = []] = works.map((work) => this.ledger.may(work, at, RULES))
    const spans = both(one, other).map(wider)
    // One of the two may have been compared before the other one was stopped.
    for (const row of this.#settled.values()) {
      if (!card.includes(row.task)) continue
      const shared = both(row.spans, union(one, other)).map(wider)
      this.#trimmed.set(row.id, [...(this.#trimmed.get(row.id) ?? []), ...shared])
      spans.push(...shared)
    }
    for (const { name } of works) for (const span of spans) this.ledger.release(name, span)
  }

  /** Something was answered of which nothing is known. */
  releaseAll(): void {
    for (const id of this.#open.values()) this.ledger.release(id)
  }

  /** What is wrong with the rows, in words. */
  problems(rows: readonly Row[], now: number): string[] {
    const problems: string[] = []
    for (const [id, before] of this.#settled) {
      const row = rows.find((each) => each.id === id)
      if (this.#isAsItWas(before, row)) continue
      problems.push(`changed: ${rowInWords(before)} is ${row ? rowInWords(row) : 'gone'}`)
    }
    const fresh = rows.filter(({ id }) => !this.#settled.has(id))
    for (const row of fresh) {
      const isOff = Math.abs(row.seconds - length(row.spans) / 1000) > 1
      if (isOff) problems.push(`seconds: ${rowInWords(row)} has ${row.seconds}`)
      if (!this.#open.has(row.task)) problems.push(`stranger: ${rowInWords(row)}`)
    }
    for (const task of this.tasks()) {
      const work = this.workOf(task)
      const its = fresh.filter((row) => row.task === task)
      if (work) problems.push(...this.#problemsOf(work, its, now))
    }
    return problems
  }

  /** What was compared stays as it is, but for the timer that still runs. */
  settle(rows: readonly Row[]): void {
    const active = rows.find(({ isRunning }) => isRunning !== null)
    for (const task of this.tasks()) if (task !== active?.task) this.#open.delete(task)
    const over = rows.filter(({ task, id }) => task !== active?.task || this.#settled.has(id))
    this.#settled = new Map(over.map((row) => [row.id, row]))
    this.#trimmed.clear()
  }

  #isAsItWas(before: Row, row: Row | undefined): boolean {
    if (row && rowInWords(row) === rowInWords(before)) return true
    const spans = row?.spans ?? []
    const gone = without(without(before.spans, spans), this.#trimmed.get(before.id) ?? [])
    return this.#trimmed.has(before.id) && gone.length + without(spans, before.spans).length === 0
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
    // Taken up again on one device while another went on with it, it ran at once on both: that is asked about from
    // five seconds on, and its owner may have kept both.
    const ranTwice =
      work.begun.length > 1 && new Set(work.events.map(({ device }) => device)).size > 1
    const kept = this.#keptTwice.has(work.name)
    say('doubled', kept ? [] : longerThan(twice, ranTwice ? SHORT_OVERLAP : 0))
    // A pause counts from its press, also while another device has not heard of it and shows the timer running. It is
    // not certain that what had been started elsewhere before has ended this work: that start may have failed.
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

  /** When a work was ended for the first time: stopped, or by the start of another one. */
  #endOf(work: Work): number {
    const ends = work.events.filter(({ kind }) => kind === 'stop').map(({ at }) => at)
    const others = this.ledger
      .works()
      .filter((other) => other !== work)
      .flatMap(({ begun }) => begun.filter((at) => at > work.startedAt))
    return Math.min(...ends, ...others)
  }
}

/** When a work was paused, by whatever device, up to the next press that ends the pause. */
function pausesOf({ events }: Work, now: number): Span[] {
  const pressed = events.filter((event) => !event.isTakenBack).toSorted((a, b) => a.at - b.at)
  return pressed.flatMap(({ kind, at }, index) => {
    if (kind !== 'pause') return []
    const next = pressed.slice(index + 1).find((event) => event.kind !== 'pause')
    return [{ start: at, end: next?.at ?? now }]
  })
}

/** Times on a screen are of whole seconds. */
function wider({ start, end }: Span): Span {
  return { start: start - TOLERANCE, end: end + TOLERANCE }
}

function rowInWords({ task, start, end, spans, seconds, note }: Row): string {
  const [from, to] = [start, end].map((instant) => new Date(instant).toISOString().slice(11, 22))
  return `${task} ${from} – ${to}, ${spans.length} spans, ${seconds} s '${note}'`
}
