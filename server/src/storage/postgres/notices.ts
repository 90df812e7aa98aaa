/** What the processes that share a PostgreSQL tell each other: LISTEN and NOTIFY (reliability 4.8). */
import { Client } from 'pg'

const RECONNECT_AFTER = 1000
/** PostgreSQL takes less than 8000 bytes at a time. */
const LONGEST_NOTICE = 7900

/** How often the connection that listens must prove that it does, and for how long that counts. */
const PROVE_EVERY = 200
const PROOF_LASTS = 800

/** Messages as few notices, a line each, after a line that says who speaks. */
export function packed(speaker: string, messages: readonly string[]): string[] {
  const notices: string[] = []
  let notice = speaker
  let bytes = 0
  for (const message of messages) {
    const added = Buffer.byteLength(message) + 1
    if (bytes > 0 && speaker.length + bytes + added > LONGEST_NOTICE) {
      notices.push(notice)
      notice = speaker
      bytes = 0
    }
    notice += `\n${message}`
    bytes += added
  }
  return [...notices, notice]
}

export interface Ears {
  readonly onMessage: (text: string) => void
  /** The connection was lost and is back: who knows what was said meanwhile. */
  readonly onUnknown: () => void
  /** All that was said before now has been heard; what is said is heard until the given time. */
  readonly onProof: (until: number) => void
}

/** Listens on a connection of its own, and again when it breaks, until told to stop. */
export function listen(url: string, channel: string, ears: Ears): () => void {
  let isStopped = false
  let client: Client | null = null
  /** The client once it hears what is said. */
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
    ears.onProof(0)
    void client?.end().catch(() => {})
  }

  async function start(isAgain: boolean): Promise<void> {
    const next = new Client({ connectionString: url, keepAlive: true })
    const again = (): void => {
      if (isStopped || client !== next) return
      client = null
      listening = null
      ears.onProof(0)
      retry = setTimeout(() => void start(true), RECONNECT_AFTER)
    }
    client = next
    next.on('error', again)
    next.on('end', again)
    next.on('notification', ({ payload = '' }) => ears.onMessage(payload))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(channel)}`)
      if (isAgain) ears.onUnknown()
      if (client === next) listening = next
      await prove()
    } catch {
      again()
    }
  }

  /** An answer on this connection comes after all that was said before it was asked for. */
  async function prove(): Promise<void> {
    if (listening === null || isProving) return
    isProving = true
    const asked = performance.now()
    const proof = listening
    await proof.query('select 1').then(
      () => proof === listening && ears.onProof(asked + PROOF_LASTS),
      () => {},
    )
    isProving = false
  }
}
