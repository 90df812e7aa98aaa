/**
 * A ledger of the presses: the device, the true time, and what the screen then showed. It does not
 * use the product's code. The time that must be counted, and the time that may be counted, are
 * computed from it.
 */
import { createNotes } from './notes.ts'
import type { Notes } from './notes.ts'
import { both, length, union, without } from './spans.ts'
import type { Span } from './spans.ts'
import {
  add,
  beforeShown,
  CLOCK_MILLISECONDS,
  EVER,
  goingOn,
  inOrder,
  isOverruled,
  isTooLate,
  isUnsure,
  laterOn,
  pausesOf,
  running,
  stopOf,
  stopsOf,
  unheard,
  unsentEvent,
} from './work.ts'
import type { EventKind, Event, ShownSpan, Work } from './work.ts'

/** What a device shows of the timer. */
export interface Shown {
  readonly id: string
  readonly isRunning: boolean
}

interface DeviceBook {
  readonly off: Span[]
  offSince: number | null
  shown: Shown | null
  runningSince: number
  banner: string
  /** The work that the banner offers to continue. */
  offered: Work | null
  /** The ids of timers that were stopped by a press on this device. */
  readonly stopped: Set<string>
}

/**
 * An overlap or a late stop of up to this many milliseconds is not asked about. The older of two
 * timers may be cut by as much.
 */
const SHORT_OVERLAP = 5000
/** All ends since the work began first. */
const EARLIEST: Rules = { foldsLatePresses: true, keepsLaterWork: false, asksAboutAwake: true }
/** How often a device records that it is awake. */
const AWAKE_MILLISECONDS = 60_000
/** A device that was opened this short a time ago, and on which nothing was pressed, claims nothing. */
const JUST_AWAKE_MILLISECONDS = 120_000

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
  /** Returns the ids of timers that a device showed after they were stopped on it. */
  readonly runningOn: () => readonly string[]
  /** Enters a pause, resume or stop of the timer that the device showed. */
  readonly change: (kind: EventKind, press: { device: number; at: number; id: string }) => void
  /** Enters a moved start. `from` is the start that the device showed before. */
  readonly move: (
    id: string,
    move: { device: number; startedAt: number; from: number; at: number },
  ) => void
  /** Enters a press of the banner's button: the failed work continues under a new id. */
  readonly goOn: (press: {
    device: number
    at: number
    id: string
    gap: 'work' | 'pause' | 'undo'
    /** The id of the work that continues. By default it is the work that the banner offers. */
    of?: string | undefined
  }) => void
  /** Enters a split: from now on the work also has another entry. */
  readonly split: (
    id: string,
    press: { readonly device: number; readonly at: number; readonly other: string },
  ) => void
  readonly release: (id: string, span?: Span) => void
  /** Enters that the owner confirmed this time as worked: it may be counted. */
  readonly accept: (id: string, span: Span) => void
  /** Enters that an unfinished session was resumed on a recovery card. */
  readonly resumeOnCard: (id: string, press: { device: number; at: number }) => void
  /** Returns the note that an entry must have, if any. */
  readonly noteOf: (id: string) => string | undefined
  /** The notes that were written. */
  readonly notes: Notes
  /** Enters that a press on the work came from a wrong clock. */
  readonly clockDoubted: (id: string) => void
  /**
   * Enters that the wrong clock was never corrected, or jumped in the meantime. The device cannot
   * tell how long the spans in which it was closed were.
   */
  readonly clockLost: (id: string, closed: readonly Span[]) => void
  /** Sets what a device shows of the timer from now on, or would show if it had not died. */
  readonly turnTo: (device: number, at: number, shown: Shown | null) => void
  /**
   * Sets what a device shows from now on. `banner` has its text, and the action of its button and the
   * id of the work that it continues, if any and if the caller knows it.
   */
  readonly screen: (
    device: number,
    at: number,
    shown: Shown | null,
    banner: {
      readonly text: string
      readonly action: string | null
      readonly of?: string | undefined
    } | null,
  ) => void
  /**
   * Switches a device off or on. While it is off, the timer that it showed continues, but the
   * device is not awake.
   */
  readonly power: (device: number, at: number, isOn: boolean) => void
  /**
   * Enters that the server was restored to an earlier moment. Work that was not over then runs
   * again, for every device that does not know how it ended. `notesThere` are the notes of the
   * entries that the server has again, by id.
   */
  readonly restored: (asOf: number, notesThere: ReadonlyMap<string, unknown>) => void
  /** Enters that the device has nothing unsent. */
  readonly sent: (device: number, at: number) => void
  /**
   * Enters that the server has taken a write of a device to a session or an entry. It has what was
   * pressed until the device sent the write, at `sentAt`.
   */
  readonly stored: (device: number, id: string, at: number, sentAt: number) => void
  /** Returns the work that the banner of a device offers to continue. */
  readonly offeredBy: (device: number) => Work | undefined
  /** Returns when the work must have been counted, as of `end`. */
  readonly must: (work: Work, end: number, rules: Rules) => Span[]
  /** Returns when the work may have been counted. */
  readonly may: (work: Work, end: number, rules: Rules) => Span[]
  /** Returns when the work was paused for everybody. Nothing of that time may have been counted. */
  readonly paused: (work: Work) => Span[]
}

