/**
 * A small model of the timer: what each device knows of the presses on each timer, what it shows, and what the
 * server knows. It has no documents, no events, no calls and no database. Times are epoch milliseconds.
 */
export interface Run {
  readonly id: string
  readonly taskId: string
  readonly startedAt: number
  readonly presses: readonly Press[]
}

interface Press {
  readonly at: number
  readonly to: 'running' | 'paused' | 'ended'
}

type Runs = Map<string, Run>

export class ModelDevice {
  online = true
  readonly runs: Runs = new Map()
  shown: string | null = null

  get timer(): Run | null {
    return this.runs.get(this.shown ?? '') ?? null
  }
}

/** Returns the presses in order of time, up to the first end. */
function turnsOf({ presses }: Run): readonly Press[] {
  const sorted = presses.toSorted((a, b) => a.at - b.at)
  const end = sorted.findIndex(({ to }) => to === 'ended')
  return end < 0 ? sorted : sorted.slice(0, end + 1)
}

function stateOf(run: Run): Press['to'] {
  return turnsOf(run).at(-1)?.to ?? 'running'
}

export function isRunning(run: Run): boolean {
  return stateOf(run) === 'running'
}

/** Returns whole seconds worked by `now`. */
export function secondsOf(run: Run, now: number): number {
  let worked = 0
  let since: number | null = run.startedAt
  for (const { at, to } of turnsOf(run)) {
    if (to === 'running') since ??= at
    else if (since !== null) {
      worked += at - since
      since = null
    }
  }
  return Math.floor((worked + (since === null ? 0 : now - since)) / 1000)
}

/** Returns the active runs, the one that was begun last first. */
function activeOf(runs: Runs): readonly Run[] {
  const active = [...runs.values()].filter((run) => stateOf(run) !== 'ended')
  return active.toSorted((a, b) => b.startedAt - a.startedAt)
}

export class TimerModel {
  now: number
  readonly #server: Runs = new Map()

  constructor(now: number) {
    this.now = now
  }

  /** The active run on the server, which has one at most. */
  get current(): Run | null {
    return activeOf(this.#server)[0] ?? null
  }

  /** Seconds of the entries on the server, by session. A run of less than a second is not saved. */
  get saved(): ReadonlyMap<string, number> {
    const ended = [...this.#server.values()].filter((run) => stateOf(run) === 'ended')
    const seconds = ended.map((run) => [run.id, secondsOf(run, this.now)] as const)
    return new Map(seconds.filter(([, each]) => each > 0))
  }

  /** Starts a timer. Without a network nothing starts, unless it is tracked offline. */
  start(device: ModelDevice, id: string, taskId: string, isTrackedOffline: boolean): void {
    if (device.timer?.taskId !== taskId && !(isTrackedOffline && device.timer)) {
      this.#press(device, 'ended')
      device.shown = null
      if (device.online || isTrackedOffline) {
        device.runs.set(id, { id, taskId, startedAt: this.now, presses: [] })
        device.shown = id
      }
    }
    this.sync(device)
  }

  /** Pauses or resumes the timer. A press that cannot be sent ends the timer, if the server has it. */
  change(device: ModelDevice, to: 'paused' | 'running'): void {
    const { timer } = device
    if (timer && stateOf(timer) !== to) {
      this.#press(device, to)
      if (!device.online && this.#server.has(timer.id)) this.stop(device)
    }
    this.sync(device)
  }

  stop(device: ModelDevice): void {
    this.#press(device, 'ended')
    device.shown = null
    this.sync(device)
  }

  /** Signs out and in: the device sends what it knows, and forgets it. */
  signOutAndIn(device: ModelDevice): void {
    this.sync(device)
    device.runs.clear()
    device.shown = null
    this.sync(device)
  }

  /**
   * Brings the device and the server to the same presses. Of several active timers the one that was begun last
   * goes on. The others end where it began, and one on the screen ends now, because it was worked on.
   */
  sync(device: ModelDevice): void {
    if (!device.online) return
    unite(device.runs, this.#server)
    const [first, ...others] = activeOf(device.runs)
    for (const run of others) {
      const last = turnsOf(run).at(-1)?.at ?? run.startedAt
      const isWorkedOn = run.id === device.shown && isRunning(run)
      const at = Math.max(last, isWorkedOn ? this.now : (first?.startedAt ?? this.now))
      add(device.runs, { ...run, presses: [{ at, to: 'ended' }] })
    }
    device.shown = first?.id ?? null
    unite(this.#server, device.runs)
  }

  #press({ timer, runs }: ModelDevice, to: Press['to']): void {
    if (timer) add(runs, { ...timer, presses: [{ at: this.now, to }] })
  }
}

function unite(runs: Runs, others: Runs): void {
  for (const run of others.values()) add(runs, run)
}

function add(runs: Runs, run: Run): void {
  const known = runs.get(run.id)?.presses ?? []
  runs.set(run.id, { ...run, presses: [...new Set([...known, ...run.presses])] })
}
