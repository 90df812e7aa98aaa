/** The messages between processes that share a PostgreSQL database: LISTEN and NOTIFY. */
import { Client } from 'pg'
import type { Pool } from 'pg'

/** How long after a lost connection to reconnect, in milliseconds. */
const RECONNECT_AFTER = 1000

/** The largest notice in bytes; PostgreSQL accepts less than 8000. */
const MAX_NOTICE = 7900

/**
 * How often the listening connection is checked, and how long a check is valid; in milliseconds.
 */
const PROVE_EVERY = 200
const PROOF_LASTS = 800

/**
 * Sends messages to the other processes. The messages of one turn of the event loop share as few
 * notices as possible.
 */
export class Publisher {
  readonly #pool: Pool
  readonly #channel: string
  readonly #sender: string
  #messages: string[] = []
  #sending: Promise<unknown> = Promise.resolve()

  /** @param sender names this process, so that it ignores its own messages. */
  constructor(pool: Pool, channel: string, sender: string) {
    this.#pool = pool
    this.#channel = channel
    this.#sender = sender
  }

  publish(message: string): void {
    this.#messages.push(message)
    if (this.#messages.length === 1) setImmediate(() => this.#send())
  }

  /** Resolves when all sent messages have arrived or failed. */
  async idle(): Promise<void> {
    await this.#sending
  }

  #send(): void {
    const notices = packed(this.#sender, this.#messages)
    this.#messages = []
    this.#sending = Promise.all(
      notices.map((notice) =>
        this.#pool.query({
          name: 'notify',
          text: 'select pg_notify($1, $2)',
          values: [this.#channel, notice],
        }),
      ),
      // Clients see the change of a lost message when they fetch again.
    ).catch(() => {})
  }
}

/** Returns the messages as notices, one per line after a line with the sender. */
function packed(sender: string, messages: readonly string[]): string[] {
  const notices: string[] = []
  let notice = sender
  let bytes = 0
  for (const message of messages) {
    const added = Buffer.byteLength(message) + 1
    if (bytes > 0 && sender.length + bytes + added > MAX_NOTICE) {
      notices.push(notice)
      notice = sender
      bytes = 0
    }
    notice += `\n${message}`
    bytes += added
  }
  return [...notices, notice]
}

/** Returns the messages of a notice; none if it was sent by `sender` itself. */
export function unpacked(notice: string, sender: string): string[] {
  return notice.startsWith(sender) ? [] : notice.split('\n').slice(1)
}

export interface NoticeHandlers {
  readonly onNotice: (text: string) => void
  /** Called when a lost connection is back: notices may have been missed. */
  readonly onReconnect: () => void
  /** Called when all earlier notices have arrived; later ones arrive until the given time. */
  readonly onProof: (until: number) => void
}

/**
 * Listens on a separate connection, and reconnects when it breaks. Returns a function that ends it.
 */
export function listen(url: string, channel: string, handlers: NoticeHandlers): () => void {
  let isStopped = false
  let client: Client | null = null
  /** The client, once it listens. */
  let listening: Client | null = null
  let retry: NodeJS.Timeout | undefined
  let isProving = false
  const proofs = setInterval(() => void prove(), PROVE_EVERY)
  proofs.unref()
  void start(false)
  return () => {
    isStopped = true
    clearInterval(proofs)
    clearTimeout(retry)
    handlers.onProof(0)
    void client?.end().catch(() => {})
  }

  async function start(isAgain: boolean): Promise<void> {
    const next = new Client({ connectionString: url, keepAlive: true })
    const reconnect = (): void => {
      if (isStopped || client !== next) return
      client = null
      listening = null
      handlers.onProof(0)
      retry = setTimeout(() => void start(true), RECONNECT_AFTER)
    }
    client = next
    next.on('error', reconnect)
    next.on('end', reconnect)
    next.on('notification', ({ payload = '' }) => handlers.onNotice(payload))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      if (isAgain) handlers.onReconnect()
      if (client === next) listening = next
      await prove()
    } catch {
      reconnect()
    }
  }

  /** The reply to a query on this connection arrives after all notices that were sent before the query. */
  async function prove(): Promise<void> {
    if (listening === null || isProving) return
    isProving = true
    const asked = performance.now()
    const proof = listening
    await proof.query('select 1').then(
      () => proof === listening && handlers.onProof(asked + PROOF_LASTS),
      () => {},
    )
    isProving = false
  }
}
