/**
 * The books of a schedule: what was pressed at which true time, and what the screen then said. It
 * judges the final state. It uses nothing of the product, not even its arithmetic.
 */
export interface Span {
  start: number
  end: number
}
type TurnKind = 'pause' | 'resume' | 'stop'

interface Claim {
  readonly id: string
  /** What the screen said was worked, or what its owner has added. */
  readonly said: readonly Span[]
  /** Whether it was said without a press. Then less than five seconds are not asked about. */
  readonly isShown: boolean
}
interface Turn {
  readonly id: string
  readonly kind: TurnKind
  readonly at: number
}
interface Decision {
  readonly id: string
  /** The time that its owner has left out. */
  readonly region: Span
  readonly said: readonly Span[]
  readonly heard: ReadonlySet<string>
}
interface Move {
  readonly id: string
  readonly to: number
  readonly heard: ReadonlySet<string>
}
interface Work {
  readonly session: string
  readonly startedAt: number
  readonly pressedAt: number
  readonly turns: Turn[]
  readonly claims: Claim[]
  readonly decisions: Decision[]
  readonly moves: Move[]
  /** Time that may count although no press has it. */
  readonly allowed: Span[]
  /** When a screen showed it running. */
  readonly shown: Span[]
}
/** The state at the end, as a screen says it. */
export interface Outcome {
  readonly session: string
  /** The work of each part that counts, or of the timer. */
  readonly counted: readonly (readonly Span[])[]
  /** What its owner is asked about, an unfinished session included. */
  readonly asked: readonly Span[]
}

/** Shorter spans are of no interest, in milliseconds. */
const TOLERANCE = 1000
const SHOWN_TOLERANCE = 5000

export class Ledger {
  presses = 0
  readonly #works = new Map<string, Work>()
  readonly #heard = new Map<string, Set<string>>()
  readonly #undone: { readonly id: string; readonly of: readonly string[] }[] = []
  readonly #added = new Map<string, { spans: readonly Span[]; heard: ReadonlySet<string> }>()
  readonly #screens = new Map<string, { session: string | null; since: number }>()

  get sessions(): number {
    return this.#works.size
  }

  hears(device: string, id: string): void {
    this.#heardBy(device).add(id)
  }

  start(device: string, id: string, session: string, startedAt: number, now: number): void {
    this.#press(device, id)
    const allowed = [{ start: startedAt, end: now }]
    const lists = { turns: [], claims: [], decisions: [], moves: [], shown: [] }
    const times = { startedAt, pressedAt: now }
    this.#works.set(session, { session, ...times, ...lists, allowed })
  }

  turn(device: string, session: string, press: Turn & { readonly said: readonly Span[] }): void {
    this.#press(device, press.id)
    this.#work(session).turns.push(press)
    this.claims(session, press.id, press.said)
  }

  /** A screen said this, and nothing may take it away without its owner. */
  claims(session: string, id: string, said: readonly Span[], isShown = false): void {
    this.#work(session).claims.push({ id, said, isShown })
  }

  /** The device has ended a timer by itself, because news took it from the screen. */
  endedByNews(device: string, session: string, id: string, at: number): void {
    this.hears(device, id)
    this.#work(session).turns.push({ id, kind: 'stop', at })
  }

  move(device: string, session: string, id: string, to: number, now: number): void {
    const heard = new Set(this.#heardBy(device))
    this.#press(device, id)
    const work = this.#work(session)
    work.moves.push({ id, to, heard })
    work.allowed.push({ start: to, end: now })
  }

  adds(device: string, session: string, id: string, spans: readonly Span[]): void {
    this.#added.set(id, { spans, heard: new Set(this.#heardBy(device)) })
    this.#press(device, id)
    this.#work(session).allowed.push(...spans)
    this.claims(session, id, spans)
  }

  /** Anything that leaves time and claims as they are. */
  other(device: string, id: string): void {
    this.#press(device, id)
  }

  leavesOut(
    device: string,
    session: string,
    id: string,
    region: Span,
    said: readonly Span[],
  ): void {
    const heard = new Set(this.#heardBy(device))
    this.#press(device, id)
    this.#work(session).decisions.push({ id, region, said, heard })
  }

  /** What ended a session counts no more: the timer may have run since then. */
  undoes(
    device: string,
    session: string,
    id: string,
    of: readonly string[],
    since: Span | null,
  ): void {
    this.#press(device, id)
    this.#undone.push({ id, of })
    if (since) this.#work(session).allowed.push(since)
  }

  allows(session: string, span: Span): void {
    this.#work(session).allowed.push(span)
  }

  /** The screen of a device from now on. */
  screen(device: string, now: number, running: string | null): void {
    const known = this.#screens.get(device)
    if (known?.session === running) return
    if (known?.session) this.#work(known.session).shown.push({ start: known.since, end: now })
    this.#screens.set(device, { session: running, since: now })
  }

  /** Returns what is wrong at the end, in sentences. */
  judge(outcomes: readonly Outcome[], now: number): string[] {
    for (const device of this.#screens.keys()) {
      const known = this.#screens.get(device)
      if (known?.session) {
        this.#work(known.session).shown.push({ start: known.since, end: now })
        known.since = now
      }
    }
    return [...this.#works.values()].flatMap((work) => {
      const outcome = outcomes.find(({ session }) => session === work.session)
      return this.#judgeWork(
        work,
        outcome ?? { session: work.session, counted: [], asked: [] },
        now,
      )
    })
  }

