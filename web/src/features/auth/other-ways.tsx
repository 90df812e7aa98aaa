/**
 * The ways in beside the password: the proxy in front of the server, its provider, an invitation. Loaded
 * lazily: most servers have none.
 */
import { useState } from 'react'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { useAuthCommands } from './use-auth-commands.ts'
import type { ServerInfo } from '#hooks/use-server-info.ts'
import { REFUSALS } from './external-error-text.ts'

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
  const text = REFUSALS.get(type)
  return text === undefined ? null : <Banner>{text}</Banner>
}
