/**
 * Where a person's record is read and figures are computed from it: a long record in a thread with time and memory of
 * its own, one at a time, the persons in turn; a short one at once. Nobody else waits for either
 * (docs/decisions/0029-slow-reads.md).
 */
import { RecordReader } from '#api/record.ts'
import { apiErrorFrom, tooLongForHistory } from '#errors.ts'
import { fairQueue } from '#fair-queue.ts'
import type { Throttle } from '#http/throttle.ts'
import type { Database } from '#storage/database.ts'
import { thread, ThreadEnded } from '#thread.ts'
import type { Thread } from '#thread.ts'
import { runRead } from './reads.ts'
import type { Answered, Asked, ReadName } from './reads.ts'
import type { ReadReply, ReadRequest } from './worker.ts'

/** The longest record that is read on the event loop, a year of most people. `call-cost.test.ts` bounds its worst read. */
export const MAX_SHORT = { documents: 2500, bytes: 1024 * 1024 }

/** The processor time of a read, and how long it may wait before, in milliseconds; a handler has ten seconds. */
const MAX_TIME = 5000
const MAX_WAIT = 4000

/** The memory of the thread, in mebibytes. */
const MAX_MEBIBYTES = 512

/** After how long without a read the thread ends and gives back its memory, in milliseconds. */
const MAX_IDLE = 30_000

export class Histories {
  readonly #db: Database
  readonly #limitConcurrency: Throttle['limitConcurrency']
  readonly #warn: (text: string) => void
  readonly #enqueue = fairQueue(1, MAX_WAIT)
  readonly #thread: Thread<ReadRequest, ReadReply>

  /** @param warn is called when a read took too long or too much memory. */
  constructor(
    db: Database,
    { limitConcurrency }: Pick<Throttle, 'limitConcurrency'>,
    warn: (text: string) => void,
    maxTime: number = MAX_TIME,
  ) {
    this.#db = db
    this.#limitConcurrency = limitConcurrency
    this.#warn = warn
    this.#thread = thread(new URL('worker.ts', import.meta.url), {
      data: db.url,
      maxMebibytes: MAX_MEBIBYTES,
      maxTime,
      maxIdle: MAX_IDLE,
    })
  }

  /**
   * Runs a read of the owner's record.
   * @param asked what the read of that name takes.
   * @throws ApiError general_service_unavailable when too much waits, or when the read takes too long or too much memory;
   * general_rate_limit_exceeded when the owner has eight reads underway; what the read throws.
   */
  async read<Name extends ReadName>(
    name: Name,
    owner: string,
    asked: Asked<Name>,
  ): Promise<Answered<Name>> {
    if (await this.#isShort(owner)) return runRead(name, new RecordReader(this.#db, owner), asked)
    const reply = await this.#limitConcurrency(`history ${owner}`, () =>
      this.#enqueue(owner, () => this.#inThread({ name, owner, asked })),
    )
    if ('refused' in reply) throw apiErrorFrom(reply.refused)
    if ('thrown' in reply) throw reply.thrown
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to this read
    return reply.answer as Answered<Name>
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  async #inThread(request: ReadRequest): Promise<ReadReply> {
    try {
      return await this.#thread.ask(request)
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error
      this.#warn(`A read of a history was ended: ${error.message}`)
      throw tooLongForHistory()
    }
  }

  async #isShort(owner: string): Promise<boolean> {
    const { build } = this.#db
    const [usage] = await this.#db.read(
      build
        .selectFrom('document_usage')
        .select(({ fn }) => [
          fn.sum<number | string | null>('documents').as('documents'),
          fn.sum<number | string | null>('bytes').as('bytes'),
        ])
        .where('owner', '=', owner),
    )
    const { documents, bytes } = usage ?? {}
    return Number(documents) <= MAX_SHORT.documents && Number(bytes) <= MAX_SHORT.bytes
  }
}
