/**
 * A ledger of the presses: the true time, and what the screens then showed. It uses no code of the
 * product. The time that must be counted, and the time that may be counted, are computed from it.
 */
import { ordersWithin } from './orders.ts'
import { both, union, without } from './spans.ts'
import type { Span } from './spans.ts'

/** What a device shows of the timer. */
export interface Shown {
  readonly id: string
  readonly isRunning: boolean
  /**
   * When it was worked as the screen says, in true time. The last span of a running timer has no end.
   * Null with a wrong clock, whose times are not known.
   */
  readonly worked: readonly Span[] | null
}

type TurnKind = 'pause' | 'resume' | 'stop'

interface Turn {
  readonly key: string
  readonly kind: TurnKind
  /** True time. */
  readonly at: number
  /** The device on which it was pressed; left out where a device ended the timer by itself. */
  readonly device?: number
  /** Whether the device knew the time. */
  readonly isClockRight?: boolean
  /** What its device had heard of. */
  readonly heard?: ReadonlySet<string>
}
/** A start that has failed on its device. */
interface Fail {
  readonly key: string
  /** True time: until then its device must know that it was on. */
  readonly at: number
  /** Until when it was on. */
  readonly wasOnUntil?: number
}
/** The owner has left out this time: a trim, a deletion, a discard, time away. */
interface Decision {
  readonly key: string
  readonly region: Span
  /** Nothing of the work was saved but this. */
  readonly isAll?: boolean | undefined
}
interface Move {
  readonly key: string
  /** When it was pressed, in true time. */
  readonly at: number
  readonly to: number
  readonly heard: ReadonlySet<string>
}
interface Note {
  readonly key: string
  /** The id of the entry, or of the session. */
  readonly about: string
  readonly text: string
  readonly heard: ReadonlySet<string>
}
/** A split, and the id of the entry that begins there. */
interface Cut {
  readonly key: string
  readonly part: string
  /** Where, in epoch milliseconds. NaN if its device had a wrong clock. */
  readonly to: number
}
/** A stretch in which a device showed a timer as running, while it was on. */
interface ShownSpan extends Span {
  readonly device: number

  /** Whether the device had just been opened after a long time, and nothing was pressed on it. */
  readonly isIdle: boolean
}

/** All work of one session. */
export interface Work {
  readonly session: string
  readonly startedAt: number
  readonly pressedAt: number
  readonly turns: Turn[]
  readonly fails: Fail[]
  readonly decisions: Decision[]
  readonly moves: Move[]
  readonly notes: Note[]
  readonly cuts: Cut[]
  readonly shown: ShownSpan[]
  /** What screens said was worked, until a press or news ended that. */
  readonly claims: Span[]
  /** Time that may count although no press has it. */
  readonly allowed: Span[]
  /** A press came from a clock that was wrong and is corrected, to a second. */
  isCorrected: boolean
  /** An instant of it can be known by nobody: a clock was set while its device was closed. */
  isDoubted: boolean
}

interface DeviceBook {
  shown: Shown | null
  since: number
  isOn: boolean
  /** What it showed when it was opened after a long time, and when that was. */
  woke: { readonly id: string | undefined; readonly at: number } | null
  pressedAt: number
}

export const EVER: Span = { start: 0, end: Number.MAX_SAFE_INTEGER }
/**
 * A device that was off for this long knows nothing of the time in between: 30 minutes from when it last noted
 * that it is awake, which it does every minute.
 */
export const LONG_OFF_MILLISECONDS = 29 * 60_000
/** A clock that was corrected is right to this. */
const PRECISION_MILLISECONDS = 1000
/** Until then it claims nothing, unless something is pressed on its timer. */
export const JUST_AWAKE_MILLISECONDS = 120_000

