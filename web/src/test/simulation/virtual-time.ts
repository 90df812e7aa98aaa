/**
 * Time that passes only when a run lets it. Timers of the page's code run in order of their time; before
 * the next one runs, everything that the last one began has come to rest.
 */
import { vi } from 'vitest'

export interface VirtualTime {
  /** True time, epoch milliseconds. */
  readonly now: () => number
  /** Runs `work` so many milliseconds from now. */
  readonly schedule: (work: () => void, milliseconds: number) => number
  readonly cancel: (id: number) => void
  /** Lets so many milliseconds pass, with everything that is due in them. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** Resolves when nothing runs any more without time passing. */
  readonly settle: () => Promise<void>
  /** Counts work that runs outside of timers: a transaction, a request at the server. Returns its end. */
  readonly begin: () => () => void
  /** Forgets every timer. */
  readonly clear: () => void
}

interface Due {
  readonly at: number
  readonly id: number
  readonly work: () => void
}

/** Turns of the event loop in which nothing happens before all has come to rest. */
const QUIET_TURNS = 3
const MAX_TURNS = 20_000

/** A time that begins at `start`; `onNow` hears each new instant. */
export function createVirtualTime(start: number, onNow: (now: number) => void): VirtualTime {
  const turn = globalThis.setImmediate
  let now = start
  let ids = 0
  let busy = 0
  /** The latest first. */
  let queue: Due[] = []

  return { now: () => now, schedule, cancel, pass, settle, begin, clear: () => void (queue = []) }

  function schedule(work: () => void, milliseconds: number): number {
    ids += 1
    const due = { at: now + Math.max(0, milliseconds), id: ids, work }
    let index = queue.length
    while (index > 0 && isBefore(queue[index - 1], due)) index -= 1
    queue.splice(index, 0, due)
    return ids
  }

  function cancel(id: number): void {
    const index = queue.findIndex((due) => due.id === id)
    if (index !== -1) queue.splice(index, 1)
  }

  async function pass(milliseconds: number): Promise<void> {
    const end = now + milliseconds
    await settle()
    for (let due = queue.at(-1); due && due.at <= end; due = queue.at(-1)) {
      queue.pop()
      move(due.at)
      due.work()
      await settle()
    }
    move(end)
  }

  function move(to: number): void {
    now = to
    onNow(now)
  }

  async function settle(): Promise<void> {
    let quiet = 0
    for (let turns = 0; quiet < QUIET_TURNS; turns += 1) {
      if (turns > MAX_TURNS) throw new Error('What runs does not come to rest')
      await new Promise((resolve) => turn(resolve))
      quiet = busy > 0 ? 0 : quiet + 1
    }
  }

  function begin(): () => void {
    busy += 1
    let isOver = false
    return () => {
      if (!isOver) busy -= 1
      isOver = true
    }
  }
}

/** Of two at one instant the one that was scheduled first runs first. */
function isBefore(other: Due | undefined, due: Due): boolean {
  return other !== undefined && (other.at < due.at || (other.at === due.at && other.id < due.id))
}

/**
 * Puts the virtual time in the place of the page's timers and of `Date.now`; returns a function that ends
 * it. No spies: they would keep every call.
 */
export function stubTimers(time: () => VirtualTime): () => void {
  const { now } = Date
  vi.stubGlobal('setTimeout', (work: () => void, milliseconds = 0) =>
    time().schedule(work, milliseconds),
  )
  vi.stubGlobal('clearTimeout', (id: unknown) => {
    if (typeof id === 'number') time().cancel(id)
  })
  Date.now = () => time().now()
  return () => {
    Date.now = now
  }
}
