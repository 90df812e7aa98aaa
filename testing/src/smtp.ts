/** A mail server on loopback that keeps the mails it receives, for tests. */
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { SMTPServer } from 'smtp-server'

export interface TestSmtp {
  /** For SMTP_URL. */
  readonly url: string
  /** All mails received, oldest first, as text. */
  readonly mails: readonly string[]
  /** How many were received encrypted. */
  encrypted(): number
  /** Resolves with the next mail that arrives. */
  nextMail(): Promise<string>
  close(): Promise<void>
}

/** Starts one on a free port; with `startTls` it offers that, with a certificate of its own. */
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
    const mail = (await text(stream)).replaceAll('=\r\n', '').replaceAll('=3D', '=')
    mails.push(mail)
    done()
    for (const tell of waiting.splice(0)) tell(mail)
  }
}

/** The first link in a mail. */
export function linkIn(mail: string): URL {
  return new URL(/http:\S+/.exec(mail)?.[0] ?? '')
}