/** Returns an empty ledger for so many devices. */
export function createLedger(devices: number) {
  const works = new Map<string, Work>()
  const undone: { readonly key: string; readonly of: readonly string[] }[] = []
  const books = Array.from({ length: devices }, (): DeviceBook => ({
    shown: null,
    since: 0,
    isOn: true,
    woke: null,
    pressedAt: -Infinity,
  }))
  const on = (session: string, write: (work: Work) => void) => {
    const work = works.get(session)
    if (work) write(work)
  }

  return {
    works: () => [...works.values()],
    workOf: (session: string) => works.get(session),

    start({ session, startedAt, at }: { session: string; startedAt: number; at: number }): void {
      const lists = {
        turns: [],
        fails: [],
        decisions: [],
        moves: [],
        notes: [],
        cuts: [],
        shown: [],
        claims: [],
      }
      const allowed = [{ start: startedAt, end: at }]
      const flags = { isCorrected: false, isDoubted: false }
      works.set(session, { session, startedAt, pressedAt: at, ...lists, allowed, ...flags })
    },

    /** Enters a press of Pause, Resume or Stop, or a stop that a device has made by itself. */
    turn: (session: string, turn: Turn) => on(session, ({ turns }) => turns.push(turn)),

    /** Enters that a start has failed, so that any of its time may count if its owner says so. */
    fail(session: string, fail: Fail, now = fail.at): void {
      on(session, ({ fails, allowed }) => {
        fails.push(fail)
        allowed.push({ start: 0, end: now })
      })
    },

    move(session: string, move: Move): void {
      on(session, ({ moves, allowed }) => {
        moves.push(move)
        allowed.push({ start: move.to, end: move.at })
      })
    },

    leaveOut: (session: string, decision: Decision) =>
      on(session, ({ decisions }) => decisions.push(decision)),

    /** The owner says that this time was worked, or that it may have been. */
    allow: (session: string, span: Span) => on(session, ({ allowed }) => allowed.push(span)),

    /** Enters that events do not count any more. */
    undo: (key: string, of: readonly string[]) => void undone.push({ key, of }),

    note: (session: string, note: Note) => on(session, ({ notes }) => notes.push(note)),

    cut: (session: string, cut: Cut) => on(session, ({ cuts }) => cuts.push(cut)),

    /** Enters that something was pressed on the timer that a device shows. */
    pressed(device: number, at: number): void {
      bookOf(device).pressedAt = at
    },

    /** Sets what a device shows of the timer from now on. */
    screen(device: number, at: number, shown: Shown | null): void {
      const book = bookOf(device)
      // News may change what it says while it runs on.
      const goesOn = book.shown?.id === shown?.id && book.shown?.isRunning && shown?.isRunning
      if (!goesOn) {
        endShown(book, at, true)
        book.since = at
      }
      book.shown = shown
    },

    /** Switches a device off or on. `knownAt` is when it was on last, as far as it can know itself. */
    power(device: number, at: number, isOn: boolean, knownAt = at): void {
      const book = bookOf(device)
      endShown(book, at, false)
      if (isOn && at - knownAt >= LONG_OFF_MILLISECONDS) book.woke = { id: book.shown?.id, at }
      book.since = at
      book.isOn = isOn
    },

    /** Enters that a press on the work came from a clock that was wrong, and is corrected. */
    clockDoubted: (session: string) => on(session, (work) => (work.isCorrected = true)),

    /** Enters that nobody can know an instant of the work. */
    clockLost: (session: string) => on(session, (work) => (work.isDoubted = true)),

    /** Ends what the devices show. Must be called once, before the ledger is judged. */
    close(at: number): void {
      for (const book of books) {
        endShown(book, at, false)
        book.since = at
      }
    },

    isUndone,

    /** Returns whether a device has shown a timer as running after Stop was pressed on it there. */
    isShownAfterStop: (work: Work): boolean =>
      countingTurns(work).some(
        (turn) =>
          turn.kind === 'stop' &&
          turn.device !== undefined &&
          turn.isClockRight === true &&
          work.shown.some(({ device, start }) => device === turn.device && start > turn.at),
      ),

    /** Returns the time that must count, or be asked about. */
    must(work: Work): Span[] {
      const [first = [], ...others] = moveOrdersOf(work).map(mustOf)
      return others.reduce(both, first)
    },

    /** Returns the time that screens said was worked, and that nobody has decided about. */
    claimed(work: Work): Span[] {
      const start = Math.max(...moveOrdersOf(work).map(startOf))
      return without(withoutDecided(work, union(work.claims)), [{ start: 0, end: start }])
    },

    /** Returns the time that may count. */
    may(work: Work, end: number): Span[] {
      const running = moveOrdersOf(work).flatMap((each) =>
        ordersOf(each).map((turns) => runningUntil(each, end, turns)),
      )
      return union(...running, work.shown, work.allowed)
    },

    /** Returns the texts of which an entry may have one, or an empty list if any will do. */
    notesFor(work: Work, id: string): readonly string[] {
      // The order of the parts is not known.
      if (work.cuts.some(({ to }) => Number.isNaN(to))) return []
      // Of a part that no cut has made, as far as anybody was told, nobody can have heard.
      const isUnheard = !work.cuts.some(({ part }) => part === id)
      const notes = work.notes.filter(
        (note) =>
          (holdsFor(work, note, id) || (isUnheard && note.about === work.session)) &&
          !isUndone(note.key) &&
          note === work.notes.findLast(({ key }) => key === note.key),
      )
      // Somebody who had heard of a note has written another one over it.
      const isOver = (note: Note, other: Note) =>
        other.heard.has(note.key) && (other.about === note.about || holdsFor(work, other, id))
      return notes
        .filter((note) => !notes.some((other) => isOver(note, other)))
        .map(({ text }) => text)
    },
  }

  function bookOf(device: number): DeviceBook {
    const book = books[device]
    if (!book) throw new RangeError(`There is no device ${device}`)
    return book
  }

  /** `isClaim`: a press or news has ended it. The screen may go on when the device is opened again. */
  function endShown(book: DeviceBook, at: number, isClaim: boolean): void {
    const device = books.indexOf(book)
    const { shown, since, isOn, woke, pressedAt } = book
    if (!shown?.isRunning || !isOn || at <= since) return
    const hasJustWoken = woke?.id === shown.id && at - woke.at < JUST_AWAKE_MILLISECONDS
    const isIdle = hasJustWoken && pressedAt < woke.at
    on(shown.id, (work) => {
      work.shown.push({ device, start: since, end: at, isIdle })
      if (isClaim && !isIdle && shown.worked)
        work.claims.push(
          ...shown.worked.map(({ start, end }) => ({ start, end: Math.min(end, at) })),
        )
    })
  }

  function isUndone(key: string): boolean {
    return undone.some((undo) => undo.of.includes(key) && !isUndone(undo.key))
  }

  /**
   * Returns whether a note is about an entry: it was written for it, or for an earlier part of the session by
   * somebody who had heard of no cut up to it. Where two devices have split at the same instant, their parts are one.
   * What was said of a part is void when its cut is undone, by whomever.
   */
  function holdsFor({ session, cuts }: Work, note: Note, id: string): boolean {
    const counting = cuts.filter(({ key }) => !isUndone(key))
    const beginOf = (part: string) =>
      part === session ? -Infinity : (counting.find((cut) => cut.part === part)?.to ?? NaN)
    const [from, begin] = [beginOf(note.about), beginOf(id)]
    const between = counting.filter(({ to }) => from < to && to <= begin)
    return note.about === id || (from <= begin && between.every(({ key }) => !note.heard.has(key)))
  }

  /**
   * Returns when the start failed for good, or `Infinity` if it has not, or something else was pressed on the timer
   * since. What another screen shows of it after that is judged as of any timer that has ended: `claimed`.
   */
  function failedAt({ fails, turns, moves, notes }: Work): number {
    const last = fails.findLast(({ key }) => !isUndone(key))
    if (!last) return Infinity
    const later = turns.filter(({ at }) => at > (last.wasOnUntil ?? last.at))
    const isPressed = [...later, ...moves, ...notes].some(({ key }) => !isUndone(key))
    return isPressed ? Infinity : last.at
  }

  function mustOf(work: Work): Span[] {
    const lastShown = Math.max(work.pressedAt, ...work.shown.map(({ end }) => end))
    const end = Math.min(lastShown, failedAt(work))
    const [first = [], ...others] = ordersOf(work).map((turns) => runningUntil(work, end, turns))
    const must = withoutDecided(work, others.reduce(both, first))
    if (!work.isDoubted) return must
    // When its device slept is not known either. What an awake screen showed was not sleep.
    const awake = work.shown.filter(({ isIdle }) => !isIdle)
    return both(must, union(awake))
  }

  /**
   * Returns the work with each of its moves last that may be stored as the last one: moves that had not heard of each
   * other, and are no further apart than a corrected clock is right.
   */
  function moveOrdersOf(work: Work): readonly Work[] {
    const moves = work.moves.filter(({ key }) => !isUndone(key))
    const last = moves.at(-1)
    if (!last || !work.isCorrected) return [work]
    const isNear = ({ key, at }: Move) =>
      last.at - at <= PRECISION_MILLISECONDS && !last.heard.has(key)
    return moves
      .filter((each) => each === last || isNear(each))
      .map((each) => ({
        ...work,
        moves: [...moves.filter((other) => other !== each), each],
      }))
  }

  function moveOf({ moves }: Work): Move | undefined {
    return moves.findLast(({ key }) => !isUndone(key))
  }

  function startOf(work: Work): number {
    return moveOf(work)?.to ?? work.startedAt
  }

  function withoutDecided({ decisions, isDoubted }: Work, spans: readonly Span[]): Span[] {
    const counting = decisions.filter(({ key }) => !isUndone(key))
    return without(
      spans,
      // Where nobody can know when it was, its owner has left out all of it at any time.
      counting.map(({ region, isAll }) => (isDoubted && isAll ? EVER : region)),
    )
  }

  /**
   * Returns the turns that are not undone, in order of time. A moved start passes over what it had not heard of, also
   * when somebody who has heard of it moves the start again.
   */
  function countingTurns(work: Work): Turn[] {
    const move = moveOf(work)
    const moves = work.moves.filter(
      (each) => !isUndone(each.key) && (each === move || move?.heard.has(each.key)),
    )
    const starts = move ? moves : [{ to: work.startedAt, heard: new Set<string>() }]
    // A device that ends a timer by itself may place the end before the start, which is as right as its clock.
    const slackOf = ({ device }: Turn) =>
      work.isCorrected && device === undefined ? PRECISION_MILLISECONDS : 0
    const countsFrom = (turn: Turn, { to, heard }: Pick<Move, 'to' | 'heard'>) =>
      turn.at >= to - slackOf(turn) || heard.has(turn.key)
    return work.turns
      .filter((turn) => starts.every((each) => countsFrom(turn, each)))
      .filter(({ key }) => !isUndone(key))
      .toSorted((a, b) => a.at - b.at)
  }

  function ordersOf(work: Work): readonly (readonly Turn[])[] {
    const turns = countingTurns(work)
    return work.isCorrected ? ordersWithin(turns, PRECISION_MILLISECONDS) : [turns]
  }

  /** Returns when the work ran by the presses in order of true time, as one person would press them. */
  function runningUntil(
    work: Work,
    end: number,
    turns: readonly Turn[] = countingTurns(work),
  ): Span[] {
    const startedAt = startOf(work)
    const spans: Span[] = []
    let since: number | null = startedAt
    for (const turn of turns) {
      const at = Math.max(turn.at, startedAt)
      if (turn.kind === 'resume') since ??= at
      else {
        if (since !== null) spans.push({ start: since, end: at })
        since = null
        if (turn.kind === 'stop') return union(spans)
      }
    }
    return union(since === null ? spans : [...spans, { start: since, end: Math.max(end, since) }])
  }
}

export type Ledger = ReturnType<typeof createLedger>
