/** A mail server on loopback that stores received mails, for tests. */
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { SMTPServer } from 'smtp-server'

export interface TestSmtp {
  /** The value of SMTP_URL. */
  readonly url: string
  /** All mails received, oldest first, as text. */
  readonly mails: readonly string[]
  /** Returns how many were received encrypted. */
  encrypted(): number
  /** Resolves with the next mail that arrives. */
  nextMail(): Promise<string>
  close(): Promise<void>
}

/**
 * Starts a mail server on a free port. `startTls` offers STARTTLS with a self-signed certificate.
 */
export async function startTestSmtp({ startTls = false } = {}): Promise<TestSmtp> {
  const mails: string[] = []
  let encrypted = 0
  const waiting: ((mail: string) => void)[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('refused') ? new Error(`No mailbox ${address}`) : undefined),
    onData: (stream, { secure }, done) => {
      if (secure) encrypted++
      void keep(stream, done)
    },
  })
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done))
  const address = smtp.server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    mails,
    encrypted: () => encrypted,
    nextMail: () => new Promise((done) => void waiting.push(done)),
    close: () => new Promise((done) => smtp.close(done)),
  }

  async function keep(stream: Readable, done: () => void): Promise<void> {
    const mail = decoded(await text(stream))
    mails.push(mail)
    done()
    for (const tell of waiting.splice(0)) tell(mail)
  }
}

/** Decodes quoted-printable text. */
function decoded(mail: string): string {
  return mail
    .replaceAll('=\r\n', '')
    .replaceAll(/(?:=[\dA-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
    )
}

/** Returns the first link in a mail. */
export function linkIn(mail: string): URL {
  return new URL(/http:\S+/.exec(mail)?.[0] ?? '')
}
