/**
 * A device of a simulated world: a browser that is opened, dies, loses its network and has a clock
 * of its own. It enters in the books what is pressed on it, and what its screen then shows.
 */
import { vi } from 'vitest'

import { databaseName } from '#record/database.ts'

import type { Books } from './books.ts'
import { EVER, JUST_AWAKE_MILLISECONDS, LONG_OFF_MILLISECONDS } from './ledger.ts'
import type { Ledger, Shown } from './ledger.ts'
import type { Line, Network } from './network.ts'
import { powerFor } from './power.ts'
import type { Power } from './power.ts'
import {
  answerAll,
  eventsOn,
  forget,
  logsOn,
  offeredBy,
  openPage,
  partOf,
  press,
  shownBy,
  showsOf,
} from './product.ts'
import type { Done, Page, Parts, Press, Undoable } from './product.ts'
import type { Server } from './servers.ts'
import type { Span } from './spans.ts'
import type { VirtualTime } from './virtual-time.ts'

/** How long the toast offers to undo a stop. */
const UNDO_STOP_MILLISECONDS = 10_000
/** How often a device notes that it is awake. */
const AWAKE_MILLISECONDS = 60_000

export interface DeviceOptions {
  /** Plants a bug into a device, to check that the judge finds it. */
  readonly plant?: (parts: Parts) => void
  /** Plants a bug: the message of a dying device counts as shown. */
  readonly isHasty?: boolean
  /** Plants a bug: presses that are confirmed but not made. */
  readonly forgets?: (pressed: Press, earlier: number) => boolean
}

type Listeners = Map<string, () => void>

/** The listeners of the window of the device that was opened last. */
let heard: Listeners = new Map()

/** Gives each device a window of its own, where the product listens. */
export function stubWindows(): void {
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => {
    heard.set(type, listener)
  })
}

/** Where a device is and what it is connected to. */
interface Place {
  readonly name: string
  readonly index: number
  readonly host: string
  readonly server: Server
  /** Returns a name for a page in logs, as random as in the product. */
  readonly newWriter: () => string
  readonly time: VirtualTime
  readonly network: Network
  readonly books: Books
  readonly options: DeviceOptions
  readonly note: (what: string) => void
}

export class Device {
  readonly line: Line
  readonly #place: Place
  readonly #database: string
  readonly #texts = new Map<string, string>()
  #error = 0
  /** The errors of the clock, and since when each holds. */
  readonly #errors: { readonly since: number; readonly error: number }[] = []
  #page: Page | null = null
  #power: Power | null = null
  #listeners: Listeners = new Map()
  #undoable: Undoable = { change: null, stopped: null }
  /** When the stop was pressed that the toast offers to undo. */
  #stoppedAt = 0
  /**
   * Whether an answer has told the clock's error since the device was opened or the clock was set.
   */
  #isClockKnown = false
  /** Whether the page has corrected what it had written before it knew its clock. */
  #isClockWritten = false
  /** Works with presses from a wrong or unknown clock, until an answer corrects the clock. */
  readonly #doubtful = new Set<string>()
  /** When the device was closed and its clock was set, until an answer corrects the clock. */
  #unmeasured: Span[] = []
  /** Works with presses from such a clock, which was set once more before the device was opened again. */
  #setAgain: string[] = []
  #openedAt = 0
  #closedAt = 0
  /** Whether the clock was right when the last page died. */
  #wasRight = true
  /** Until when the device was on, as far as it can know itself. */
  #knownAt = 0
  #pressedAt = 0
  #last: Page | null = null
  #said = ''
  #isSpared = false
  /** The events that were in its record, and those that presses on it have made. */
  readonly #known = new Set<string>()
  readonly #pressedKeys = new Set<string>()
  /** The names of its pages in logs. One may have died at the write that made an event. */
  readonly #writers = new Set<string>()
  /** The logs in its record when their events were last entered. */
  #logs: readonly (string | null)[] = []

