import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { createMailer } from './mailer.ts'
import type { MailFailure } from './mailer.ts'
import { startTestSmtp } from '@stint/testing/smtp.ts'
import type { TestSmtp } from '@stint/testing/smtp.ts'

const MAIL = { to: 'ann@example.com', subject: 'Hello', text: 'Hello' }
/** An address that reaches this machine but is not recognised as a loopback address. */
const ELSEWHERE = '0.0.0.0'

let plain: TestSmtp

beforeEach(async () => {
  plain = await startTestSmtp()
})
afterEach(() => plain.close())

test('mail through a server on this machine needs no TLS', async () => {
  expect(await send(plain.url)).toEqual([])
  expect(plain.mails).toHaveLength(1)
})

test.each(['', '?ignoreTLS=true', '?requireTLS=false'])(
  'nothing is sent to a server elsewhere without STARTTLS, and the operator is told (%s)',
  async (query) => {
    const failures = await send(`${plain.url.replace('127.0.0.1', ELSEWHERE)}/${query}`)
    expect(failures).toEqual([
      {
        message: expect.stringContaining('does not offer STARTTLS'),
        code: 'ETLS',
        responseCode: 500,
      },
    ])
    expect(plain.mails).toHaveLength(0)
  },
)

test('mail through a remote server is encrypted and requires a valid certificate', async () => {
  const secure = await startTestSmtp({ startTls: true })
  const url = secure.url.replace('127.0.0.1', ELSEWHERE)
  expect(await send(url)).toMatchObject([{ message: 'mail not sent', code: 'CERT_HAS_EXPIRED' }])
  expect(secure.mails).toHaveLength(0)
  expect(await send(`${url}/?tls.rejectUnauthorized=false`)).toEqual([])
  expect([secure.mails.length, secure.encrypted()]).toEqual([1, 1])
  await secure.close()
})

test('the reason why a mail was not sent is reported without its recipient', async () => {
  const failures = await send(plain.url, { ...MAIL, to: 'refused@example.com' })
  expect(failures).toEqual([{ message: 'mail not sent', code: 'EENVELOPE', responseCode: 550 }])
})

test('a failure to build a mail is reported by its kind only', async () => {
  const failed = Promise.reject(new TypeError('ann@example.com'))
  expect(await send(plain.url, failed)).toEqual([
    { message: 'mail not sent', code: 'TypeError', responseCode: null },
  ])
})

/** Sends a mail and waits for it. @returns the failures. */
async function send(
  smtpUrl: string,
  mail: typeof MAIL | Promise<never> = MAIL,
): Promise<MailFailure[]> {
  const failures: MailFailure[] = []
  const config = readConfig({ SMTP_URL: smtpUrl, MAIL_FROM: 'stint@example.com' })
  const mailer = createMailer(config, (failure) => void failures.push(failure))
  mailer?.send(mail)
  await mailer?.idle()
  return failures
}
