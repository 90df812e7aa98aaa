/**
 * Group commit: the writes that arrive in one turn of the event loop share one transaction, and each resolves only
 * after its COMMIT. All of them are durable for a single fsync.
 */
import type { Writer } from './writer.ts'

/** The largest number of writes in one commit. */
const MAX_BATCH = 200

/** One write in the queue. */
interface Job {
  /**
   * Runs the work. Returns the function to call after the commit, without a promise if possible.
   */
  run(): (() => void) | Promise<() => void>
  reject(error: unknown): void
}

interface Hooks {
  /** Called before BEGIN. */
  readonly beforeCommit: () => void
  /** Called after COMMIT or rollback, before any write resolves. */
  readonly afterCommit: () => void
}

export class GroupCommit {
  readonly #writer: Writer
  readonly #hooks: Hooks
  #queue: Job[] = []
  #isScheduled = false

  constructor(writer: Writer, hooks: Hooks) {
    this.#writer = writer
    this.#hooks = hooks
  }

  /**
   * Runs `work` in the next transaction and resolves with its result after COMMIT.
   * @param work must await nothing but this connection.
   * @throws DatabaseUnavailable, or what `work` throws; its changes are rolled back then.
   */
  write<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({
        run() {
          const result = work()
          return result instanceof Promise
            ? result.then((later) => () => resolve(later))
            : () => resolve(result)
        },
        reject,
      })
      this.#schedule()
    })
  }

  /** Commits at the end of this turn of the event loop, after all its writes are queued. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#commitAfter(0)
  }

  /** Waits another turn while each turn adds writes, which share the fsync. */
  #commitAfter(queued: number): void {
    setImmediate(() => {
      const { length } = this.#queue
      if (length > queued && length < MAX_BATCH) this.#commitAfter(length)
      else void this.#flush()
    })
  }

  async #flush(): Promise<void> {
    const jobs = this.#queue
    this.#queue = []
    this.#hooks.beforeCommit()
    const answers = await this.#commit(jobs)
    this.#hooks.afterCommit()
    this.#isScheduled = false
    if (this.#queue.length > 0) this.#schedule()
    for (const answer of answers) answer()
  }

  /**
   * Commits the jobs, in several transactions if necessary. Returns the functions that settle them.
   */
  async #commit(jobs: readonly Job[]): Promise<(() => void)[]> {
    try {
      this.#writer.reopenIfBroken()
      const result = await this.#tryBatch(jobs)
      if (Array.isArray(result)) return result
      const others = await this.#commit(jobs.filter((job) => job !== result))
      return [...others, ...(await this.#commit([result]))]
    } catch (error) {
      const cause = this.#writer.abandon(error)
      return jobs.map((job) => () => job.reject(cause))
    }
  }

  /**
   * Runs the jobs in one transaction. Only microtasks run between BEGIN and COMMIT, since no job
   * may await anything but this connection. A job that fails before it has changed anything needs
   * no rollback, as in nearly all failures.
   * @returns the functions that settle the jobs; or the job that failed after a change. In that
   * case everything is rolled back, and the others must be repeated without it.
   */
  async #tryBatch(jobs: readonly Job[]): Promise<(() => void)[] | Job> {
    const writer = this.#writer
    const answers: (() => void)[] = []
    writer.begin()
    for (const job of jobs) {
      writer.hasChanged()
      try {
        const answer = job.run()
        answers.push(answer instanceof Promise ? await answer : answer)
      } catch (error) {
        // A full disk makes SQLite roll back the whole transaction.
        const isClean = writer.isInTransaction && !writer.hasChanged()
        if (!isClean && jobs.length === 1) throw error
        if (!isClean) {
          writer.rollback()
          return job
        }
        writer.noteFailure(error)
        answers.push(() => job.reject(error))
      }
    }
    writer.commit()
    return answers
  }
}
