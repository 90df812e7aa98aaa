/** What is mailed to people about their account. */
import type { Mail } from '#mail/mailer.ts'
import type { IssuedSecret } from './secrets.ts'

/** Without a name: anybody may have signed up with the address and chosen the name. */
const GREETING = 'Hello,'

/** The mail with a link to the page `url` that sets a new password. */
export function recoveryMail(to: string, url: string, issued: IssuedSecret): Mail {
  return {
    to,
    subject: 'Password Reset for Stint',
    text: [
      GREETING,
      'somebody, hopefully you, asked to reset your password for Stint. This link lets you choose a new one; it works once, within the next hour:',
      secretLink(url, issued),
      'If it was not you, ignore this mail: your password stays as it is.',
    ].join('\n\n'),
  }
}

/** The mail with a link to the page `url` that proves the address. */
export function verificationMail(to: string, url: string, issued: IssuedSecret): Mail {
  return {
    to,
    subject: 'Account Verification for Stint',
    text: [
      GREETING,
      'this link confirms that the address is yours; it works once, within the next hour:',
      secretLink(url, issued),
    ].join('\n\n'),
  }
}

/** The link to the page `url` with user, secret and expiry in its query. */
export function secretLink(url: string, { token, secret }: IssuedSecret): string {
  const link = new URL(url)
  link.searchParams.set('userId', token.user_id)
  link.searchParams.set('secret', secret)
  link.searchParams.set('expire', token.expires_at)
  return link.href
}
