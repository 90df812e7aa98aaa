/**
 * A ledger of what was pressed: by whom, at which true time, and what the screen then said. It knows nothing
 * of the product's code. From it follows what must have been counted in the end, and what may have been.
 */
import { both, length, union, without } from './spans.ts'
import type { Span } from './spans.ts'

/** What a device shows of the timer. */
export interface Shown {
  readonly id: string
  readonly isRunning: boolean
}

/** 'again': a stop was taken back, and nothing else. */
type EventKind = 'start' | 'pause' | 'resume' | 'stop' | 'again'

interface Event {
  readonly kind: EventKind
  readonly at: number
  readonly device: number
  /** The device has sent everything that it had to send by then. */
  sentAt: number
  /** It was taken back. */
  isTakenBack: boolean
}

type Split = Pick<Event, 'at' | 'device' | 'sentAt'>

/** A stretch in which a device showed a work as running, and under which id. */
interface ShownSpan extends Span {
  readonly id: string
}

/** What began with one Start, under however many ids it went on. */
export interface Work {
  /** The first id. */
  readonly name: string
  /** Under which it goes on: the last one. */
  id: string
  readonly taskId: string
  startedAt: number
  /** When Start was pressed, whatever was said of the start since; and when it was taken up again. */
  readonly begun: number[]
  readonly events: Event[]
  /** When each device showed it running. */
  readonly shown: ShownSpan[][]
  /** When each device went from running to paused, by a press of its own or not. */
  readonly turnedPaused: number[][]
  /** Its owner has decided about these otherwise: trimmed, deleted, discarded. */
  readonly released: Span[]
  /** When its entry was split. */
  readonly splits: Split[]
  /** A server that was put back may have had it running since, or its owner said that it did. */
  readonly again: Span[]
  /** Something about it was pressed by a clock that was wrong and never put right. */
  hasLostClock: boolean
  /** Something about it was pressed by a clock that was wrong, and put right: to a second. */
  isCorrected: boolean
  /** Its entry was changed afterwards: split, trimmed. */
  isEdited: boolean
  /** A start that had failed was taken up by Track offline. */
  isTrackedOffline: boolean
  /** A device has stopped it by itself, because it could not tell the backend. */
  hasFailed: boolean
}

interface DeviceBook {
  readonly off: Span[]
  offSince: number | null
  shown: Shown | null
  runningSince: number
  banner: string
  /** What the banner offers to go on with. */
  offered: Work | null
  /** The ids whose stop was pressed on it. */
  readonly stopped: Set<string>
}

const EVER = { start: 0, end: Number.MAX_SAFE_INTEGER }
/** The older of two timers may end so much before the newer one begins to be asked about. */
const SHORT_OVERLAP = 5000
/** So exactly a device learns how its clock stands. */
const CLOCK_MILLISECONDS = 1000
/** A device notes this often that it is awake. */
const AWAKE_MILLISECONDS = 60_000

