/** Signing in, signing up and signing out. */
import { forgetNewAccount, noteNewAccount } from '#hooks/new-account.ts'
import type { ServerInfo } from '#hooks/use-server-info.ts'
import { useSession } from '#session/current-session.ts'
import { deviceLabel, shownDevice } from '#session/device-label.ts'
import { failureFrom } from '#session/failure.ts'
import type { Session } from '#session/session.ts'

import type { MailLink } from './mail-link.ts'
import { linkErrorText, signInErrorText, signUpErrorText } from './error-text.ts'

export interface AuthCommands {
  /** Rejects with an Error whose message is shown above the form. */
  readonly signIn: Session['signIn']
  /** Signs in with a passkey. Rejects as `signIn` does. */
  readonly signInWithPasskey: Session['signInWithPasskey']
  /** Creates an account with a passkey and signs in. Rejects as `signIn` does. */
  readonly signUpWithPasskey: (input: { name: string; email: string }) => Promise<void>
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

/** Returns the commands of signed-in and signed-out visitors. */
export function useAuthCommands(): AuthCommands {
  const session = useSession()
  return {
    signIn: (input) => orText(session.signIn(input), signInErrorText),
    signInWithPasskey: (input) => orText(session.signInWithPasskey(input), passkeyText),
    signUpWithPasskey(input) {
      const passkeyName = shownDevice(deviceLabel(navigator.userAgent))
      return asNewAccount(orText(session.signUpWithPasskey({ ...input, passkeyName }), passkeyText))
    },
    signInByProxy: () => orText(session.signInByProxy(), externalErrorText),
    async beginProviderSignIn(rememberMe) {
      await orText(
        session.beginProviderSignIn(rememberMe).then((url) => location.assign(url)),
        externalErrorText,
      )
    },
    async signUp(input) {
      await asNewAccount(orText(session.signUp(input), newAccountText))
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

/** Notes that the account is new, unless it could not be created. */
async function asNewAccount(work: Promise<void>): Promise<void> {
  noteNewAccount()
  try {
    await work
  } catch (error) {
    forgetNewAccount()
    throw error
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

function newAccountText(error: unknown): string | Promise<string> {
  const isInvite = failureFrom(error).type === 'stint_invite_invalid'
  return isInvite ? externalErrorText(error) : signUpErrorText(error)
}

async function passkeyText(error: unknown): Promise<string> {
  const { passkeyErrorText } = await import('#hooks/passkey-error-text.ts')
  return passkeyErrorText(error) ?? newAccountText(error)
}

async function externalErrorText(error: unknown): Promise<string> {
  return (await import('./external-error-text.ts')).externalErrorText(error)
}
