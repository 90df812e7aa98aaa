/** The account of the signed-in user. Everything here needs the server. */
import { useCallback, useEffect, useState } from 'react'

import { t } from '@stint/core/text.ts'
import { useSession } from '#session/current-session.ts'
import { passkeyErrorText } from '#hooks/passkey-error-text.ts'
import { failureFrom } from '#session/failure.ts'
import type { Session } from '#session/session.ts'

type Calls = Awaited<ReturnType<Session['account']>>
export type AccountDetails = Awaited<ReturnType<Calls['details']>>
export type SignedInDevice = Awaited<ReturnType<Calls['devices']>>[number]
type Webhook = Awaited<ReturnType<Calls['webhook']>>
export type WebhookDelivery = Webhook['deliveries'][number]
export type NewSecondFactor = Awaited<ReturnType<Calls['beginSecondFactor']>>
export type OwnPasskeys = Awaited<ReturnType<Calls['passkeys']>>
export type OwnPasskey = OwnPasskeys['passkeys'][number]
export type Proof = Parameters<Calls['beginPasskey']>[0]
export type PersonalKey = Awaited<ReturnType<Calls['keys']>>[number]

/** A value that is requested from the server when the screen opens. */
export interface ServerValue<T> {
  /** The last response; null before the first. */
  readonly value: T | null
  /** Why there is no value, or no newer one. */
  readonly error: string | null
  readonly reload: () => Promise<void>
  readonly set: (value: T) => void
}

export function useAccountDetails(): ServerValue<AccountDetails> {
  return useServerValue(useCallback((calls: Calls) => calls.details(), []))
}

export function useDevices(): ServerValue<readonly SignedInDevice[]> {
  return useServerValue(useCallback((calls: Calls) => calls.devices(), []))
}

export function useSecondFactor() {
  return useServerValue(useCallback((calls: Calls) => calls.secondFactor(), []))
}

export function usePasskeys(): ServerValue<OwnPasskeys> {
  return useServerValue(useCallback((calls: Calls) => calls.passkeys(), []))
}

export function useKeys(): ServerValue<readonly PersonalKey[]> {
  return useServerValue(useCallback((calls: Calls) => calls.keys(), []))
}

export function useWebhook(keyId: string): ServerValue<Webhook> {
  return useServerValue(useCallback((calls: Calls) => calls.webhook(keyId), [keyId]))
}

/** Returns whether the user has a calendar address. */
export function useHasFeed(): ServerValue<boolean> {
  return useServerValue(useCallback((calls: Calls) => calls.hasFeed(), []))
}

function useServerValue<T>(question: (calls: Calls) => Promise<T>): ServerValue<T> {
  const session = useSession()
  const [value, setValue] = useState<T | null>(null)
  const [error, setError] = useState<string | null>(null)
  const reload = useCallback(
    () =>
      session
        .account()
        .then(question)
        .then(
          (answer) => {
            setValue(answer)
            setError(null)
          },
          (cause: unknown) => setError(accountErrorText(cause)),
        ),
    [session, question],
  )
  useEffect(() => {
    void reload()
    const again = () => void reload()
    // Reloaded on these events: an email link opens in another tab, and devices change elsewhere.
    const signs = ['online', 'focus']
    for (const sign of signs) addEventListener(sign, again)
    return () => {
      for (const sign of signs) removeEventListener(sign, again)
    }
  }, [reload])
  return { value, error, reload, set: setValue }
}

