/** Signing in, signing up and signing out. */
import { useEffect, useState } from 'react'

import { useSession, useSessionState } from '#session/current-session.ts'
import { failureFrom } from '#session/failure.ts'
import { signupPolicyOfPage } from '#session/page-policy.ts'
import type { Session } from '#session/session.ts'

import type { MailLink } from './mail-link.ts'
import { linkErrorText, signInErrorText, signUpErrorText } from './error-text.ts'

export { usePasswordCheck } from './use-password-check.ts'

/**
 * The location state of the app's own links to /signout. It differs on each page load, because the
 * browser keeps the state over a reload and copies it to a duplicated tab, and neither is a press of
 * Sign Out.
 */
export const OWN_NAVIGATION = performance.timeOrigin

export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
}

export type AuthState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'signed-out'
      /** Set when the server has ended the sign-in: the number of unsaved changes on this device. */
      readonly unsaved?: number
      /** Set when the server refused the person whom the proxy in front has signed in: the error's type. */
      readonly refused?: string
    }
  | { readonly status: 'signed-in'; readonly user: User }
  /** The browser's storage is unusable; `message` says why. */
  | { readonly status: 'no-storage'; readonly message: string }

/** Returns who is signed in and re-renders when it changes. */
export function useAuth(): AuthState {
  return useSessionState()
}

export interface AuthCommands {
  /** Rejects with an Error whose message is shown above the form. */
  readonly signIn: (input: {
    email: string
    password: string
    rememberMe: boolean
  }) => Promise<void>
  /** Signs in the person whom the proxy in front of the server has signed in. Rejects as `signIn` does. */
  readonly signInByProxy: () => Promise<void>
  /** Leaves the app for the provider's page. Rejects as `signIn` does. */
  readonly beginProviderSignIn: (rememberMe: boolean) => Promise<void>
  /** Creates the account and signs in. Rejects as `signIn` does. */
  readonly signUp: (input: { name: string; email: string; password: string }) => Promise<void>
  /** Requests a password recovery email. Rejects as `signIn` does. */
  readonly requestRecovery: (email: string) => Promise<void>
  /** Sets a new password. Rejects as `signIn` does. */
  readonly resetPassword: (link: MailLink, password: string) => Promise<void>
  /** Confirms the email address. Rejects as `signIn` does. */
  readonly verifyEmail: (link: MailLink) => Promise<void>
  /**
   * Returns the server's public information; null without a response, or when the server is not Stint's
   * own.
   */
  readonly fetchServerInfo: () => Promise<ServerInfo | null>
  /** Ends all of the user's sign-ins, or only this device's. */
  readonly signOut: (input: { thisDeviceOnly: boolean }) => Promise<void>
  /** Deletes all of Stint's data in this browser, unsaved changes included. */
  readonly resetStorage: () => Promise<void>
}

/** What is still to be done for an account that was created on this page. */
const ofNewAccount = new Set<'cursor' | 'theme'>()

/** Returns whether this is to be done for an account that was created on this page, once. */
export function takeNewAccount(what: 'cursor' | 'theme'): boolean {
  return ofNewAccount.delete(what)
}

/** Returns the commands of signed-in and signed-out visitors. */
export function useAuthCommands(): AuthCommands {
  const session = useSession()
  return {
    signIn: (input) => orText(session.signIn(input), signInErrorText),
    signInByProxy: () => orText(session.signInByProxy(), externalErrorText),
    async beginProviderSignIn(rememberMe) {
      await orText(
        session.beginProviderSignIn(rememberMe).then((url) => location.assign(url)),
        externalErrorText,
      )
    },
    async signUp(input) {
      ofNewAccount.add('cursor').add('theme')
      try {
        await orText(session.signUp(input), (error) =>
          failureFrom(error).type === 'stint_invite_invalid'
            ? externalErrorText(error)
            : signUpErrorText(error),
        )
      } catch (error) {
        ofNewAccount.clear()
        throw error
      }
    },
    requestRecovery(email) {
      const url = new URL(`${import.meta.env.BASE_URL}recovery`, location.origin).href
      return orText(session.requestRecovery({ email, url }), signInErrorText)
    },
    resetPassword: (link, password) =>
      orText(session.resetPassword({ ...link, password }), linkErrorText),
    verifyEmail: (link) => orText(session.verifyEmail(link), linkErrorText),
    fetchServerInfo: () => session.serverInfo().catch(() => null),
    signOut: (input) => session.signOut(input),
    resetStorage: () => session.resetStorage(),
  }
}

async function orText(
  work: Promise<void>,
  text: (error: unknown) => string | Promise<string>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    throw new Error(await text(error), { cause: error })
  }
}

async function externalErrorText(error: unknown): Promise<string> {
  return (await import('./other-ways.tsx')).externalErrorText(error)
}

/** Returns who may create an account: until the server's information arrives, what its page says. */
export function signupPolicy(info: ServerInfo | null): ServerInfo['signup'] {
  return info?.signup ?? signupPolicyOfPage()
}

export type ServerInfo = NonNullable<Awaited<ReturnType<Session['serverInfo']>>>

/**
 * Returns the server's public information; null until it arrives, or when the server is not Stint's
 * own.
 */
export function useServerInfo(): ServerInfo | null {
  const session = useSession()
  const [info, setInfo] = useState<ServerInfo | null>(null)
  useEffect(() => {
    let gone = false
    session.serverInfo().then(
      (answer) => {
        if (!gone) setInfo(answer)
      },
      // Without a response the page keeps its defaults.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [session])
  return info
}
