/** The one place that sends mail. */
import { createTransport } from 'nodemailer'
import type { Config } from '#config.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Sends in the background: who asks must not learn from the time it takes, nor wait. */
  send(mail: Mail): void
  /** Resolves when all that was to be sent has been, or has failed. */
  idle(): Promise<void>
}

/**
 * Makes the mailer, or null when no SMTP_URL is set.
 * @param onError hears why a mail could not be sent.
 */
export function createMailer(config: Config, onError: (error: unknown) => void): Mailer | null {
  if (config.smtpUrl === null) return null
  const transport = createTransport(config.smtpUrl, { from: config.mailFrom })
  const sending = new Set<Promise<void>>()
  return {
    send(mail) {
      const sent = transport
        .sendMail(mail)
        .then(() => {}, onError)
        .finally(() => sending.delete(sent))
      sending.add(sent)
    },
    async idle() {
      await Promise.all(sending)
    },
  }
}