export interface Ledger {
  readonly works: () => readonly Work[]
  readonly workOf: (id: string) => Work | undefined
  readonly start: (press: {
    device: number
    at: number
    startedAt: number
    id: string
    taskId: string
  }) => void
  /** The ids of timers that a device showed after they were stopped on it. */
  readonly runningOn: () => readonly string[]
  /** Pause, resume or stop of the timer that the device showed. */
  readonly change: (kind: EventKind, press: { device: number; at: number; id: string }) => void
  readonly move: (id: string, startedAt: number, at: number) => void
  /** The button of the banner: what had failed goes on under a new id. */
  readonly goOn: (press: {
    device: number
    at: number
    id: string
    gap: 'work' | 'pause' | 'undo'
    /** What goes on; what the banner offers unless given. */
    of?: string | undefined
  }) => void
  /** A split: from now on the work has another entry as well. */
  readonly split: (
    id: string,
    press: { readonly device: number; readonly at: number; readonly other: string },
  ) => void
  readonly release: (id: string, span?: Span) => void
  /** Its owner has said that this was worked: it may be counted. */
  readonly accept: (id: string, span: Span) => void
  readonly note: (id: string, device: number, text: string) => void
  /** The note that an entry must have: the last one, where one device alone wrote any. */
  readonly noteOf: (id: string) => string | undefined
  /** What was changed of an entry last was undone. */
  readonly undone: (id: string) => void
  /** It was pressed by a clock that is wrong. */
  readonly clockDoubted: (id: string) => void
  /** That clock was never put right, or leapt meanwhile. */
  readonly clockLost: (id: string) => void
  /** What a device shows of the timer from now on, or would if it had not died. */
  readonly turnTo: (device: number, at: number, shown: Shown | null) => void
  /** What a device shows from now on; `banner` is its text and, if it has a button, which. */
  readonly screen: (
    device: number,
    at: number,
    shown: Shown | null,
    banner: { readonly text: string; readonly action: string | null } | null,
  ) => void
  /** The device is off from now on, or on again: what it shows runs on, and it is not awake. */
  readonly power: (device: number, at: number, isOn: boolean) => void
  /**
   * The server was put back to how it was at an earlier moment. What was not over then runs again, for whoever has not
   * heard how it ended.
   */
  readonly restored: (asOf: number) => void
  /** The device has nothing unsent. */
  readonly sent: (device: number, at: number) => void
  /** Which work the banner of a device offers to go on with. */
  readonly offeredBy: (device: number) => Work | undefined
  /** When the work must have been counted, as of `end`. */
  readonly must: (work: Work, end: number, rules: Rules) => Span[]
  /** When it may have been counted. */
  readonly may: (work: Work, end: number, rules: Rules) => Span[]
  /** When it was paused for everybody: nothing of it may have been counted. */
  readonly paused: (work: Work) => Span[]
}

export interface Rules {
  /** A pause, resume or stop counts also when the backend hears of it after another device has ended the work. */
  readonly foldsLatePresses: boolean
  /** Work after another device's stop is kept or asked about, when something was pressed after it. */
  readonly keepsLaterWork: boolean
  /** The same when the device only kept running. */
  readonly asksAboutAwake: boolean
}

