/** The mails about an account. */
import type { t as translate } from '@stint/core/text.ts'
import type { Mail } from '#mail/mailer.ts'
import type { IssuedSecret } from './secrets.ts'

/**
 * Returns the mail with a link to the page `url`, which sets a new password or verifies the address. `t` translates into
 * the language of the mail. The greeting has no name: anyone may have signed up with the address and chosen the name.
 */
export function secretMail(
  to: string,
  url: string,
  issued: IssuedSecret,
  t: typeof translate,
): Mail {
  const link = secretLink(url, issued)
  const [subject, ...parts] =
    issued.token.purpose === 'recovery'
      ? [
          t('Password Reset for Stint'),
          t(
            'we received a request to reset your password for Stint. Choose a new password with this link. It works once and expires in an hour:',
          ),
          link,
          t('If you did not request this, ignore this email. Your password stays the same.'),
        ]
      : [
          t('Account Verification for Stint'),
          t(
            'confirm your email address for Stint with this link. It works once and expires in an hour:',
          ),
          link,
        ]
  return { to, subject, text: [t('Hello,'), ...parts].join('\n\n') }
}

/** Returns the link to the page `url` with user, secret and expiry in its query. */
export function secretLink(url: string, { token, secret }: IssuedSecret): string {
  const link = new URL(url)
  link.searchParams.set('userId', token.user_id)
  link.searchParams.set('secret', secret)
  link.searchParams.set('expire', token.expires_at)
  return link.href
}
