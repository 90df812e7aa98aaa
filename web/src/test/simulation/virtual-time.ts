/**
 * Time that passes only when a run lets it. Timers of the page's code run in order of their time.
 * Before the next timer runs, everything that the last one began has settled.
 */
import { vi } from 'vitest'

export interface VirtualTime {
  /** Returns the true time in epoch milliseconds. */
  readonly now: () => number
  /** Runs `work` after `milliseconds` from now. */
  readonly schedule: (work: () => void, milliseconds: number) => number
  readonly cancel: (id: number) => void
  /** Lets `milliseconds` pass, and runs everything that is due in them. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** Resolves when nothing can run without time passing. */
  readonly settle: () => Promise<void>
  /**
   * Registers work outside of timers: a transaction, a request at the server. Returns the function
   * that ends it.
   */
  readonly begin: () => () => void
  /** Removes every timer. */
  readonly clear: () => void
}

interface Due {
  readonly at: number
  readonly id: number
  readonly work: () => void
}

/** Turns of the event loop, about a minute of them. Work at the server and on the disk takes thousands. */
const MAX_TURNS = 20_000_000

/**
 * Returns a time that begins at `start`. `onNow` receives each new instant. Everything counts as settled after
 * `quietTurns` idle turns of the event loop.
 */
export function createVirtualTime(
  start: number,
  onNow: (now: number) => void,
  quietTurns: number,
): VirtualTime {
  const turn = globalThis.setImmediate
  let now = start
  let ids = 0
  let busy = 0
  /** The timers, the latest first. */
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
    for (let turns = 0; quiet < quietTurns; turns++) {
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

/**
 * Returns whether `other` runs before `due`. Of two at one instant, the one that was scheduled
 * first runs first.
 */
function isBefore(other: Due | undefined, due: Due): boolean {
  return other !== undefined && (other.at < due.at || (other.at === due.at && other.id < due.id))
}

/**
 * Replaces the page's timers and `Date.now` by the virtual time. Returns a function that restores
 * them. Spies are not used, because they would store every call.
 */
export function stubTimers(time: () => VirtualTime): () => void {
  const { now } = Date
  // Browsers drop fractions of a delay, and `Date.now` has none.
  vi.stubGlobal('setTimeout', (work: () => void, milliseconds = 0) =>
    time().schedule(work, Math.trunc(milliseconds)),
  )
  vi.stubGlobal('clearTimeout', (id: unknown) => {
    if (typeof id === 'number') time().cancel(id)
  })
  Date.now = () => time().now()
  return () => {
    Date.now = now
  }
}