export interface AccountCommands {
  /** Each rejects with an Error whose message is the text to show. */
  readonly changeName: (name: string) => Promise<AccountDetails>
  readonly changeEmail: (input: { email: string; password: string }) => Promise<AccountDetails>
  readonly changePassword: (input: { password: string; oldPassword: string }) => Promise<void>
  readonly sendVerification: () => Promise<void>
  readonly endSession: (sessionId: string) => Promise<void>
  /** Begins to ask for codes at a sign-in with the password. */
  readonly beginSecondFactor: (password: string) => Promise<NewSecondFactor>
  /** Asks for codes from now on. Returns the recovery codes. */
  readonly confirmSecondFactor: (code: string) => Promise<readonly string[]>
  readonly endSecondFactor: (code: string) => Promise<void>
  /** Confirms who the user is. Returns the function that makes a passkey of this name. */
  readonly beginPasskey: (proof: Proof) => Promise<(name: string) => Promise<void>>
  readonly renamePasskey: (id: string, name: string) => Promise<void>
  readonly removePasskey: (id: string, proof: Proof) => Promise<void>
  /** Sets a password, which the user confirms with a passkey. */
  readonly setPassword: (password: string) => Promise<void>
  /** Returns the new key's secret. */
  readonly createKey: (input: Parameters<Calls['createKey']>[0]) => Promise<string>
  readonly revokeKey: (id: string) => Promise<void>
  /** Returns the secret of the new webhook of a key. An earlier one is removed. */
  readonly createWebhook: (keyId: string, url: string) => Promise<string>
  readonly testWebhook: (keyId: string) => Promise<void>
  readonly removeWebhook: (keyId: string) => Promise<void>
  /** Returns the new calendar address. An earlier one is revoked. */
  readonly createFeed: () => Promise<string>
  readonly revokeFeed: () => Promise<void>
  /** Deletes the account on the server and its data in this browser. */
  readonly deleteAccount: (input: { email: string; password: string }) => Promise<void>
}

export function useAccountCommands(): AccountCommands {
  const session = useSession()
  return {
    changeName: (name) => changed((calls) => calls.changeName(name)),
    changeEmail: (input) => changed((calls) => calls.changeEmail(input)),
    changePassword: (input) => orText((calls) => calls.changePassword(input)),
    sendVerification: () =>
      orText((calls) =>
        calls.sendVerification(new URL(`${import.meta.env.BASE_URL}verify`, location.origin).href),
      ),
    endSession: (sessionId) => orText((calls) => calls.endSession(sessionId)),
    beginSecondFactor: (password) => orText((calls) => calls.beginSecondFactor(password)),
    confirmSecondFactor: (code) => orText((calls) => calls.confirmSecondFactor(code)),
    endSecondFactor: (code) => orText((calls) => calls.endSecondFactor(code)),
    beginPasskey: async (proof) => {
      const make = await orText((calls) => calls.beginPasskey(proof))
      return (name) => orText(() => make(name))
    },
    renamePasskey: (id, name) => orText((calls) => calls.renamePasskey(id, name)),
    removePasskey: (id, proof) => orText((calls) => calls.removePasskey(id, proof)),
    setPassword: (password) => orText((calls) => calls.setPassword(password)),
    createKey: (input) => orText((calls) => calls.createKey(input)),
    revokeKey: (id) => orText((calls) => calls.revokeKey(id)),
    createWebhook: (keyId, url) => orText((calls) => calls.createWebhook(keyId, url)),
    testWebhook: (keyId) => orText((calls) => calls.testWebhook(keyId)),
    removeWebhook: (keyId) => orText((calls) => calls.removeWebhook(keyId)),
    createFeed: () => orText((calls) => calls.createFeed()),
    revokeFeed: () => orText((calls) => calls.revokeFeed()),
    async deleteAccount(input) {
      await orText((calls) => calls.deleteAccount(input))
      await session.forgetUser()
    },
  }

  async function changed(work: (calls: Calls) => Promise<AccountDetails>): Promise<AccountDetails> {
    const details = await orText(work)
    const { id, name, email } = details
    await session.changeUser({ id, name, email })
    return details
  }

  async function orText<T>(work: (calls: Calls) => Promise<T>): Promise<T> {
    try {
      return await work(await session.account())
    } catch (cause) {
      throw new Error(accountErrorText(cause), { cause })
    }
  }
}

/** Returns the message of a rejected command. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Returns the text of an error of an account call. */
export function accountErrorText(thrown: unknown): string {
  const { unreachable, type, message } = failureFrom(thrown)
  if (unreachable) return t('No internet connection detected')
  return TEXTS[type] ?? passkeyErrorText(thrown) ?? message
}

const TEXTS: Readonly<Record<string, string>> = {
  user_invalid_credentials: t('Incorrect password.'),
  stint_code_refused: t('This code is wrong or was used already.'),
  stint_password_missing: t(
    'This account has no password yet. Set one here with a passkey, or sign out and use “Forgot password?”.',
  ),
  user_target_already_exists: t('This address is already in use.'),
  user_email_already_verified: t('Your address is already confirmed.'),
  stint_quota_exceeded: t(
    'You have reached the maximum number of keys or passkeys. Remove one first.',
  ),
  general_rate_limit_exceeded: t('Too many attempts. Try again later.'),
}
