/** When the work of sync is done: later, again and again, and each kind of round once at a time. */

/** The longest time that closing waits for pending requests, in milliseconds. */
const CLOSE_TIMEOUT_MILLISECONDS = 2000

export type Schedule = ReturnType<typeof createSchedule>

/** Returns a schedule that ends with the signal: nothing begins after that. */
export function createSchedule(signal: AbortSignal) {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const rounds = new Set<Promise<void>>()
  signal.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer)
  })
  return { signal, later, every, wait, round, ended }

  /** Does the work after so many milliseconds. Returns a function that cancels it. */
  function later(milliseconds: number, work: () => void): () => void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!signal.aborted) work()
    }, milliseconds)
    timers.add(timer)
    return () => clearTimeout(timer)
  }

  /** Does the work again and again, with so many milliseconds between. */
  function every(milliseconds: number, work: () => void): void {
    later(milliseconds, () => {
      work()
      every(milliseconds, work)
    })
  }

  /** Waits. Rejects when the schedule ends: a round that never ended would keep its lock. */
  async function wait(milliseconds: number): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      later(milliseconds, resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  /**
   * Returns a function that does this kind of round once at a time. Calls during a round share one more
   * round after it.
   */
  function round(work: () => Promise<void>): () => Promise<void> {
    return oneAtATime(async () => {
      // After a sign-out, every call would be refused.
      if (signal.aborted) return
      const done = work().finally(() => rounds.delete(done))
      rounds.add(done)
      await done
    })
  }

  /** Resolves when the rounds that have begun are over, or after a short wait. */
  async function ended(): Promise<void> {
    const timeout = Promise.withResolvers<void>()
    setTimeout(timeout.resolve, CLOSE_TIMEOUT_MILLISECONDS)
    await Promise.race([Promise.allSettled(rounds), timeout.promise])
  }
}

function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = () => {
    next = null
    const run = work().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return () => {
    // The next round begins a moment after the one before has ended.
    next ??= running ? running.then(begin, begin) : null
    return next ?? begin()
  }
}
