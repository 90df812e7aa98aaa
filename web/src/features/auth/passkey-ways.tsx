/** Signing in and up with a passkey. Loaded once it is known that the server and the browser have them. */
import { UserKey } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { failureFrom } from '#session/failure.ts'
import { useAuthCommands } from './use-auth-commands.ts'

/** When passkeys are offered anew, in milliseconds: the server waits five minutes for the choice of one. */
const OFFER_AGAIN = 240_000

/** What the server says of a passkey that somebody has chosen. */
const REFUSALS = new Set([
  'stint_passkey_expired',
  'stint_passkey_refused',
  'stint_passkey_unknown',
  'user_blocked',
])

/** The button, and the passkeys in the list of the email field. */
export function PasskeySignIn({
  rememberMe,
  onError,
}: {
  rememberMe: boolean
  onError: (text: string | null) => void
}) {
  const { signInWithPasskey } = useAuthCommands()
  const [busy, setBusy] = useState(false)
  useAutofill(busy, rememberMe, onError)

  async function press() {
    setBusy(true)
    onError(null)
    try {
      await signInWithPasskey({ rememberMe: () => rememberMe, autofill: null })
    } catch (cause) {
      onError(messageOf(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      variant="quiet"
      size="large"
      className="w-full"
      busy={busy}
      onClick={() => void press()}
    >
      {!busy && <Icon of={UserKey} />}
      {t('Use a passkey')}
    </Button>
  )
}

/** Offers passkeys in the list of the email field, where the browser can, but not while it asks for one (`isAsking`). */
function useAutofill(
  isAsking: boolean,
  rememberMe: boolean,
  onError: (text: string | null) => void,
): void {
  const { signInWithPasskey } = useAuthCommands()
  const isRemembered = useRef(rememberMe)
  useEffect(() => {
    isRemembered.current = rememberMe
  }, [rememberMe])

  const offerUntil = useEffectEvent(async (signal: AbortSignal) => {
    const canOffer = await PublicKeyCredential.isConditionalMediationAvailable?.()
    if (!canOffer || signal.aborted) return
    try {
      await signInWithPasskey({ rememberMe: () => isRemembered.current, autofill: signal })
    } catch (cause) {
      // Nobody has asked for the offer, so only what the server says of a chosen passkey is shown.
      if (REFUSALS.has(typeOf(cause))) onError(messageOf(cause))
    }
  })

  useEffect(() => {
    if (isAsking) return undefined
    let offer = new AbortController()
    void offerUntil(offer.signal)
    const again = setInterval(() => {
      offer.abort()
      offer = new AbortController()
      void offerUntil(offer.signal)
    }, OFFER_AGAIN)
    return () => {
      clearInterval(again)
      offer.abort()
    }
  }, [isAsking])
}

/** Creates the account with a passkey in place of a password. It needs the name, the address and the consent. */
export function PasskeySignUp({
  person,
  agreeToTerms,
  onError,
}: {
  person: { readonly name: string; readonly email: string }
  agreeToTerms: boolean
  onError: (text: string | null) => void
}) {
  const { signUpWithPasskey } = useAuthCommands()
  const [busy, setBusy] = useState(false)

  async function press({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    onError(null)
    if (!areFilled(currentTarget.form)) return
    if (!agreeToTerms) return onError(t('Please agree to the Terms & Conditions'))
    setBusy(true)
    try {
      await signUpWithPasskey({ name: person.name.trim(), email: person.email.trim() })
    } catch (cause) {
      onError(messageOf(cause))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      variant="quiet"
      size="large"
      className="w-full"
      busy={busy}
      onClick={(event) => void press(event)}
    >
      {!busy && <Icon of={UserKey} />}
      {t('Use a passkey instead')}
    </Button>
  )
}

/** Returns whether the name and the address are valid. The browser says what is missing. */
function areFilled(form: HTMLFormElement | null): boolean {
  return ['fullName', 'email'].every((name) => {
    const field = form?.elements.namedItem(name)
    return !(field instanceof HTMLInputElement) || field.reportValidity()
  })
}

/** Returns the type of the error that a command's rejection is about. */
function typeOf(cause: unknown): string {
  return cause instanceof Error ? failureFrom(cause.cause).type : ''
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