  constructor(place: Place) {
    this.#place = place
    this.#database = databaseName(`${place.server.userId} ${place.name}`)
    this.line = {
      isOnline: true,
      faults: new Map(),
      isOn: () => this.#power?.isOn() ?? false,
      die: () => {
        if (!this.#isSpared) this.die('dies at a request')
        return !this.#isSpared
      },
    }
    place.network.connect(place.host, this.line)
  }

  async open(): Promise<void> {
    if (this.#power?.isOn()) return
    const { name, host, time, server, note, index, books, options } = this.#place
    note(`${name}: is opened`)
    // The device cannot tell how long it ran since its last write.
    const writtenAt = this.#power?.writtenAt() ?? 0
    const power = powerFor(this.#database, {
      time: () => time,
      onCut: () => this.die('dies at a write'),
    })
    this.#power = power
    this.#listeners = new Map()
    heard = this.#listeners
    const machine = {
      database: this.#database,
      host,
      name,
      writer: this.#place.newWriter(),
      server,
      texts: this.#texts,
      isOn: power.isOn,
      wall: () => time.now() + this.#error,
      monotonic: time.now,
      errorAt: (instant: number) =>
        this.#errors.findLast(({ since }) => since <= instant)?.error ?? 0,
    }
    this.#isClockKnown = false
    this.#isClockWritten = false
    const onClock = () => {
      this.#isClockKnown = true
      this.#isClockWritten = false
    }
    const page = await openPage(machine, onClock, options.plant)
    this.#page = page
    this.#last = page
    const openedAt = time.now()
    this.#openedAt = openedAt
    const closed = { start: writtenAt, end: openedAt }
    if (this.#errors.some(({ since }) => since >= this.#closedAt && since <= openedAt))
      this.#unmeasured.push(closed)
    for (const id of this.#setAgain) books.enter((ledger) => ledger.clockLost(id))
    this.#setAgain = []
    const knownAt = this.#knownAt
    books.enter((ledger) => ledger.power(index, openedAt, true, knownAt))
    this.#undoable = { change: null, stopped: null }
    const look = () => {
      if (this.#page !== page) return
      // The first write after the answer corrects what was written before it. A device that dies
      // before that write has learned nothing.
      if (this.#isClockKnown && !this.#isClockWritten) {
        this.#isClockWritten = true
        this.#doubtful.clear()
        this.#unmeasured = []
      }
      const { timer, banner } = shownBy(page.record)
      const said = `${name}: shows ${inWords(timer)}${banner ? `, '${banner.text}'` : ''}`
      if (said !== this.#said) note(said)
      this.#said = said
      this.#enterOwn(page)
      const at = time.now()
      const shown = this.#asKnown(page, timer)
      books.enter((ledger) => ledger.screen(index, at, shown))
    }
    page.record.changes.subscribe(look)
    look()
  }

  die(how: string): void {
    const page = this.#page
    if (!page) return
    this.#place.note(`${this.#place.name}: ${how}`)
    this.#page = null
    this.#power?.cut()
    const { books, index, time } = this.#place
    const at = time.now()
    this.#closedAt = at
    // What a page noted by a wrong clock is corrected by its first write after the answer.
    const isCorrected = Math.abs(this.#error) < 1000 || this.#isClockWritten
    this.#wasRight = isCorrected && Math.abs(page.record.clock.now() - at) < 1000
    if (this.#hasNoted()) this.#knownAt = at
    books.enter((ledger) => ledger.power(index, at, false))
    void page.sync.close()
    page.record.close()
  }

  /**
   * Returns whether a page that died has noted when it was on. It does so when it is opened and every minute, but
   * it may have died before that, and by a wrong clock it is not known when that was.
   */
  #hasNoted(): boolean {
    const hasWritten = (this.#power?.writtenAt() ?? 0) >= this.#openedAt
    return (hasWritten && this.#wasRight) || this.#closedAt - this.#openedAt >= AWAKE_MILLISECONDS
  }

  dieAtNextWrite(isLost: boolean): void {
    if (this.#page) this.#power?.cutAtNextWrite(isLost)
  }

  /** Cancels the faults that are planned for the device. */
  spare(): void {
    this.#isSpared = true
    this.line.faults.clear()
    this.#power?.spare()
  }

  setOnline(isOnline: boolean): void {
    if (this.line.isOnline === isOnline) return
    this.line.isOnline = isOnline
    this.#place.note(`${this.#place.name}: ${isOnline ? 'online' : 'offline'}`)
    if (!this.#page) return
    this.#listeners.get(isOnline ? 'online' : 'offline')?.()
    if (isOnline) this.#page.hear.onOpen()
  }

  focus(): void {
    if (this.#page) this.#listeners.get('focus')?.()
  }

  moveClock(milliseconds: number): void {
    this.#error += milliseconds
    this.#errors.push({ since: this.#place.time.now(), error: this.#error })
    this.#place.note(`${this.#place.name}: clock ${milliseconds / 60_000} min`)
    // Earlier presses cannot be told apart from later ones any more.
    this.#loseClock()
    this.#isClockKnown = false
    this.#page?.now()
  }

  hear(event: Parameters<Page['hear']['onEvent']>[0]): void {
    if (this.#page && this.line.isOnline) this.#page.hear.onEvent(event)
  }

  shows() {
    if (!this.#last) throw new Error('The device was never opened')
    return showsOf(this.#last)
  }

  /** Answers every question with yes. */
  async answerAll(): Promise<void> {
    if (!this.#page) return
    const { books, name, note } = this.#place
    for (const { sessionId, spans } of await answerAll(this.#page)) {
      note(`${name}: keeps what is asked of ${sessionId}`)
      for (const span of spans) books.enter((ledger) => ledger.allow(sessionId, span))
    }
  }

  /**
   * Presses a button. Returns whether the screen confirmed the press. When the device dies at the
   * press, only its disk shows whether the change was made.
   */
  async press(pressed: Press, earlier: number): Promise<boolean> {
    const page = this.#page
    if (!page) return false
    const { name, time, note, books, index } = this.#place
    const at = time.now()
    this.#pressedAt = at
    const isClockRight = this.#isClockKnown && Math.abs(page.now() - at) < 1000
    const undoable = { ...this.#undoable }
    // The toast stays for a while, whatever the device's clock says.
    if (at - this.#stoppedAt > UNDO_STOP_MILLISECONDS) undoable.stopped = null
    const gone = this.#untilDeath()
    const entered: (() => void)[] = []
    // A press may end the time that the banner offers.
    const offered = offeredBy(page.record)
    const enter = (done: Done) => {
      for (const { key } of done.made) this.#pressedKeys.add(key)
      const confirm = books.enterUnconfirmed((ledger) => {
        const region = (isClockRight ? done.leftOut : undefined) ?? EVER
        enterPress(ledger, { device: index, at, pressed, done, region, isClockRight })
        ledger.screen(index, at, this.#asKnown(page, done.after))
      })
      entered.push(confirm)
      // A corrected clock is right to a second at most.
      if (this.#errors.length > 0 && done.about)
        books.enter((ledger) => ledger.clockDoubted(done.about ?? ''))
      if (isClockRight) return
      // Nobody can know whether a start was meant so long ago, or as a time that the wrong clock shows.
      if (pressed.kind === 'move') books.enter((ledger) => ledger.clockLost(done.about ?? ''))
      for (const id of [done.about, done.before?.id, offered]) {
        if (!id) continue
        this.#doubtful.add(id)
        books.enter((ledger) => ledger.clockDoubted(id))
      }
    }
    const isForgotten = this.#place.options.forgets?.(pressed, earlier) === true
    const doing = isForgotten ? forget(page) : press(page, pressed, undoable, enter)
    const done = await Promise.race([doing.catch(() => null), gone])
    // The message of a dead device is not seen.
    const isSeen = this.#page === page || this.#place.options.isHasty === true
    if (!done || !isSeen) return false
    if (isForgotten) enter(done)
    for (const confirm of entered) confirm()
    if (undoable.stopped !== this.#undoable.stopped) this.#stoppedAt = at
    this.#undoable = undoable
    note(`${name}: ${pressed.kind} ${done.about ?? ''}`)
    const { timer } = shownBy(page.record)
    const after = this.#asKnown(page, timer)
    books.enter((ledger) => ledger.screen(index, at, after))
    return true
  }

  /** The times on the screen of a device with a wrong clock are not known. */
  #asKnown({ record }: Page, shown: Shown | null): Shown | null {
    const isRight = Math.abs(record.clock.now() - this.#place.time.now()) < 1000
    return shown && (isRight ? shown : { ...shown, worked: null })
  }

  /**
   * Enters the ends that the product has made by itself on this device: after a press that failed, and
   * when news of another timer took this one from the screen.
   */
  #enterOwn({ record }: Page): void {
    const { books, time } = this.#place
    const at = time.now()
    this.#writers.add(record.view.writer)
    const logs = logsOn(record.view).map(({ log }) => log)
    const isSame =
      logs.length === this.#logs.length && logs.every((log, by) => log === this.#logs[by])
    if (isSame) return
    this.#logs = logs
    const events = eventsOn(record.view)
    const keys = new Set(events.map(({ key }) => key))
    for (const key of this.#known) {
      if (keys.has(key)) continue
      this.#known.delete(key)
      this.#place.note(`${this.#place.name}: has forgotten ${key}`)
      // A timer ends where a long sleep began. With no second of work before, nothing of its session is left.
      const [session = ''] = key.split(' ')
      const onUntil = this.#onUntil(at)
      if (onUntil < at && events.every((event) => event.session !== session))
        books.enter((ledger) => ledger.turn(session, { key, kind: 'stop', at: onUntil }))
    }
    for (const event of events) {
      if (this.#known.has(event.key)) continue
      this.#known.add(event.key)
      const { key, session, writer, kind } = event
      if (!this.#writers.has(writer) || this.#pressedKeys.has(key)) continue
      // With a wrong clock only the time of the news is known, or when that page died.
      const isOfThisPage = writer === record.view.writer
      const until = isOfThisPage ? at : this.#closedAt
      const isRight = isOfThisPage ? Math.abs(record.clock.now() - at) < 1000 : this.#wasRight
      const then = isRight ? Math.min(event.at, until) : until
      if (kind === 'stop') books.enter((ledger) => ledger.turn(session, { key, kind, at: then }))
      const wasOnUntil = Math.min(then, this.#onUntil(at))
      // It notes every minute that it is on.
      const failedAt = wasOnUntil === then ? then : wasOnUntil - AWAKE_MILLISECONDS
      const fail = { key, at: failedAt, wasOnUntil }
      if (kind === 'fail') books.enter((ledger) => ledger.fail(session, fail, at))
    }
  }

  /** Returns until when the device was on. After a long time it claims nothing before a press. */
  #onUntil(at: number): number {
    const wasOffLong = this.#openedAt - this.#knownAt >= LONG_OFF_MILLISECONDS
    const hasJustWoken = wasOffLong && at - this.#openedAt < JUST_AWAKE_MILLISECONDS
    return hasJustWoken && this.#pressedAt < this.#openedAt ? this.#knownAt : at
  }

  /** Resolves when the device has died and its remaining work is over. */
  async #untilDeath(): Promise<null> {
    await this.#place.time.settle()
    return this.#page ? new Promise(() => undefined) : null
  }

  #loseClock(): void {
    const closed = [...this.#unmeasured]
    if (closed.length > 0) this.#setAgain.push(...this.#doubtful)
    for (const id of this.#doubtful) this.#place.books.enter((ledger) => ledger.clockLost(id))
    this.#doubtful.clear()
  }
}

function inWords(timer: Shown | null): string {
  return timer ? `${timer.id} ${timer.isRunning ? 'running' : 'paused'}` : 'no timer'
}

/** Enters a press with its effect in the ledger. */
function enterPress(
  ledger: Ledger,
  {
    device,
    at,
    pressed,
    done,
    region,
    isClockRight,
  }: {
    device: number
    at: number
    pressed: Press
    done: Done
    region: Span
    isClockRight: boolean
  },
): void {
  const { before, after, about, made, heard } = done
  // An edit of another session says nothing of the timer.
  if (!before || about === before.id || after?.id !== before.id) ledger.pressed(device, at)
  if (pressed.kind === 'start')
    ledger.start({ session: pressed.id, startedAt: at - pressed.ago, at })
  // A stop that was confirmed and has made nothing.
  if (pressed.kind === 'stop' && before && made.length === 0)
    ledger.turn(before.id, { key: `${before.id} at ${at}`, kind: 'stop', at, device, isClockRight })
  const note = pressed.kind === 'note' || pressed.kind === 'timer note' ? pressed.text : null
  for (const { key, session, kind, of, to, at: begun } of made) {
    switch (kind) {
      case 'start':
        // Of an entry that was deleted meanwhile, the banner's button begins another session.
        if (pressed.kind !== 'start')
          ledger.start({ session, startedAt: isClockRight ? Math.min(begun, at) : at, at })
        break
      case 'pause':
      case 'resume':
      case 'stop': {
        // A start that lies before its press has stopped another timer then.
        const then = pressed.kind === 'start' ? at - pressed.ago : at
        const isOnCard = pressed.kind === 'card' && session !== before?.id
        if (isOnCard) ledger.leaveOut(session, { key, region })
        else ledger.turn(session, { key, kind, at: then, device, isClockRight, heard })
        break
      }
      case 'move':
        if (pressed.kind === 'move') ledger.move(session, { key, at, to: at - pressed.ago, heard })
        break
      case 'set':
        if (note !== null) ledger.note(session, { key, about: about ?? session, text: note, heard })
        break
      case 'cut':
        ledger.cut(session, { key, part: partOf(session, key), to: isClockRight ? to : NaN })
        break
      case 'undo':
        ledger.undo(key, of)
        // Whether the timer ran since its stop, only its owner knows, and says that it did.
        ledger.allow(session, { start: 0, end: at })
        break
      case 'discard':
        ledger.turn(session, { key, kind: 'stop', at, device, isClockRight })
        ledger.leaveOut(session, { key, region: { start: 0, end: at } })
        break
      case 'fail':
        ledger.fail(session, { key, at })
        break
      case 'count':
        // The time since a stop at an earlier instant.
        if (pressed.kind === 'start')
          ledger.leaveOut(session, { key, region: { start: at - pressed.ago, end: at } })
        else ledger.leaveOut(session, { key, region })
        break
      case 'bound':
      case 'delete':
        ledger.leaveOut(session, { key, region, isAll: done.isAllLeftOut })
        break
    }
  }
  if (pressed.kind === 'card' && pressed.answer === 'resume' && after)
    ledger.allow(after.id, { start: 0, end: Number.MAX_SAFE_INTEGER })
}
