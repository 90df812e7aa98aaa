/** Signing up, in and out, and what is stored with the account. */
import { normalizedEmail } from '@stint/core/email-address.ts'

import type { Backend } from './backend.ts'
import { call, fieldsOf, notTheBackend } from './connection.ts'
import type { Connection } from './connection.ts'
import { currentUser, userFrom } from './current-user.ts'
import { fromRequest } from './errors.ts'

/** Tells Stint's own server to end the sign-in when the browser closes. */
const REMEMBER_HEADER = 'X-Stint-Remember'

/** Sends a code of the second factor to Stint's own server. */
const CODE_HEADER = 'X-Stint-Code'

/** Sends the secret of an invitation to Stint's own server with a new account. */
const INVITE_HEADER = 'X-Stint-Invite'

/** The error type of a sign-in at a browser that has a session. Signing in handles it. */
const SESSION_EXISTS = 'user_session_already_exists'

type WaysIn =
  | 'currentUser'
  | 'signUp'
  | 'signUpWithPasskey'
  | 'signIn'
  | 'signInWithPasskey'
  | 'signInByProxy'
  | 'beginProviderSignIn'
  | 'signOut'
type AccountCalls =
  | 'requestRecovery'
  | 'resetPassword'
  | 'verifyEmail'
  | 'account'
  | 'prefs'
  | 'savePrefs'

/** The ways into and out of an account. */
export function signInCalls(connection: Connection): Pick<Backend, WaysIn> {
  const { sdk } = connection
  return {
    currentUser: () => currentUser(connection),

    async signUp({ name, email, password, invite }) {
      const { account, client, ID } = await sdk()
      if (invite !== null) client.headers[INVITE_HEADER] = invite
      try {
        await call(() => account.create({ userId: ID.unique(), email, password, name }))
      } finally {
        delete client.headers[INVITE_HEADER]
      }
    },

    async signUpWithPasskey({ name, email, passkeyName, invite }) {
      const { forgetPasskey, makePasskey } = await passkeyCeremonies()
      const person = { name, email }
      const options = await connection.callOwn('stint/passkeys/sign-up/options', person)
      const registration = await makePasskey(options)
      const headers = invite === null ? {} : { [INVITE_HEADER]: invite }
      const made = { ...person, passkeyName, registration }
      await connection
        .callOwn('stint/passkeys/sign-up', made, headers)
        .catch(async (error: unknown) => {
          if (fromRequest(error).kind !== 'unreachable') await forgetPasskey(registration.id)
          throw error
        })
    },

    async signInWithPasskey({ rememberMe, autofill }) {
      const { forgetPasskey, signWithPasskey } = await passkeyCeremonies()
      const options = await connection.callOwn('stint/passkeys/sign-in/options', {})
      const assertion = await signWithPasskey(options, autofill)
      const isRemembered = rememberMe()
      const headers = isRemembered ? {} : { [REMEMBER_HEADER]: 'no' }
      await connection
        .callOwn('stint/passkeys/sign-in', { assertion }, headers)
        .catch(async (error: unknown) => {
          if (fromRequest(error).type === 'stint_passkey_unknown') await forgetPasskey(assertion.id)
          throw error
        })
      return isRemembered
    },

    async signInByProxy(invite) {
      await connection.callOwn('stint/proxy/session', { invite })
    },

    async beginProviderSignIn({ rememberMe, invite }) {
      const answer = await connection.callOwn('stint/oidc', { remember: rememberMe, invite })
      const url = fieldsOf(answer).get('url')
      if (typeof url !== 'string' || !/^https?:/.test(url)) throw notTheBackend()
      return url
    },

    async signIn({ email, password, rememberMe, code = '' }) {
      const { account, client } = await sdk()
      const signIn = () =>
        call(() => account.createEmailPasswordSession({ email, password })).then(() => undefined)
      if (connection.config.ownServer && !rememberMe) client.headers[REMEMBER_HEADER] = 'no'
      if (code !== '') client.headers[CODE_HEADER] = code.replaceAll(/[^\w-]/g, '')
      try {
        await signIn()
      } catch (error) {
        if (fromRequest(error).type !== SESSION_EXISTS) throw error
        // A session exists. It is kept when it is the same person's; otherwise it is ended first.
        const current = userFrom(await call(() => account.get()))
        if (normalizedEmail(current.email) === normalizedEmail(email)) return
        await call(() => account.deleteSession({ sessionId: 'current' }))
        await signIn()
      } finally {
        delete client.headers[REMEMBER_HEADER]
        delete client.headers[CODE_HEADER]
      }
    },

    async signOut({ thisDeviceOnly }) {
      const { account } = await sdk()
      await call(() =>
        thisDeviceOnly ? account.deleteSession({ sessionId: 'current' }) : account.deleteSessions(),
      )
    },
  }
}

/** What is asked about an account: by email, in the settings, and its preferences. */
export function accountRequests({ sdk, config }: Connection): Pick<Backend, AccountCalls> {
  return {
    async requestRecovery(input) {
      const { account } = await sdk()
      await call(() => account.createRecovery(input)).catch((error: unknown) => {
        // Appwrite reveals that an address has no account. The caller must not learn it.
        if (fromRequest(error).type !== 'user_not_found') throw error
      })
    },

    async resetPassword(input) {
      const { account } = await sdk()
      await call(() => account.updateRecovery(input))
    },

    async verifyEmail(input) {
      const { account } = await sdk()
      await call(() => account.updateEmailVerification(input))
    },

    async account() {
      const { accountCalls } = await import('./account-calls.ts')
      return accountCalls((await sdk()).account, config, call)
    },

    async prefs() {
      const { account } = await sdk()
      return Object.fromEntries(fieldsOf(await call(() => account.getPrefs())))
    },

    async savePrefs(prefs) {
      const { account } = await sdk()
      await call(() => account.updatePrefs({ prefs }))
    },
  }
}

/** Loads what talks to the browser about passkeys. Rejects with BackendError. */
function passkeyCeremonies() {
  return import('./passkey-ceremonies.ts').catch((error: unknown) => {
    throw fromRequest(error)
  })
}
