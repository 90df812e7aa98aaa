/** A device of the schedules: it keeps events, presses, and syncs request by request. */
import { idOf } from '#log/event.ts'
import type { Action, Log, LogEvent, Stamp } from '#log/event.ts'
import { foldSession } from '#log/asked.ts'
import { compareBegun } from '#log/fold.ts'
import type { FoldedSession } from '#log/asked.ts'
import type { FoldedTimer } from '#log/fold.ts'
import { join, missingIn } from '#log/join.ts'
import { compareEvents, compareStamps, knowledgeOf, nextEvent, stampAfter } from '#log/order.ts'
import { projectionOf } from '#log/projection.ts'
import type { Ledger, Span } from './ledger.ts'
import { logOf } from './world.ts'
import type { Faults, StoredSession, World } from './world.ts'

const FIRST: Stamp = { milliseconds: 0, count: 0 }

export interface Shown {
  readonly session: string
  readonly timer: FoldedTimer
}
export type RequestFault = () => 'cut before' | 'cut after' | null

export class Device {
  readonly logs = new Map<string, Log>()
  /** Keys of events that are not on the server as far as this device knows. */
  readonly unsent = new Set<string>()
  isOpen = true
  isPressedSinceOpen = true
  sync: Generator<void> | null = null
  readonly name: string
  readonly #world: World
  readonly #ledger: Ledger
  readonly #faults: Faults
  readonly #folded = new Map<string, { log: Log; folded: FoldedSession | null }>()
  /** Keys of events that were sent, even without an answer. They never change. */
  readonly #tried = new Set<string>()
  readonly #versions = new Map<string, number>()
  #closedAt = 0
  #cursor = 0
  #last: Stamp = FIRST

  constructor(name: string, world: World, ledger: Ledger, faults: Faults) {
    this.name = name
    this.#world = world
    this.#ledger = ledger
    this.#faults = faults
  }

  folded(session: string): FoldedSession | null {
    const log = this.logs.get(session) ?? []
    const known = this.#folded.get(session)
    if (known?.log === log) return known.folded
    const folded = foldSession(log)
    this.#folded.set(session, { log, folded })
    return folded
  }

  /** The active timers, the one that the screen shows first. */
  get active(): readonly Shown[] {
    return [...this.logs.keys()]
      .flatMap((session) => this.folded(session) ?? [])
      .filter(({ timer }) => timer !== null)
      .sort(compareBegun)
      .flatMap((folded) => {
        const session = [...this.logs.keys()].find((id) => this.folded(id) === folded)
        return session !== undefined && folded.timer ? { session, timer: folded.timer } : []
      })
  }

  get shown(): Shown | null {
    return this.active[0] ?? null
  }