/** An empty ledger for so many devices. */
export function createLedger(devices: number): Ledger {
  const works: Work[] = []
  const byId = new Map<string, Work>()
  const notes = new Map<string, { device: number; text: string }[]>()
  const runningOn = new Set<string>()
  const books = Array.from({ length: devices }, (): DeviceBook => {
    return {
      shown: null,
      runningSince: 0,
      banner: '',
      offered: null,
      stopped: new Set(),
      off: [],
      offSince: null,
    }
  })

  return {
    works: () => works,
    workOf: (id) => byId.get(id),

    start({ device, at, startedAt, id, taskId }) {
      const work: Work = {
        name: id,
        id,
        taskId,
        startedAt,
        begun: [at],
        events: [],
        shown: Array.from({ length: devices }, () => []),
        turnedPaused: Array.from({ length: devices }, () => []),
        released: [],
        again: [],
        splits: [],
        hasLostClock: false,
        isCorrected: false,
        isEdited: false,
        isTrackedOffline: false,
        hasFailed: false,
      }
      // Whether the claimed time or the press ends another timer depends on who knew of it.
      for (const other of works) other.released.push({ start: startedAt, end: at })
      works.push(work)
      byId.set(id, work)
      add(work, 'start', device, at)
    },

    runningOn: () => [...runningOn],

    change(kind, { device, at, id }) {
      if (kind === 'stop') bookOf(device).stopped.add(id)
      const work = byId.get(id)
      if (work) add(work, kind, device, at)
    },

    move(id, startedAt, at) {
      const work = byId.get(id)
      if (!work) return
      work.released.push({
        start: Math.min(work.startedAt, startedAt),
        end: Math.max(work.startedAt, startedAt),
      })
      if (stopOf(work, at)) return
      // As with a claimed start: up to so much of it another timer ends where this one begins.
      if (work.startedAt - startedAt <= SHORT_OVERLAP)
        for (const other of works)
          if (other !== work) other.released.push({ start: startedAt, end: work.startedAt })
      work.startedAt = startedAt
      // Of two timers the one goes on that was pressed last. Put to after the press of another one, whether it counts as pressed
      // then depends on whose session the server has first.
      const pressedAt = Math.max(...work.begun)
      for (const other of works) {
        if (!other.begun.some((begun) => begun > pressedAt && begun <= startedAt)) continue
        for (const each of [work, other]) each.released.push({ ...EVER, start: at })
      }
    },

    goOn({ device, at, id, gap, of }) {
      const book = bookOf(device)
      const work = of === undefined ? book.offered : byId.get(of)
      const event = work?.events.findLast((each) => each.kind === 'stop' && each.device === device)
      if (!work || !event) return
      byId.set(id, work)
      book.stopped.delete(id)
      work.id = id
      work.begun.push(at)
      if (gap === 'work' && of === undefined) work.isTrackedOffline = true
      event.isTakenBack = true
      if (gap === 'pause') {
        work.events.push({ ...event, kind: 'pause', isTakenBack: false })
        add(work, 'resume', device, at)
      } else add(work, 'again', device, at)
      // One that was stopped in a pause is in that pause again.
      const shown = work.shown[device]
      if (shown?.some(({ end }) => end === event.at)) shown.push({ start: event.at, end: at, id })
      book.offered = null
    },

    split(id, { device, at, other }) {
      const work = byId.get(id)
      if (!work) return
      work.isEdited = true
      work.splits.push({ device, at, sentAt: Infinity })
      byId.set(other, work)
    },

    release(id, span = EVER) {
      const work = byId.get(id)
      if (!work) return
      work.isEdited = true
      work.released.push(span)
    },

    accept(id, span) {
      byId.get(id)?.again.push(span)
    },

    note(id, device, text) {
      notes.set(id, [...(notes.get(id) ?? []), { device, text }])
    },

    noteOf(id) {
      const written = notes.get(id) ?? []
      const isByOne = new Set(written.map(({ device }) => device)).size === 1
      return isByOne ? written.at(-1)?.text : undefined
    },

    // An undo may find that another device has written since: no note is demanded then.
    undone: (id) =>
      void notes.set(id, [
        ...(notes.get(id) ?? []),
        { device: -1, text: '' },
        { device: -2, text: '' },
      ]),

    clockDoubted(id) {
      const work = byId.get(id)
      if (work) work.isCorrected = true
    },

    clockLost(id) {
      const work = byId.get(id)
      if (work) work.hasLostClock = true
    },

    screen(device, at, shown, banner) {
      const book = bookOf(device)
      const before = book.shown
      if (shown && book.stopped.has(shown.id)) runningOn.add(shown.id)
      turnTo(device, at, shown)
      const text = banner?.action ? `${banner.action} ${banner.text}` : ''
      const isNew = text !== '' && text !== book.banner
      book.banner = text
      if (isNew && before && !shown) {
        // The device has stopped by itself what it could not tell the backend.
        const work = byId.get(before.id)
        if (!work) return
        work.hasFailed = true
        add(work, 'stop', device, at)
        // Seen as it is opened, that was done in the moment in which it died.
        work.released.push(...book.off.filter((off) => off.end === at))
        book.offered = work
      }
    },

    power(device, at, isOn) {
      const book = bookOf(device)
      if (isOn && book.offSince !== null) book.off.push({ start: book.offSince, end: at })
      book.offSince = isOn ? null : at
    },

    restored(asOf) {
      for (const work of works) {
        const stop = stopOf(work)
        const wasOver = stop !== undefined && stop.sentAt <= asOf
        if (work.begun.some((at) => at <= asOf) && !wasOver)
          work.again.push({ ...EVER, start: asOf })
      }
    },

    sent(device, at) {
      for (const work of works) {
        for (const event of [...work.events, ...work.splits]) {
          if (event.device === device) event.sentAt = Math.min(event.sentAt, at)
        }
      }
    },

    offeredBy: (device) => books[device]?.offered ?? undefined,
    must,
    may: (work, end, rules) =>
      union(
        pausesOf(work, end).flatMap(({ span, begun }) => (isCutPause(work, begun) ? span : [])),
        must(work, end, rules),
        running(work, end),
        work.released,
        work.again,
        // A device that stops by itself what it could not tell the backend has told nobody: others see it run. And what
        // somebody has split or trimmed since stays as they made it.
        rules.foldsLatePresses && !work.hasFailed && !work.isEdited ? [] : unheard(work),
        // A stop that comes a few seconds before the one that was saved is not worth a question.
        stopsOf(work).map(({ at }) => ({ start: at, end: at + SHORT_OVERLAP })),
        ...claimedBy(work, end),
      ),
    paused,
    turnTo,
  }

  function turnTo(device: number, at: number, shown: Shown | null): void {
    const book = bookOf(device)
    const before = book.shown
    if (before?.id === shown?.id && before?.isRunning === shown?.isRunning) return
    if (before?.isRunning) showed(device, before.id, book.runningSince, at)
    if (before?.isRunning && shown?.id === before.id)
      byId.get(shown.id)?.turnedPaused[device]?.push(at)
    book.shown = shown
    book.runningSince = at
  }

  function bookOf(device: number): DeviceBook {
    const book = books[device]
    if (!book) throw new RangeError(`There is no device ${device}`)
    return book
  }

  function add(work: Work, kind: EventKind, device: number, at: number): Event {
    const event = { kind, at, device, sentAt: Infinity, isTakenBack: false }
    work.events.push(event)
    return event
  }

  function showed(device: number, id: string, start: number, end: number): void {
    byId.get(id)?.shown[device]?.push({ start, end, id })
  }

  /** Also what is shown now. */
  function shownBy(work: Work, end: number): ShownSpan[][] {
    return work.shown.map((spans, device) => {
      const { shown, runningSince } = bookOf(device)
      const isShown = shown?.isRunning && byId.get(shown.id) === work
      return isShown ? [...spans, { start: runningSince, end, id: shown.id }] : spans
    })
  }

  /**
   * What somebody saw running who had pressed something on it: up to their Pause or Stop. Who only looks
   * claims nothing.
   */
  function claimedBy(work: Work, end: number): Span[][] {
    return shownBy(work, end).map((spans, device) => {
      const last = inOrder(work).findLast((event) => event.device === device)
      if (!last) return []
      const isOver = last.kind === 'pause' || last.kind === 'stop'
      return both(spans, [{ start: 0, end: isOver ? last.at : end }])
    })
  }

  function must(work: Work, end: number, rules: Rules): Span[] {
    const ends = endsOf(work, rules)
    const cut = Math.min(end, ...ends.map(({ at }) => at))
    const isInVain = (event: Event) =>
      !rules.foldsLatePresses && event.kind === 'resume' && (isTooLate(event) || isOverruled(event))
    // Another device has ended the work before the backend heard of it.
    const isTooLate = ({ at, device, sentAt }: Event) =>
      ends.some((each) => each.device !== device && each.at > at && each.at < sentAt)
    // A pause from before it that the backend hears of after it pauses the timer again: nothing tells that it was resumed.
    const isOverruled = ({ at, device }: Event) =>
      inOrder(work).some(
        (each) =>
          each.kind === 'pause' && each.device !== device && each.at < at && each.sentAt > at,
      )
    const counted = [running(work, cut, isInVain)]
    for (const [device, shown] of shownBy(work, end).entries()) {
      // What another device has paused is no work, also when this one had not heard of it.
      const paused = pausesOf(work, end, { isUpToStop: false }).map(({ span }) => span)
      const later = without(both(shown, [{ start: cut, end }]), [
        ...paused,
        ...pausedElsewhere(work, device),
      ])
      const pressed = work.events.filter((event) => event.device === device && event.at > cut)
      const last = Math.max(0, ...pressed.map(({ at }) => at))
      const afterPress = both(later, [{ start: cut, end: last }])
      if (rules.keepsLaterWork && length(afterPress) > 1000) counted.push(afterPress)
      // What was taken up again is deleted under its first id. As after Discard, who only shows that is told, not asked.
      const past = shown.filter(({ id }) => id !== work.id)
      const awake = without(later, [...bookOf(device).off, ...past])
      const noted = awake.map((span) => ({ ...span, end: span.end - AWAKE_MILLISECONDS }))
      if (rules.asksAboutAwake && length(awake) > SHORT_OVERLAP) counted.push(noted)
    }
    // Nothing is saved of a first second, nor asked about less than one after an end: whichever of the ends arrives first.
    const all = union(...counted)
    const isTrifle = (at: number) =>
      length(both(all, [{ start: 0, end: at }])) < 1000 &&
      length(both(all, [{ ...EVER, start: at }])) <= 1000
    return ends.some(({ at }) => isTrifle(at)) ? [] : without(all, work.released)
  }

  /** Whenever somebody ended the work: stopped it, or started something else. */
  function endsOf(work: Work, { keepsLaterWork }: Rules): Event[] {
    const since = keepsLaterWork ? Math.max(...work.begun) : Math.min(...work.begun)
    const others = works
      .filter((other) => other !== work)
      .flatMap((other) => {
        const { begun, events, isCorrected } = other
        // A timer that another device has started since a start failed, and that still runs, goes on when Track offline
        // is pressed: what is tracked ends there, and what was worked is offered.
        const isInTheWay = (at: number) =>
          work.isTrackedOffline && at > Math.min(...work.begun) && !stopOf(other, since)

        // Of two starts within a second, the one of a clock that was put right may be the earlier.
        const after = work.isCorrected || isCorrected ? since - CLOCK_MILLISECONDS : since
        return events.filter(({ at }) => begun.includes(at) && (at > after || isInTheWay(at)))
      })
    return [...inOrder(work).filter(({ kind }) => kind === 'stop'), ...others]
  }

  /** When the presses in order of time say that it runs, until `end` at the latest. */
  function running(
    work: Work,
    end: number,
    isIgnored: (event: Event) => boolean = () => false,
  ): Span[] {
    return without(
      [{ start: work.startedAt, end: Math.min(end, stopOf(work)?.at ?? end) }],
      pausesOf(work, end, { isIgnored }).map(({ span }) => span),
    )
  }

  /**
   * Whether a pause was pressed after somebody else had started another timer, which ended this one before the pause: it
   * is not in the entry. Whoever has not heard of it, and takes the work up again, goes on from that end.
   */
  function isOfEndedWork({ begun, events }: Work, pause: Event): boolean {
    const since = Math.max(...begun.filter((at) => at <= pause.at))
    const isEnded = works.some(
      (other) => other.events !== events && other.begun.some((at) => at > since && at < pause.at),
    )
    return (
      isEnded &&
      events.some(
        ({ kind, at, device }) => kind === 'again' && at > pause.at && device !== pause.device,
      )
    )
  }

  function paused(work: Work): Span[] {
    const stop = stopOf(work)
    // Heard of before it was stopped; one that comes later may come too late.
    const heard = pausesOf(work, stop?.at ?? Infinity).filter(
      ({ begun }) =>
        stop && begun.sentAt < stop.at && !isOfEndedWork(work, begun) && !isCutPause(work, begun),
    )
    return without(
      heard.map(({ span }) => span),
      work.released,
    )
  }
}