  #judgeWork(work: Work, { counted, asked }: Outcome, now: number): string[] {
    const wrong: string[] = []
    const say = (what: string, spans: readonly Span[], tolerance = TOLERANCE) => {
      const long = spans.filter((span) => span.end - span.start > tolerance)
      if (long.length > 0) wrong.push(`${what} in ${work.session}: ${this.#textOf(long, work)}`)
    }
    counted.forEach((one, index) => {
      for (const other of counted.slice(index + 1)) say('counted twice', shared(one, other))
    })
    const all = merged(counted.flat())
    const here = merged([...all, ...asked])
    const decisions = work.decisions.filter(({ id }) => !this.#isUndone(id))
    const must = this.#mustCount(work, now)
    const regions = decisions.map(({ region }) => region)
    say('lost', minus(minus(must, regions), here))
    const startedAt = this.#startOf(work)
    for (const { id, said, isShown } of work.claims) {
      if (work.moves.some((move) => move.id === id) && this.#isUndone(id)) continue
      const released = decisions.flatMap((each) =>
        each.heard.has(id) ? [each.region] : shared([each.region], each.said),
      )
      // What was added and is taken back again was said only by who had heard of it.
      for (const [add, { spans, heard }] of this.#added) {
        const isOfHere = add.startsWith(`${work.session} `)
        if (isOfHere && this.#isUndone(add) && !heard.has(id)) released.push(...spans)
      }
      if (!this.#isPassedOver(work, id)) released.push({ start: -Infinity, end: startedAt })
      const missing = minus(minus(said, released), here)
      say(`claimed by ${id} and lost`, missing, isShown ? SHOWN_TOLERANCE : TOLERANCE)
    }
    const claimed = work.claims.flatMap(({ said }) => said)
    say('invented', minus(all, [...must, ...work.shown, ...work.allowed, ...claimed]))
    return wrong
  }

  /** The turns of all devices in order of true time, as one person at one device presses them. */
  #mustCount(work: Work, now: number): Span[] {
    const startedAt = this.#startOf(work)
    const move = this.#moveOf(work)
    // Who moves the start past a press that he has seen leaves the timer as the press has left it.
    const turns = work.turns
      .filter(({ id, at }) => (at >= startedAt || move?.heard.has(id)) && !this.#isUndone(id))
      .map((turn) => ({ ...turn, at: Math.max(turn.at, startedAt), pressedAt: turn.at }))
      .sort((a, b) => a.pressedAt - b.pressedAt)
    const spans: Span[] = []
    let since: number | null = startedAt
    for (const { kind, at } of turns) {
      if (kind === 'resume') since ??= at
      else {
        if (since !== null) spans.push({ start: since, end: at })
        since = null
        if (kind === 'stop') return spans
      }
    }
    const shownUntil = Math.max(work.pressedAt, ...work.shown.map(({ end }) => end))
    return since === null ? spans : [...spans, { start: since, end: Math.min(now, shownUntil) }]
  }

  /** Returns whether it is a stop, and the start was moved past it by somebody who had not heard of it. */
  #isPassedOver(work: Work, id: string): boolean {
    const move = this.#moveOf(work)
    const stop = work.turns.find((turn) => turn.id === id && turn.kind === 'stop')
    return move !== undefined && !move.heard.has(id) && (stop?.at ?? Infinity) < move.to
  }

  #startOf(work: Work): number {
    return this.#moveOf(work)?.to ?? work.startedAt
  }

  #moveOf({ moves }: Work): Move | undefined {
    return moves.findLast(({ id }) => !this.#isUndone(id))
  }

  #isUndone(id: string): boolean {
    return this.#undone.some((undo) => undo.of.includes(id) && !this.#isUndone(undo.id))
  }

  #press(device: string, id: string): void {
    this.presses += 1
    this.hears(device, id)
  }

  #heardBy(device: string): Set<string> {
    const heard = this.#heard.get(device) ?? new Set()
    this.#heard.set(device, heard)
    return heard
  }

  #work(session: string): Work {
    const work = this.#works.get(session)
    if (!work) throw new Error(`The ledger has no session ${session}.`)
    return work
  }

  #textOf(spans: readonly Span[], { startedAt }: Work): string {
    const seconds = (instant: number) => ((instant - startedAt) / 1000).toFixed(1)
    return spans.map(({ start, end }) => `${seconds(start)} to ${seconds(end)} s`).join(', ')
  }
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans
    .filter((each) => each.end > each.start)
    .sort((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else all.push({ ...span })
  }
  return all
}

function minus(spans: readonly Span[], taken: readonly Span[]): Span[] {
  let left = merged(spans)
  for (const { start, end } of taken) {
    left = left
      .flatMap((span) => [
        { start: span.start, end: Math.min(span.end, start) },
        { start: Math.max(span.start, end), end: span.end },
      ])
      .filter((span) => span.end > span.start)
  }
  return left
}

function shared(some: readonly Span[], others: readonly Span[]): Span[] {
  return minus(some, minus(some, others))
}
