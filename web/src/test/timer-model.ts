/**
 * What should become of the timer, in as few words as possible: what each device shows, what it has
 * not sent yet, and what the server then knows. No documents, no calls, no database. Times are epoch
 * milliseconds; what was worked is kept as a sum, never as a list of pauses.
 */
export interface Run {
  readonly id: string
  readonly taskId: string
  readonly startedAt: number
  /** Worked before `since`, or in all while it is paused. */
  readonly worked: number
  readonly since: number | null
}

type Unsent =
  | { readonly kind: 'start'; readonly id: string; readonly pressedAt: number }
  | { readonly kind: 'change'; readonly run: Run }
  | { readonly kind: 'stop'; readonly id: string; readonly seconds: number }

export class ModelDevice {
  online = true
  timer: Run | null = null
  readonly unsent: Unsent[] = []
}

/** Whole seconds worked by `now`; a run is never cut before what was pressed on it last. */
export function secondsOf({ worked, since }: Run, now: number): number {
  return Math.floor((worked + (since === null ? 0 : Math.max(0, now - since))) / 1000)
}

export class TimerModel {
  now: number
  /** The session on the server. */
  current: Run | null = null
  /** Seconds of the entries on the server, by session. */
  readonly saved = new Map<string, number>()

  constructor(now: number) {
    this.now = now
  }

  /** Starts; without a network nothing begins, unless it is tracked offline. */
  start(device: ModelDevice, id: string, taskId: string, isTrackedOffline: boolean): void {
    if (device.timer?.taskId === taskId || (isTrackedOffline && device.timer)) {
      return this.sync(device)
    }
    this.#end(device, this.now)
    if (device.online || isTrackedOffline) {
      device.timer = { id, taskId, startedAt: this.now, worked: 0, since: this.now }
      device.unsent.push({ kind: 'start', id, pressedAt: this.now })
    }
    this.sync(device)
  }

  /** Pauses or resumes; what cannot be told to the server ends and saves the timer. */
  change(device: ModelDevice, to: 'running' | 'paused'): void {
    const { timer } = device
    if (!timer || (to === 'running') === (timer.since !== null)) return this.sync(device)
    const isUnsent = device.unsent.some(({ kind }) => kind === 'start')
    if (!device.online && !isUnsent) return this.#end(device, this.now)
    const worked = timer.since === null ? timer.worked : timer.worked + (this.now - timer.since)
    device.timer = { ...timer, worked, since: to === 'running' ? this.now : null }
    if (!isUnsent) device.unsent.push({ kind: 'change', run: device.timer })
    this.sync(device)
  }

  stop(device: ModelDevice): void {
    this.#end(device, this.now)
    this.sync(device)
  }

  /** Signs out and in: the device sends what waits, and forgets the rest. */
  signOutAndIn(device: ModelDevice): void {
    this.#send(device)
    device.timer = null
    this.sync(device)
  }

  /** Sends what waits, then shows what the server knows. */
  sync(device: ModelDevice): void {
    if (!device.online) return
    this.#send(device)
    const { timer } = device
    if (timer && timer.id !== this.current?.id && !this.saved.has(timer.id)) {
      // Gone without a trace: it is made again, as old as it is.
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
        if (other && isNewer(other, work)) {
          this.#end(device, other.startedAt)
          device.timer = other
          return
        }
        if (other && other.id !== work.id) this.#save(other.id, secondsOf(other, work.pressedAt))
        this.current = device.timer
        return
      }
      case 'change':
        if (this.current?.id === work.run.id) this.current = work.run
        return
      case 'stop':
        this.#save(work.id, work.seconds)
    }
  }

  #end(device: ModelDevice, at: number): void {
    if (!device.timer) return
    const { id } = device.timer
    device.unsent.push({ kind: 'stop', id, seconds: secondsOf(device.timer, at) })
    device.timer = null
  }

  /** The first stop counts; nothing is kept of a timer that ran for no whole second. */
  #save(id: string, seconds: number): void {
    if (seconds > 0 && !this.saved.has(id)) this.saved.set(id, seconds)
    if (this.current?.id === id) this.current = null
  }
}

/** Pressed at the same moment, one of them must be the newer one everywhere. */
function isNewer(other: Run, start: { readonly id: string; readonly pressedAt: number }): boolean {
  if (other.startedAt !== start.pressedAt) return other.startedAt > start.pressedAt
  return other.id > start.id
}
