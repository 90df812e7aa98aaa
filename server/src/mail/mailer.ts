/** The one place that sends mail. */
import { createTransport } from 'nodemailer'
import type { Config } from '#config.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /**
   * Sends in the background, once it is written: who asks must not learn from the time it takes,
   * nor wait. Null is no mail.
   */
  send(mail: Mail | Promise<Mail | null>): void
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
      const sent = deliver(mail)
        .catch(onError)
        .finally(() => sending.delete(sent))
      sending.add(sent)
    },
    async idle() {
      await Promise.all(sending)
    },
  }

  async function deliver(mail: Mail | Promise<Mail | null>): Promise<void> {
    const written = await mail
    if (written !== null) await transport.sendMail(written)
  }
}
