/**
 * The ways in beside the password: the proxy in front of the server, its provider, an invitation. Loaded
 * lazily: most servers have none.
 */
import { useState } from 'react'
import { t } from '@stint/core/text.ts'
import { failureFrom } from '#session/failure.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { useAuthCommands } from './use-auth-commands.ts'
import type { ServerInfo } from '#hooks/use-server-info.ts'
import { NO_CONNECTION } from './error-text.ts'

/** Signing in by the proxy in front of the server, and by its provider. */
export function OtherWays({
  provider,
  proxy,
  rememberMe,
  onError,
}: Pick<ServerInfo, 'provider' | 'proxy'> & {
  rememberMe: boolean
  onError: (text: string | null) => void
}) {
  const { signInByProxy, beginProviderSignIn } = useAuthCommands()
  const [busy, setBusy] = useState<'proxy' | 'provider' | null>(null)

  async function run(way: 'proxy' | 'provider', work: () => Promise<void>) {
    setBusy(way)
    onError(null)
    try {
      await work()
    } catch (cause) {
      onError(cause instanceof Error ? cause.message : String(cause))
      setBusy(null)
    }
  }

  return (
    <div className="flex flex-col gap-3">
      {proxy?.person != null && (
        <Button
          size="large"
          className="max-w-full shrink"
          busy={busy === 'proxy'}
          disabled={busy !== null}
          onClick={() => void run('proxy', signInByProxy)}
        >
          <span className="min-w-0 truncate">
            {t('Continue as {email}', { email: proxy.person })}
          </span>
        </Button>
      )}
      {provider !== null && (
        <Button
          size="large"
          className="max-w-full shrink"
          busy={busy === 'provider'}
          disabled={busy !== null}
          onClick={() => void run('provider', () => beginProviderSignIn(rememberMe))}
        >
          <span className="min-w-0 truncate">{t('Sign in with {name}', { name: provider })}</span>
        </Button>
      )}
      {proxy?.person != null && proxy.signOutUrl !== null && (
        <a
          href={proxy.signOutUrl}
          className="inline-flex min-h-11 items-center self-center text-sm font-semibold text-accent hover:underline md:min-h-8"
        >
          {t('Sign out there too')}
        </a>
      )}
    </div>
  )
}

/** Says why the server refused a person, by the type of its error. Shows nothing for an unknown type. */
export function Refusal({ type }: { type: string }) {
  const text = TEXTS.get(type)
  return text === undefined ? null : <Banner>{text}</Banner>
}

/** Returns the text of a failed sign-in by one of these ways. */
export function externalErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  return unreachable ? NO_CONNECTION : (TEXTS.get(type) ?? message)
}

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['user_auth_method_unsupported', t('Sign-ups are closed on this server.')],
  [
    'stint_invite_invalid',
    t(
      'Your invitation can’t be used: it is missing or wrong, was used, has expired, or is for another address. Ask your administrator for a new link.',
    ),
  ],
  ['stint_sign_in_denied', t('The sign-in was cancelled or refused.')],
  [
    'stint_sign_in_expired',
    t('The sign-in took too long, or was begun in another window. Please try again.'),
  ],
  [
    'stint_email_unverified',
    t('Your email address isn’t verified there. Verify it, then sign in again.'),
  ],
  [
    'stint_identity_conflict',
    t(
      'The account with your email address belongs to somebody else there. Ask your administrator.',
    ),
  ],
  ['stint_provider_unavailable', t('The sign-in service doesn’t respond. Please try again later.')],
  [
    'stint_person_refused',
    t('The proxy in front of this server doesn’t say who you are. Ask your administrator.'),
  ],
  ['user_blocked', t('This account is blocked. Ask your administrator.')],
  ['general_rate_limit_exceeded', t('Too many attempts. Try again later.')],
  ['general_service_unavailable', t('The server is temporarily unavailable. Please try again.')],
])