/**
 * What a device ran on before it heard that another one had paused the timer. It may hear of that pause before it
 * hears of the stop that ended the pause: then it has been told that it was paused all the time, and shows that.
 */
function pausedElsewhere(work: Work, device: number): Span[] {
  const events = inOrder(work)
  return (work.turnedPaused[device] ?? []).flatMap((at) => {
    if (events.some((each) => each.kind === 'pause' && each.device === device && each.at === at))
      return []
    const begun = events.findLast((each) => each.kind === 'pause' && each.at < at)
    return begun && begun.device !== device ? [{ start: begun.at, end: at }] : []
  })
}

/**
 * Whether a pause was pressed after a stop that its device had not heard of: it was cut with all that lies after the stop.
 * Taking the stop back later does not bring back what others had pressed after it.
 */
function isCutPause({ events }: Work, pause: Event): boolean {
  return events.some(
    (stop) =>
      stop.kind === 'stop' &&
      stop.isTakenBack &&
      stop.device !== pause.device &&
      stop.at < pause.at &&
      events.some(({ kind, at }) => kind === 'again' && at > pause.at),
  )
}

/**
 * Whether one device has taken the work up again while another one split its entry, before either was sent. Both are
 * done: the second part is there twice. Nothing promises otherwise yet (docs/reliability-evidence.md).
 */
