/** Sends what waits in a queue of the database, behind the requests: a bounded number of calls at once, shared fairly. */
import type { FastifyBaseLogger } from 'fastify'
import { Shares } from './shares.ts'

/** How often the queue is read, in milliseconds: for later tries, and what other processes left. */
const POLL = 2000

/** A message that a process has claimed. */
export interface Claim {
  /** What gets one message at a time: a webhook, or a device. */
  readonly key: string
  readonly owner: string
  /** Sends the message and stores how that ended. */
  deliver(signal: AbortSignal): Promise<void>
}

export interface Queue {
  /** What the queue is of, for the log. */
  readonly name: string
  /** Queues what was noted since the last time. */
  queueNoted(): Promise<void>
  /**
   * Claims the oldest message whose time has come. Null: there is none.
   * @param busyKeys those that get a message now.
   * @param otherOwners people who are left out.
   */
  claim(busyKeys: readonly string[], otherOwners: readonly string[]): Promise<Claim | null>
}

export interface Sender {
  /** Sends what is queued. */
  wake(): void
  /** Ends calls that are in progress; they are repeated after the next start. */
  stop(): Promise<void>
}

/** Starts to send what is in the queue. */
export function createSender(queue: Queue, log: FastifyBaseLogger): Sender {
  const shares = new Shares()
  const calls = new Set<Promise<void>>()
  const stopping = new AbortController()
  let turns: Promise<void> = Promise.resolve()
  let isTurnWaiting = false
  const poll = setInterval(wake, POLL)
  poll.unref()
  wake()

  return {
    wake,
    async stop() {
      clearInterval(poll)
      stopping.abort()
      await turns
      await Promise.all(calls)
    },
  }

  function wake(): void {
    if (isTurnWaiting || stopping.signal.aborted) return
    isTurnWaiting = true
    turns = turns
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(turn)
      .catch((error: unknown) => log.warn({ err: error }, `could not read ${queue.name}`))
  }

  async function turn(): Promise<void> {
    isTurnWaiting = false
    await queue.queueNoted()
    while (!shares.isFull && !stopping.signal.aborted) {
      const claimed = await claim()
      if (claimed === null) return
      const { key, owner } = claimed
      shares.begin(key, owner)
      const call = claimed
        .deliver(stopping.signal)
        .catch((error: unknown) => log.warn({ err: error }, 'could not note a delivery'))
        .then(() => {
          calls.delete(call)
          shares.end(key)
          wake()
        })
      calls.add(call)
    }
  }

  /** Claims the oldest message of those whose turn it is. */
  async function claim(): Promise<Claim | null> {
    const { busyKeys, ownersOutOfTurn, ownersWithoutRoom } = shares
    const inTurn = await queue.claim(busyKeys, ownersOutOfTurn)
    if (inTurn !== null || ownersOutOfTurn.length === ownersWithoutRoom.length) return inTurn
    shares.beginRound()
    return queue.claim(busyKeys, ownersWithoutRoom)
  }
}