export interface Rules {
  /**
   * A pause, resume or stop also counts when it reaches the backend after another device has ended
   * the work.
   */
  readonly foldsLatePresses: boolean
  /**
   * Work after another device's stop is kept or asked about, when something was pressed after that
   * stop.
   */
  readonly keepsLaterWork: boolean
  /** Such work is also kept or asked about when the device only kept running. */
  readonly asksAboutAwake: boolean
}

/** Returns an empty ledger for `devices` devices. */
export function createLedger(devices: number): Ledger {
  const works: Work[] = []
  const byId = new Map<string, Work>()
  const notes = createNotes()
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
        resumedOnCard: [],
        claimedTwice: [],
        moves: [],
        splits: [],
        hasLostClock: false,
        unmeasured: [],
        isCorrected: false,
        isEdited: false,
        isTrackedOffline: false,
        hasFailed: false,
      }
      // Another timer ends at the claimed time or at the press, depending on who knew of it.
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

    move(id, { device, startedAt, from, at }) {
      const work = byId.get(id)
      if (!work) return
      // The timer continues beside parts that are saved. Its owner says that it ran then as well.
      if (from > Math.max(work.startedAt, startedAt)) {
        work.released.push({ start: startedAt, end: from })
        work.claimedTwice.push({ start: startedAt, end: from })
      }
      const before = work.moves.at(-1)?.startedAt ?? work.startedAt
      work.moves.push({ device, startedAt, storedAt: Infinity })
      // A pause counts or not if the start was moved past it and back: it depends on what the server had
      // first.
      for (const pause of work.events) {
        if (pause.kind !== 'pause' || pause.at < startedAt || pause.at >= before) continue
        const resume = inOrder(work).find(
          ({ kind, at: then }) => kind === 'resume' && then > pause.at,
        )
        work.released.push({ start: pause.at, end: resume?.at ?? EVER.end })
      }
      work.released.push({
        start: Math.min(work.startedAt, startedAt),
        end: Math.max(work.startedAt, startedAt),
      })
      // Its device has heard of the stop.
      const isOver = (stop: Event) => stop.device === device || stop.storedAt <= at
      if (stopsOf(work).some((stop) => stop.at <= at && isOver(stop))) return
      // As with a claimed start, another timer ends where this one begins, unless its device was awake
      // and both ran for longer than this limit.
      const since = { start: startedAt, end: at }
      const isShort = work.startedAt - startedAt <= SHORT_OVERLAP
      for (const other of works)
        if (other !== work && (isShort || !isShownAwake(other, since)))
          other.released.push({ start: startedAt, end: work.startedAt })
      work.startedAt = startedAt
      // Of two timers, the one that was pressed last continues. When a start is moved to after the
      // press of another timer, the order depends on whose session reaches the server first.
      const pressedAt = Math.max(...work.begun)
      for (const other of works) {
        if (!other.begun.some((begun) => begun > pressedAt && begun <= startedAt)) continue
        // As with a claimed start, the other timer ends at the new start or at the press.
        for (const each of [work, other]) each.released.push({ ...EVER, start: startedAt })
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
        // Another device may have resumed the timer and have been told of the stop. The time in which
        // nobody showed the timer running is not worked.
        const running = shownBy(work, at).flat()
        work.released.push(...without([{ start: event.at, end: at }], running))
        work.events.push({ ...event, kind: 'pause', isTakenBack: false })
        add(work, 'resume', device, at)
      } else add(work, 'again', device, at)
      // A timer that was stopped during a pause is in that pause again.
      const shown = work.shown[device]
      const wasShown = shown?.some(({ end }) => end === event.at) === true
      const resumed = work.events.findLast(
        (each) => each.kind === 'resume' && each.device === device && each.at < event.at,
      )
      if (gap === 'undo' && !wasShown) endResumes(work, { device, at, until: at })
      if (gap !== 'undo' && resumed) endResumes(work, { device, at, until: resumed.at })
      if (wasShown && gap !== 'pause') shown.push({ start: event.at, end: at, id })
      book.offered = null
    },

    split(id, { device, at, other }) {
      const work = byId.get(id)
      if (!work) return
      work.isEdited = true
      // A split confirms the pause in which its device has stopped the work, also past an end elsewhere.
      const [turn, stop] = inOrder(work)
        .filter((event) => event.device === device)
        .slice(-2)
      if (turn?.kind === 'pause' && stop?.kind === 'stop')
        work.released.push({ start: turn.at, end: stop.at })
      work.splits.push({ device, at, sentAt: Infinity, isLost: false })
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

    resumeOnCard(id, { device, at }) {
      const work = byId.get(id)
      work?.again.push(EVER)
      work?.resumedOnCard.push(unsentEvent('resume', device, at))
    },

    noteOf(id) {
      // The banner of a timer that stopped by itself has the note, for what continues it.
      const isInBanner = byId.get(id)?.hasFailed === true && notes.isOfTimer(id)
      return isInBanner ? undefined : notes.demanded(id)
    },

    notes,

    clockDoubted(id) {
      const work = byId.get(id)
      if (work) work.isCorrected = true
    },

    clockLost(id, closed) {
      const work = byId.get(id)
      if (!work) return
      work.hasLostClock = true
      for (const event of work.events) event.isUndated ||= event.firstStoredAt === Infinity
      work.unmeasured.push(...closed)
    },

    screen(device, at, shown, banner) {
      const book = bookOf(device)
      const before = book.shown
      if (shown && book.stopped.has(shown.id)) runningOn.add(shown.id)
      if (shown && book.offered && byId.get(shown.id) === book.offered) {
        // The start had reached the backend after all, so the device has not stopped the timer.
        const stop = book.offered.events.findLast(
          (event) => event.kind === 'stop' && event.device === device,
        )
        if (stop) stop.isTakenBack = true
        // After a resume that failed, the timer that another device has continued is paused since then.
        const isPaused = !shown.isRunning && book.banner.startsWith('resume ')
        if (stop && isPaused)
          book.offered.events.push({ ...stop, kind: 'pause', isTakenBack: false })
        // A pause that failed has become that stop. Its device says so, and shows the timer running again.
        const failed = book.offered.events.find(
          ({ kind, at: then }) => kind === 'pause' && then === stop?.at,
        )
        if (failed && shown.isRunning && book.banner.includes('Failed to pause'))
          failed.isTakenBack = true
        book.offered = null
      }
      turnTo(device, at, shown)
      const text = banner?.action ? `${banner.action} ${banner.text} ${banner.of ?? ''}` : ''
      const isNew = text !== '' && text !== book.banner
      book.banner = text
      if (isNew && before && !shown) {
        // The device has stopped by itself a timer that it could not report to the backend.
        const work = byId.get(before.id)
        if (!work) return
        work.hasFailed = true
        // After a pause that could not be sent, the timer is stopped as of that pause.
        const last = inOrder(work).findLast((event) => event.device === device)
        const isFailedPause = last?.kind === 'pause' && banner?.action === 'resume'
        add(work, 'stop', device, isFailedPause && !before.isRunning ? last.at : at)
        // A stop that is seen when the device opens was made at the moment at which the device
        // died.
        work.released.push(...book.off.filter((off) => off.end === at))
        book.offered = work
      }
    },

    power(device, at, isOn) {
      const book = bookOf(device)
      if (isOn && book.offSince !== null) book.off.push({ start: book.offSince, end: at })
      book.offSince = isOn ? null : at
    },

    restored(asOf, notesThere) {
      notes.restored(notesThere)
      for (const work of works) {
        const stop = stopOf(work)
        const wasOver = stop !== undefined && stop.sentAt <= asOf
        // A device that shows the timer creates its lost session again.
        const isShown = books.some(({ shown }) => shown && byId.get(shown.id) === work)
        if ((work.begun.some((at) => at <= asOf) && !wasOver) || isShown)
          work.again.push({ ...EVER, start: asOf })
        // Nobody hears of a lost event until its device has written to the session again.
        for (const event of work.events) {
          if (Math.min(event.sentAt, event.storedAt) <= asOf) continue
          event.isLost ||= event.sentAt < Infinity || event.storedAt < Infinity
          event.sentAt = Infinity
          event.storedAt = Infinity
        }
      }
    },

    sent(device, at) {
      for (const work of works) {
        for (const event of [...work.events, ...work.splits, ...work.resumedOnCard]) {
          if (event.device === device && !event.isLost) event.sentAt = Math.min(event.sentAt, at)
        }
      }
    },

    stored(device, id, at, sentAt) {
      const { moves = [], events = [] } = byId.get(id) ?? {}
      for (const move of moves)
        if (move.device === device) move.storedAt = Math.min(move.storedAt, at)
      for (const event of events) {
        if (event.device !== device || event.storedAt <= at || event.at > sentAt) continue
        event.storedAt = at
        event.firstStoredAt = Math.min(event.firstStoredAt, at)
        event.isLost = false
      }
    },

    offeredBy: (device) => books[device]?.offered ?? undefined,
    must,
    may: (work, end, rules) =>
      union(
        must(work, end, rules),
        running(work, end),
        goingOn(work, end),
        work.released,
        work.again,
        // A device that stops by itself has told nobody, so that others see the timer run. A part
        // that was split or trimmed since also stays as it is.
        rules.foldsLatePresses && !work.hasFailed && !work.isEdited ? [] : unheard(work),
        // A stop a few seconds before the saved one is not worth a question.
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
    // Of an undo in a pause, the news that the pause was over before may come later. Then the timer runs.
    const work = shown?.isRunning && before?.id === shown.id ? byId.get(shown.id) : undefined
    const last = work && inOrder(work).findLast((event) => event.device === device)
    const hasRun = work?.shown[device]?.some(({ end }) => end > (last?.at ?? Infinity))
    if (last?.kind === 'again' && !hasRun) work?.released.push({ start: last.at, end: at })
    book.shown = shown
    book.runningSince = at
  }

  function bookOf(device: number): DeviceBook {
    const book = books[device]
    if (!book) throw new RangeError(`There is no device ${device}`)
    return book
  }

  function showed(device: number, id: string, start: number, end: number): void {
    byId.get(id)?.shown[device]?.push({ start, end, id })
  }

  /**
   * Ends the resumes on other devices that were told of an end long before a device goes on with the work,
   * which that device showed in a pause `until` then. The pause goes on.
   */
  function endResumes(
    work: Work,
    { device, at, until }: { device: number; at: number; until: number },
  ): void {
    for (const [other, spans] of work.shown.entries()) {
      const last = spans.at(-1)
      const { shown } = bookOf(other)
      const isShown = shown !== null && byId.get(shown.id) === work
      if (!last || other === device || isShown) continue
      const isResumed = work.events.some(
        (each) => each.kind === 'resume' && each.device === other && each.at === last.start,
      )
      if (isResumed && last.end < until && at - last.end > SHORT_OVERLAP)
        work.events.push(unsentEvent('pause', other, last.end))
    }
  }

  /**
   * Returns the spans in which each device showed the work as running, the present one included.
   */
  function shownBy(work: Work, end: number): ShownSpan[][] {
    return work.shown.map((spans, device) => {
      const { shown, runningSince } = bookOf(device)
      const isShown = shown?.isRunning && byId.get(shown.id) === work
      return isShown ? [...spans, { start: runningSince, end, id: shown.id }] : spans
    })
  }

  /** Returns whether a device that was on showed the work as running for a while in this span. */
  function isShownAwake(work: Work, span: Span): boolean {
    return shownBy(work, span.end).some((shown, device) => {
      const { off, offSince } = bookOf(device)
      const isOff = offSince === null ? off : [...off, { ...EVER, start: offSince }]
      return length(both(without(shown, isOff), [span])) > SHORT_OVERLAP
    })
  }

  /**
   * Returns the spans that devices with presses on the work showed as running, up to their Pause or
   * Stop. Who splits a session confirms all of it. A device that only looks claims nothing.
   */
  function claimedBy(work: Work, end: number): Span[][] {
    return shownBy(work, end).map((spans, device) => {
      const last = inOrder(work).findLast((event) => event.device === device)
      if (!last && !work.moves.some((each) => each.device === device)) return []
      const isSplit = work.splits.some((each) => each.device === device)
      // Another device may have continued it since.
      const isShownSince = spans.some(({ start }) => start > (last?.at ?? Infinity))
      const isOver = (last?.kind === 'pause' || last?.kind === 'stop') && !isShownSince
      // What a device shows when it opens, it may have heard of as it died.
      const unseen = bookOf(device).off.filter((off) =>
        spans.some(({ start }) => start === off.end),
      )
      const before = beforeShown(endsOf(work, EARLIEST), device, spans)
      const claimed = isSplit ? [EVER] : [...spans, ...unseen, ...before]
      return both(claimed, [{ start: 0, end: isOver ? last.at : end }])
    })
  }

  function must(work: Work, end: number, rules: Rules): Span[] {
    const ends = endsOf(work, rules)
    const cut = Math.min(end, ...ends.map(({ at }) => at))
    const isInVain = (event: Event) =>
      event.kind === 'resume' &&
      (isUnsure(work, event) ||
        (!rules.foldsLatePresses && (isTooLate(event, ends) || isOverruled(work, event))))
    const counted = [running(work, cut, isInVain)]
    for (const [device, shown] of shownBy(work, end).entries()) {
      const pressed = work.events.filter((event) => event.device === device && event.at > cut)
      const later = laterOn(work, end, { device, shown, pressed, ends, cut })
      const last = Math.max(0, ...pressed.map(({ at }) => at))
      const afterPress = both(later, [{ start: cut, end: last }])
      if (rules.keepsLaterWork && length(afterPress) > 1000) counted.push(afterPress)
      // The entry of continued work is deleted under its first id. As after Discard, a device that
      // only shows that id is told, not asked.
      const past = shown.filter(({ id }) => id !== work.id)
      const { off } = bookOf(device)
      const isJustOpened = ({ start, end: until }: Span) =>
        until - start < JUST_AWAKE_MILLISECONDS && off.some((each) => each.end === start)
      const awake = without(later, [...off, ...past]).filter((span) => !isJustOpened(span))
      const noted = awake.map((span) => ({ ...span, end: span.end - AWAKE_MILLISECONDS }))
      if (rules.asksAboutAwake && length(awake) > SHORT_OVERLAP) counted.push(noted)
    }
    // A first second alone is not saved, and less than a second after an end is not asked about,
    // whichever of the ends arrives first.
    const all = union(...counted)
    const isTrifle = (at: number) =>
      length(both(all, [{ start: 0, end: at }])) < 1000 &&
      length(both(all, [{ ...EVER, start: at }])) <= 1000
    return ends.some(({ at }) => isTrifle(at)) ? [] : without(all, work.released)
  }

  /** Returns the events that ended the work: a stop, or the start of another timer. */
  function endsOf(work: Work, { keepsLaterWork }: Rules): Event[] {
    const since = keepsLaterWork ? Math.max(...work.begun) : Math.min(...work.begun)
    const others = works
      .filter((other) => other !== work)
      .flatMap((other) => {
        const { begun, events, resumedOnCard, isCorrected, hasLostClock } = other
        // Of two starts within a second, the start by a corrected clock may be the earlier one.
        const margin = work.isCorrected || isCorrected ? CLOCK_MILLISECONDS : 0
        // Another device may have started a timer after a start failed here. If that timer still
        // runs, it continues when Track offline is pressed: the tracked work ends at that start,
        // and its time is offered. So it is if the server had the session that had failed here, and that
        // start has ended it.
        const isOver = (at: number) =>
          stopsOf(other).some((stop) => stop.at >= at && stop.sentAt <= since)
        const isThere = work.events.some(
          ({ kind, storedAt }) => kind === 'start' && storedAt <= since,
        )
        const isInTheWay = (at: number) =>
          work.isTrackedOffline && at > Math.min(...work.begun) - margin && (isThere || !isOver(at))

        const after = since - margin
        // A timer that the server had only together with its stop has not run there. One that it had only
        // after Track offline ends others as of that press.
        const hasRunThere = ({ at: startedAt, device, storedAt, firstStoredAt }: Event) =>
          stopsOf(other).every((stop) => stop.device !== device || stop.storedAt !== storedAt) &&
          !begun.some((at) => at > startedAt && at < firstStoredAt)
        const starts = events
          .filter(({ at }) => begun.includes(at) && (at > after || isInTheWay(at)))
          .map((each) => (hasRunThere(each) ? each : { ...each, storedAt: Infinity }))
        // A start or a continuation whose moment its device cannot know may lie anywhere until it was sent.
        const unsure = events.filter(
          ({ at, isUndated, firstStoredAt }) =>
            begun.includes(at) && isUndated && firstStoredAt > after,
        )
        return [
          ...starts,
          ...resumedOnCard.filter(({ at }) => at > after),
          // It may end the work some seconds earlier without a question.
          ...(hasLostClock
            ? unsure.map((each) => ({ ...each, at: each.firstStoredAt - SHORT_OVERLAP }))
            : []),
        ]
      })
    return [...inOrder(work).filter(({ kind }) => kind === 'stop'), ...others]
  }

  /**
   * Returns whether the pause was pressed after another device's timer had already ended this one.
   * The pause is then not in the entry. A device that does not know of the pause and continues or splits
   * the work continues from that end.
   */
  function isOfEndedWork({ begun, events, splits }: Work, pause: Event): boolean {
    const since = Math.max(...begun.filter((at) => at <= pause.at))
    const isEnded = works.some(
      (other) => other.events !== events && other.begun.some((at) => at > since && at < pause.at),
    )
    const goneOn = [...events.filter(({ kind }) => kind === 'again'), ...splits]
    return isEnded && goneOn.some(({ at, device }) => at > pause.at && device !== pause.device)
  }

  /**
   * Returns when another timer ended the work while a device showed it running, and that device
   * continued or split it later. As after a stop, the time from there on is no pause of `device`.
   */
  function endsElsewhere(work: Work, device: number): number[] {
    const shown = shownBy(work, EVER.end)
    const started = works.filter((other) => other !== work).flatMap(({ begun }) => begun)
    const continued = work.events.filter(
      ({ kind, at }) => kind !== 'start' && work.begun.includes(at),
    )
    const goneOn = [...continued, ...work.splits].filter((each) => each.device !== device)
    return started.filter((at) =>
      goneOn.some(
        (each) =>
          each.at > at && shown[each.device]?.some(({ start, end }) => start <= at && at < end),
      ),
    )
  }

  function paused(work: Work): Span[] {
    const stop = stopOf(work)
    // Only pauses that reached the backend before the stop, because a later one may come too late.
    const heard = pausesOf(work, stop?.at ?? Infinity).filter(
      ({ begun }) =>
        stop && begun.sentAt < stop.at && !isOfEndedWork(work, begun) && !isUnsure(work, begun),
    )
    // A device that had not heard of the pause shows the timer running again after its undo.
    const agains = work.events.filter(
      ({ kind, at, device }) =>
        kind === 'again' && shownBy(work, EVER.end)[device]?.some(({ start }) => start === at),
    )
    return without(
      heard.map(({ span: { start, end }, begun: { device } }) => {
        const others = agains.filter((again) => again.device !== device)
        // Who moves the start past a pause of another device says that the timer ran from there on.
        const moves = work.moves.filter((move) => move.device !== device)
        const over = [
          ...others.map(({ at }) => at),
          ...endsElsewhere(work, device),
          ...moves.map(({ startedAt }) => startedAt),
        ]
        return { start, end: Math.min(end, ...over.filter((at) => at > start)) }
      }),
      work.released,
    )
  }
}
