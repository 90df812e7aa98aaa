/**
 * Code that is loaded on demand. The network may be away when it is needed, so a failed load is retried
 * (docs/decisions/0042-what-loads-first.md).
 */

const FIRST_RETRY_MILLISECONDS = 1000
const LAST_RETRY_MILLISECONDS = 60_000

interface Options {
  /** Ends the retries. The promise then stays pending. */
  readonly signal?: AbortSignal
  /** Called with the error of each load that failed. */
  readonly onFailure?: (error: unknown) => void
}

/**
 * Calls `load` until it succeeds, and resolves with what it loads; never rejects. A failed load is retried
 * when the network returns and when the window gets the focus. While the browser has a network, it is also
 * retried after a wait that doubles from a second up to a minute.
 */
export async function untilLoaded<T>(
  load: () => Promise<T>,
  { signal, onFailure }: Options = {},
): Promise<T> {
  for (let wait = FIRST_RETRY_MILLISECONDS; ; wait = Math.min(2 * wait, LAST_RETRY_MILLISECONDS)) {
    try {
      const loaded = await load()
      return signal?.aborted ? await never() : loaded
    } catch (error) {
      if (signal?.aborted) return never()
      onFailure?.(error)
    }
    await comeBack(wait, signal)
  }
}

/** Resolves when the network or the user is back; with a network after `milliseconds` at the latest. */
function comeBack(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController()
    const end = () => {
      clearTimeout(timeout)
      ended.abort()
    }
    const retry = () => {
      end()
      resolve()
    }
    const timeout = setTimeout(() => {
      if (navigator.onLine) retry()
    }, milliseconds)
    addEventListener('online', retry, { signal: ended.signal })
    addEventListener('focus', retry, { signal: ended.signal })
    signal?.addEventListener('abort', end, { signal: ended.signal })
  })
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}
