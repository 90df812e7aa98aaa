/** Sends mail. */
import { createTransport } from 'nodemailer'
import { isLoopbackHost } from '#config.ts'
import type { Config } from '#config.ts'
import { isPlainObject } from '#json.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /**
   * Sends in the background once the promise resolves; null sends nothing. The caller does not
   * wait, so that the time of a reply does not reveal whether a mail was sent. Failures are passed
   * to `onFailure`.
   */
  send(mail: Mail | Promise<Mail | null>): void
  /** Resolves when every mail is sent or has failed. */
  idle(): Promise<void>
}

/** Why a mail was not sent, for the log. It never names the recipient. */
export interface MailFailure {
  readonly message: string
  /** The code of Node, TLS or nodemailer: `ECONNREFUSED`, `CERT_HAS_EXPIRED` or `EENVELOPE` for example. */
  readonly code: string
  /** The mail server's reply, 550 for example; null when there was none. */
  readonly responseCode: number | null
}

/**
 * The message for a mail server without STARTTLS: links that give access to accounts must not be
 * sent in clear text.
 */
const NO_TLS =
  'mail not sent: the server of SMTP_URL does not offer STARTTLS, and Stint sends mail encrypted unless the server is on this machine. Turn STARTTLS on there, or use smtps:// (often port 465).'

/**
 * Returns the mailer, or null if SMTP_URL is not set.
 * @param onFailure is called for each mail that could not be sent.
 */
export function createMailer(
  config: Config,
  onFailure: (failure: MailFailure) => void,
): Mailer | null {
  if (config.smtpUrl === null) return null
  const transport = createTransport(encrypted(config.smtpUrl), { from: config.mailFrom })
  const sending = new Set<Promise<void>>()
  return {
    send(mail) {
      const sent = deliver(mail)
        .catch((error: unknown) => onFailure(failureOf(error)))
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

/** Returns the URL, with STARTTLS required for any server that is not on this machine. */
function encrypted(smtpUrl: string): string {
  if (!URL.canParse(smtpUrl)) return smtpUrl
  const url = new URL(smtpUrl)
  if (url.protocol !== 'smtp:' || isLoopbackHost(url.hostname)) return smtpUrl
  url.searchParams.delete('ignoreTLS')
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

/** nodemailer's errors contain the recipient in several places, so only their codes are kept. */
function failureOf(error: unknown): MailFailure {
  const fields: Record<string, unknown> = isPlainObject(error) ? error : {}
  const { code, responseCode } = fields
  // The code of a TLS error, for example about a certificate.
  const cause = fields['originalCode'] ?? code
  return {
    message: code === 'ETLS' && typeof responseCode === 'number' ? NO_TLS : 'mail not sent',
    code: typeof cause === 'string' ? cause : error instanceof Error ? error.name : 'unknown',
    responseCode: typeof responseCode === 'number' ? responseCode : null,
  }
}
