/**
 * Runs work in a thread with time and memory of its own. The thread starts with the first work, and again after it has
 * ended: work that exceeds a bound ends the thread, never the server.
 */
import { Worker } from 'node:worker_threads'

/** The thread ended before it answered: it took too long or too much memory. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

export interface ThreadOptions {
  /** What the script reads as `workerData`. */
  readonly data: unknown
  /** The memory of its JavaScript, in mebibytes. */
  readonly maxMebibytes: number
  /** The processor time of an answer, in milliseconds. Default: the script bounds its time itself. */
  readonly maxTime?: number
  /** After how long without work it ends, in milliseconds, to give its memory back. Default: never. */
  readonly maxIdle?: number
}

/** How often the processor time is looked at, in milliseconds. */
const CHECK_INTERVAL = 100

export interface Thread<Request, Answer> {
  /** Posts a request to the script and resolves with what it posts; one at a time. @throws ThreadEnded. */
  ask(request: Request): Promise<Answer>
  /** Ends the thread. */
  close(): Promise<void>
}

/** Returns the thread of a script, which posts one answer for each request. */
export function thread<Request, Answer>(
  script: URL,
  { data, maxMebibytes, maxTime, maxIdle }: ThreadOptions,
): Thread<Request, Answer> {
  let worker: Worker | null = null
  /** Settles the request in progress. */
  let asked: { resolve: (answer: Answer) => void; reject: (error: ThreadEnded) => void } | null =
    null
  let watch: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined

  return {
    ask(request) {
      worker ??= start()
      const current = worker
      clearTimeout(idle)
      if (maxTime !== undefined) watch = watched(current, maxTime)
      const answer = new Promise<Answer>((resolve, reject) => (asked = { resolve, reject }))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule about windows
      current.postMessage(request)
      return answer
    },
    async close() {
      const last = worker
      if (last === null) return
      failed(last, 'The server stops')
      await last.terminate()
    },
  }

  function start(): Worker {
    const started = new Worker(script, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: maxMebibytes },
    })
    started.on('message', (answer: Answer) => {
      if (worker === started) answered(started, answer)
    })
    // An error is followed by an exit.
    started.on('error', (error) => failed(started, String(error)))
    started.on('exit', () => failed(started, 'The thread ended'))
    started.unref()
    return started
  }

  /** Ends the thread when it has used that much processor time. A busy machine ends nothing. */
  function watched(current: Worker, milliseconds: number): NodeJS.Timeout {
    let before: number | null = null
    const check = ({ user, system }: NodeJS.CpuUsage) => {
      const used = (user + system) / 1000
      before ??= used
      if (used - before <= milliseconds) return
      void current.terminate()
      failed(current, 'The thread took too long')
    }
    // While a thread starts or ends, its time is not known.
    return setInterval(() => void current.cpuUsage().then(check, () => {}), CHECK_INTERVAL)
  }

  function answered(current: Worker, answer: Answer): void {
    clearInterval(watch)
    if (maxIdle !== undefined) {
      idle = setTimeout(() => {
        worker = null
        void current.terminate()
      }, maxIdle)
      idle.unref()
    }
    asked?.resolve(answer)
    asked = null
  }

  function failed(ended: Worker, reason: string): void {
    // Another thread may have started by then.
    if (worker !== ended) return
    worker = null
    clearInterval(watch)
    clearTimeout(idle)
    asked?.reject(new ThreadEnded(reason))
    asked = null
  }
}
