/** Signing in, up and out. */
import { useEffect, useState } from 'react'

import { useSession, useSessionState } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'

import type { MailLink } from './mail-link.ts'
import { linkErrorText, signInErrorText, signUpErrorText } from './error-text.ts'

export { usePasswordCheck } from './use-password-check.ts'

/**
 * The location state of the app's own links to /signout. It is another one on each load of the page: the
 * browser keeps a location's state over a reload and copies it into a duplicated tab, and neither may
 * pass for a press.
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
      /** The server has ended the sign-in, and so many changes are kept here; undefined otherwise. */
      readonly unsaved?: number
    }
  | { readonly status: 'signed-in'; readonly user: User }
  /** The browser's storage cannot be used; `message` says why. */
  | { readonly status: 'no-storage'; readonly message: string }

/** Who is signed in, live. */
export function useAuth(): AuthState {
  return useSessionState()
}

export interface AuthCommands {
  /** Rejects with an Error whose message is the text to show above the form. */
  readonly signIn: (input: {
    email: string
    password: string
    rememberMe: boolean
  }) => Promise<void>
  /** Creates the account and signs in; rejects as signIn does. */
  readonly signUp: (input: { name: string; email: string; password: string }) => Promise<void>
  /** Asks for a mail with a link to a new password; rejects as signIn does. */
  readonly requestRecovery: (email: string) => Promise<void>
  /** Sets the new password; rejects as signIn does. */
  readonly resetPassword: (link: MailLink, password: string) => Promise<void>
  /** Proves the e-mail address; rejects as signIn does. */
  readonly verifyEmail: (link: MailLink) => Promise<void>
  /** What the server says of itself now; null without an answer, or when it is not Stint's own. */
  readonly askServer: () => Promise<ServerInfo | null>
  /** Ends all of the user's sign-ins, or only this device's. */
  readonly signOut: (input: { thisDeviceOnly: boolean }) => Promise<void>
  /** Throws away everything this browser keeps for Stint, unsaved work included. */
  readonly resetStorage: () => Promise<void>
}

/** What a signed-out or signed-in person can do. */
export function useAuthCommands(): AuthCommands {
  const session = useSession()
  return {
    signIn: (input) => orText(session.signIn(input), signInErrorText),
    signUp: (input) => orText(session.signUp(input), signUpErrorText),
    requestRecovery(email) {
      const url = new URL(`${import.meta.env.BASE_URL}recovery`, location.origin).href
      return orText(session.requestRecovery({ email, url }), signInErrorText)
    },
    resetPassword: (link, password) =>
      orText(session.resetPassword({ ...link, password }), linkErrorText),
    verifyEmail: (link) => orText(session.verifyEmail(link), linkErrorText),
    askServer: () => session.serverInfo().catch(() => null),
    signOut: (input) => session.signOut(input),
    resetStorage: () => session.resetStorage(),
  }
}

async function orText(work: Promise<void>, text: (error: unknown) => string): Promise<void> {
  try {
    await work
  } catch (error) {
    throw new Error(text(error), { cause: error })
  }
}

export type ServerInfo = NonNullable<Awaited<ReturnType<Session['serverInfo']>>>

/** What the server says of itself; null until it answers, or when it is not Stint's own. */
export function useServerInfo(): ServerInfo | null {
  const session = useSession()
  const [info, setInfo] = useState<ServerInfo | null>(null)
  useEffect(() => {
    let gone = false
    session.serverInfo().then(
      (answer) => {
        if (!gone) setInfo(answer)
      },
      // Without an answer the page keeps its defaults.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [session])
  return info
}
