/** The mails about an account. */
import type { Mail } from '#mail/mailer.ts'
import type { IssuedSecret } from './secrets.ts'

/** The greeting has no name: anyone may have signed up with the address and chosen the name. */
const GREETING = 'Hello,'

/** Returns the mail with a link to the page `url`, which sets a new password. */
export function recoveryMail(to: string, url: string, issued: IssuedSecret): Mail {
  return {
    to,
    subject: 'Password Reset for Stint',
    text: [
      GREETING,
      'we received a request to reset your password for Stint. Choose a new password with this link. It works once and expires in an hour:',
      secretLink(url, issued),
      'If you did not request this, ignore this email. Your password stays the same.',
    ].join('\n\n'),
  }
}

/** Returns the mail with a link to the page `url`, which verifies the address. */
export function verificationMail(to: string, url: string, issued: IssuedSecret): Mail {
  return {
    to,
    subject: 'Account Verification for Stint',
    text: [
      GREETING,
      'confirm your email address for Stint with this link. It works once and expires in an hour:',
      secretLink(url, issued),
    ].join('\n\n'),
  }
}

/** Returns the link to the page `url` with user, secret and expiry in its query. */
export function secretLink(url: string, { token, secret }: IssuedSecret): string {
  const link = new URL(url)
  link.searchParams.set('userId', token.user_id)
  link.searchParams.set('secret', secret)
  link.searchParams.set('expire', token.expires_at)
  return link.href
}