  /** Appends an event to the record, which is one durable write. */
  append(session: string, action: Action, at = this.#world.now): LogEvent {
    const log = this.logs.get(session) ?? []
    const event = nextEvent(log, this.name, { action, at, now: this.#world.now }, this.#last)
    this.#last = event.stamp
    this.#put(session, [event])
    this.unsent.add(keyOf(session, event))
    return event
  }

  /** Tells the ledger what the screen shows. */
  look(): void {
    const shown = this.shown
    const running = shown?.timer.pausedAt === null ? shown.session : null
    if (this.isOpen) this.#ledger.screen(this.name, this.#world.now, running)
  }

  press(kind: 'pause' | 'resume' | 'stop', ago = 0): LogEvent | null {
    const shown = this.shown
    if (!shown) return null
    this.isPressedSinceOpen = true
    const { session, timer } = shown
    const { now } = this.#world
    const earliest = Math.max(timer.startedAt, ...timer.worked.map(({ start }) => start))
    // An earlier stop is chosen among the times on the screen.
    const at = Math.max(now - Math.min(ago, Math.max(0, now - earliest)), earliest)
    const said = this.says(shown)
    const event = this.append(session, { kind }, at)
    const heard = said.map(({ start, end }) => ({ start, end: Math.min(end, at) }))
    this.#ledger.turn(this.name, session, { id: keyOf(session, event), kind, at, said: heard })
    if (kind === 'stop' && at < now) {
      // Who sets a stop to an earlier time leaves out what the screen said since.
      const region = { start: at, end: now }
      const left = { kind: 'count', boundary: null, spans: [region], isWork: false } as const
      const id = keyOf(session, this.append(session, left))
      this.#ledger.leavesOut(this.name, session, id, region, said)
    }
    this.look()
    return event
  }

  /** Appends anything but a turn and tells the ledger with `note`. */
  decide(session: string, action: Action, note: (id: string) => void): LogEvent {
    const event = this.append(session, action)
    note(keyOf(session, event))
    this.look()
    return event
  }

  /** What the screen says was worked until now. */
  says({ timer }: Shown): Span[] {
    const { now } = this.#world
    return timer.worked
      .map(({ start, end }) => ({ start, end: end === Infinity ? now : end }))
      .filter(({ start, end }) => end > start)
  }

  close(): void {
    this.sync = null
    this.isOpen = false
    this.#closedAt = this.#world.now
  }

  open(): void {
    this.isOpen = true
    this.isPressedSinceOpen = false
    this.look()
  }

  /** Takes in news. If it takes a running timer from the screen, what was shown is appended first. */
  takeIn(session: string, news: Log): void {
    const before = this.shown
    const fresh = missingIn(news, this.logs.get(session) ?? [])
    if (fresh.length === 0) return
    if (before?.timer.pausedAt === null) {
      const known = this.logs.get(session) ?? []
      this.logs.set(session, join(known, fresh))
      const isTaken = this.shown?.session !== before.session
      const isActive = this.active.some((each) => each.session === before.session)
      this.logs.set(session, known)
      if (isTaken) this.#keepShown(before, isActive)
    }
    this.#put(session, fresh)
    for (const event of fresh) this.#ledger.hears(this.name, keyOf(session, event))
    this.look()
  }

  #keepShown(before: Shown, isActive: boolean): void {
    const { session, timer } = before
    const seenUntil = this.isPressedSinceOpen ? this.#world.now : this.#closedAt
    const until = Math.max(seenUntil, timer.startedAt)
    const said = this.says(before).map(({ start, end }) => {
      return { start, end: Math.min(end, seenUntil) }
    })
    if (this.#faults.planted === 'appends no showed') {
      this.#ledger.claims(session, `the screen of ${this.name}`, said, true)
      return
    }
    const event = this.append(session, { kind: isActive ? 'stop' : 'showed' }, until)
    const id = keyOf(session, event)
    if (isActive) this.#ledger.endedByNews(this.name, session, id, until)
    this.#ledger.hears(this.name, id)
    this.#ledger.claims(session, id, said, !isActive)
  }

  /** One round of sync. Between two yields is one request, before or after which it may be cut. */
  *syncOnce(faultOf: RequestFault): Generator<void> {
    const world = this.#world
    function* request<T>(call: () => T): Generator<void, T | 'cut'> {
      yield
      const fault = faultOf()
      if (fault === 'cut before') return 'cut'
      const answer = call()
      yield
      return fault === 'cut after' ? 'cut' : answer
    }
    for (let round = 0; round < 20; round += 1) {
      const pulled = yield* request(() => world.pull(this.#cursor))
      if (pulled === 'cut') return
      const waiting = this.#takePulled(pulled)
      if (waiting.size === 0) return
      for (const session of waiting) {
        for (let tries = 0; tries < 20; tries += 1) {
          const isBlind = this.#faults.planted === 'writes blindly'
          const there = isBlind ? null : yield* request(() => world.read(session))
          if (there === 'cut') return
          if (there) this.takeIn(session, logOf(there))
          if (this.#faults.planted === 'writes anew what it has tried') this.#pressAnew(session)
          const log = this.logs.get(session) ?? []
          if (there && missingIn(log, logOf(there)).length === 0) {
            this.#confirm(session, log, there.version)
            break
          }
          const over = isBlind
            ? (world.documents.get(session)?.version ?? null)
            : (there?.version ?? null)
          for (const event of log) this.#tried.add(keyOf(session, event))
          const fields = fieldsOf(session, log)
          const version = yield* request(() => world.write(session, log, fields, over))
          if (version === 'cut') return
          if (version === null) continue
          this.#confirm(session, log, version)
          break
        }
      }
    }
  }

  /** The planted fault: what was tried without an answer is written as if it was pressed only now. */
  #pressAnew(session: string): void {
    for (const event of this.logs.get(session) ?? []) {
      const key = keyOf(session, event)
      if (!this.unsent.has(key) || !this.#tried.has(key)) continue
      const rest = (this.logs.get(session) ?? []).filter((each) => each !== event)
      const stamp = stampAfter([this.#last], this.#world.now)
      const anew = { ...event, ...knowledgeOf(rest), stamp }
      this.logs.set(session, [...rest, anew].sort(compareEvents))
      this.#last = stamp
    }
  }

  /** Takes in what was pulled and returns the sessions of which the server lacks something. */
  #takePulled({ changed, versions, cursor }: ReturnType<World['pull']>): ReadonlySet<string> {
    for (const document of changed) this.#takeDocument(document)
    this.#cursor = Math.max(this.#cursor, cursor)
    const lacking = new Set([...this.unsent].map(sessionOf))
    if (this.#faults.planted === 'resends nothing') return lacking
    // A document that is older than it was known, or missing: the server was restored.
    for (const [session, version] of this.#versions) {
      if (versions.get(session) !== version) lacking.add(session)
    }
    return lacking
  }

  #takeDocument(document: StoredSession): void {
    const { session, version } = document
    const log = logOf(document)
    this.takeIn(session, log)
    const isLacking = missingIn(this.logs.get(session) ?? [], log).length > 0
    // That the server lacks something is remembered until it is written: the next request may be cut.
    this.#versions.set(session, isLacking ? -1 : version)
  }

  #confirm(session: string, log: Log, version: number): void {
    this.#versions.set(session, version)
    for (const event of log) this.unsent.delete(keyOf(session, event))
  }

  #put(session: string, events: readonly LogEvent[]): void {
    this.logs.set(session, join(this.logs.get(session) ?? [], events))
    for (const { stamp } of events) if (compareStamps(stamp, this.#last) > 0) this.#last = stamp
  }
}

/** Returns the key of an event, which is unique among all sessions. */
export function keyOf(session: string, event: LogEvent): string {
  return `${session} ${idOf(event)}`
}

export function fieldsOf(session: string, log: Log): string {
  const folded = foldSession(log)
  return JSON.stringify(folded && projectionOf(session, folded))
}

function sessionOf(key: string): string {
  return key.slice(0, key.indexOf(' '))
}
