/**
 * A small model of the timer: what each device shows, what it has not sent yet, and what the server
 * then knows. It has no documents, no calls and no database. Times are epoch milliseconds. A run is
 * the list of presses on a timer, in order of time.
 */
export interface Run {
  readonly id: string
  /** Of two runs that began at the same moment, the one with the greater text is newer. */
  readonly order: string
  readonly taskId: string
  readonly startedAt: number
  readonly turns: readonly Turn[]
}

interface Turn {
  readonly at: number
  readonly to: 'running' | 'paused'
}

type Unsent =
  | { readonly kind: 'start'; readonly id: string; readonly pressedAt: number }
  | { readonly kind: 'turn'; readonly id: string; readonly turn: Turn }
  | { readonly kind: 'stop'; readonly run: Run; readonly at: number }

/**
 * News of a timer that was started on another device may take this long. Until then the two do not
 * count as running at once.
 */
const NEWS_MILLISECONDS = 5000

export class ModelDevice {
  online = true
  timer: Run | null = null
  readonly unsent: Unsent[] = []
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export function isRunning({ turns }: Run): boolean {
  return turns.at(-1)?.to !== 'paused'
}

/** Returns whole seconds worked by `now`. */
export function secondsOf({ startedAt, turns }: Run, now: number): number {
  let worked = 0
  let since: number | null = startedAt
  for (const { at, to } of turns.filter((turn) => turn.at <= now)) {
    if (to === 'paused' && since !== null) {
      worked += at - since
      since = null
    } else if (to === 'running') since ??= at
  }
  return Math.floor((worked + (since === null ? 0 : Math.max(0, now - since))) / 1000)
}

function withTurn(run: Run, turn: Turn): Run {
  return { ...run, turns: [...run.turns, turn].toSorted((a, b) => a.at - b.at) }
}

export class TimerModel {
  now: number
  /** The session on the server. */
  current: Run | null = null
  /** Seconds of the entries on the server, by session. */
  readonly saved = new Map<string, number>()
  /** Sessions that have ended, including those with nothing to save. */
  readonly #ended = new Set<string>()

  constructor(now: number) {
    this.now = now
  }

  /** Starts a timer. Without a network nothing starts, unless it is tracked offline. */
  start(device: ModelDevice, id: string, taskId: string, isTrackedOffline: boolean): void {
    if (device.timer?.taskId === taskId || (isTrackedOffline && device.timer)) {
      return this.sync(device)
    }
    this.#end(device, this.now)
    if (device.online || isTrackedOffline) {
      // Track offline is pressed after a start.
      const order = `${isTrackedOffline ? 1 : 0} ${device.name}`
      device.timer = { id, order, taskId, startedAt: this.now, turns: [] }
      device.unsent.push({ kind: 'start', id, pressedAt: this.now })
    }
    this.sync(device)
  }

  /**
   * Pauses or resumes the timer. A press that cannot be sent to the server ends and saves the
   * timer.
   */
  change(device: ModelDevice, to: Turn['to']): void {
    const { timer } = device
    if (!timer || (to === 'running') === isRunning(timer)) return this.sync(device)
    const isUnsent = device.unsent.some(({ kind }) => kind === 'start')
    const turn = { at: this.now, to }
    device.timer = withTurn(timer, turn)
    device.unsent.push({ kind: 'turn', id: timer.id, turn })
    if (!device.online && !isUnsent) this.#end(device, this.now)
    this.sync(device)
  }

  stop(device: ModelDevice): void {
    this.#end(device, this.now)
    this.sync(device)
  }

  /** Signs out and in. The device sends its queue and forgets the rest. */
  signOutAndIn(device: ModelDevice): void {
    this.#send(device)
    device.timer = null
    this.sync(device)
  }

  /** Sends the queue, then shows what the server knows. */
  sync(device: ModelDevice): void {
    if (!device.online) return
    this.#send(device)
    const { timer } = device
    if (timer && timer.id !== this.current?.id && !this.#ended.has(timer.id)) {
      // The session is missing on the server, so that it is created again with its old start.
      device.unsent.push({ kind: 'start', id: timer.id, pressedAt: timer.startedAt })
      return this.sync(device)
    }
    device.timer = this.current
  }

  #send(device: ModelDevice): void {
    for (let work = device.unsent.shift(); work; work = device.unsent.shift()) {
      this.#receive(device, work)
    }
  }

  #receive(device: ModelDevice, work: Unsent): void {
    switch (work.kind) {
      case 'start': {
        if (device.timer?.id !== work.id) return
        const other = this.current
        if (other && isNewer(other, device.timer, work.pressedAt)) {
          // Two timers ran at once: both are kept whole.
          const isLate = this.now - other.startedAt > NEWS_MILLISECONDS && isRunning(device.timer)
          this.#end(device, isLate ? this.now : other.startedAt)
          device.timer = other
          return
        }
        if (other && other.id !== work.id) this.#save(other.id, secondsOf(other, work.pressedAt))
        this.current = device.timer
        return
      }
      case 'turn':
        if (this.current?.id === work.id) this.current = withTurn(this.current, work.turn)
        return
      case 'stop': {
        const run = this.current?.id === work.run.id ? this.current : work.run
        this.#save(run.id, secondsOf(run, work.at))
      }
    }
  }

  #end(device: ModelDevice, at: number): void {
    const { timer } = device
    if (!timer) return
    const last = timer.turns.at(-1)?.at ?? timer.startedAt
    device.unsent.push({ kind: 'stop', run: timer, at: Math.max(at, last) })
    device.timer = null
  }

  /**
   * Saves the seconds of a session. The first stop counts. A timer that ran for less than a whole
   * second is not saved.
   */
  #save(id: string, seconds: number): void {
    if (seconds > 0 && !this.#ended.has(id)) this.saved.set(id, seconds)
    if (seconds > 0 || this.current?.id === id) this.#ended.add(id)
    if (this.current?.id === id) this.current = null
  }
}

/**
 * Returns whether `other` is newer than a run that began at `pressedAt`. Of two that began at the same
 * moment, every device must take the same one as newer.
 */
function isNewer(other: Run, run: Run, pressedAt: number): boolean {
  if (other.startedAt !== pressedAt) return other.startedAt > pressedAt
  return other.order === run.order ? other.id > run.id : other.order > run.order
}