export function isTakenUpWhileSplit({ begun, events, splits }: Work): boolean {
  const takenUp = events.filter(({ kind, at }) => kind !== 'start' && begun.includes(at))
  return splits.some((split) =>
    takenUp.some(
      ({ device, at, sentAt }) => device !== split.device && at < split.sentAt && split.at < sentAt,
    ),
  )
}

/** When it was paused or stopped, and only the device where that was pressed knew it. */
function unheard(work: Work): Span[] {
  return inOrder(work)
    .filter(({ kind }) => kind === 'pause' || kind === 'stop')
    .map(({ at, sentAt }) => ({ start: at, end: Math.min(sentAt, EVER.end) }))
}

function inOrder(work: Work): Event[] {
  return work.events.filter(({ isTakenBack }) => !isTakenBack).toSorted((a, b) => a.at - b.at)
}

function stopsOf(work: Work): Event[] {
  return inOrder(work).filter(({ kind }) => kind === 'stop')
}

function stopOf(work: Work, before = Infinity): Event | undefined {
  return inOrder(work).find(({ kind, at }) => kind === 'stop' && at <= before)
}

/** Up to the first stop; or, for those who went on after it, also later. */
function pausesOf(
  work: Work,
  end: number,
  {
    isUpToStop = true,
    isIgnored = () => false,
  }: { isUpToStop?: boolean; isIgnored?: (event: Event) => boolean } = {},
): { span: Span; begun: Event }[] {
  const pauses: { span: Span; begun: Event }[] = []
  let begun: Event | null = null
  // The server hears of it after the stop that another device has pressed later: that one ends the pause.
  const isOvertaken = ({ kind, at, device, sentAt }: Event) =>
    kind === 'stop' &&
    stopsOf(work).some((each) => each.device !== device && each.at > at && each.at < sentAt)
  for (const event of inOrder(work)) {
    if (isIgnored(event) || (!isUpToStop && isOvertaken(event))) continue
    if (event.kind === 'pause') begun ??= event
    if (begun && (event.kind === 'resume' || event.kind === 'stop')) {
      pauses.push({ span: { start: begun.at, end: Math.min(end, event.at) }, begun })
      begun = null
    }
    if (event.kind === 'stop' && isUpToStop) break
  }
  if (begun) pauses.push({ span: { start: begun.at, end }, begun })
  return pauses.filter(({ span }) => span.end > span.start)
}
