/** The account calls of the settings. Loaded when the settings are opened. */
import type { Account, Models } from 'appwrite'

import type { AccountCalls, AccountDetails, SignedInDevice } from './backend.ts'
import type { BackendConfig } from './config.ts'
import { BackendError } from './errors.ts'

/**
 * Creates the calls on the SDK's `account`. `call` converts what a request throws to a BackendError.
 */
export function accountCalls(
  account: Account,
  config: BackendConfig,
  call: <T>(request: () => Promise<T>) => Promise<T>,
): AccountCalls {
  return {
    details: async () => detailsFrom(await call(() => account.get())),
    changeName: async (name) => detailsFrom(await call(() => account.updateName({ name }))),
    changeEmail: async (input) => detailsFrom(await call(() => account.updateEmail(input))),
    async changePassword(input) {
      await call(() => account.updatePassword(input))
    },
    async sendVerification(url) {
      await call(() => account.createEmailVerification({ url }))
    },
    async devices() {
      const { sessions } = await call(() => account.listSessions())
      return sessions.map(deviceFrom)
    },
    async endSession(sessionId) {
      await call(() => account.deleteSession({ sessionId }))
    },
    async deleteAccount(input) {
      await call(async () => {
        const response = await fetch(`${config.endpoint}/stint/account/deletion`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Appwrite-Project': config.projectId },
          credentials: 'include',
          body: JSON.stringify(input),
        })
        if (!response.ok) throw await refusal(response)
      })
    },
  }
}

function detailsFrom(user: Models.User): AccountDetails {
  const { $id, name, email, emailVerification } = user
  return { id: $id, name, email, emailVerified: emailVerification }
}

function deviceFrom(session: Models.Session): SignedInDevice {
  const { $id, $createdAt, clientName, osName, ip, current } = session
  return {
    sessionId: $id,
    signedInAt: Date.parse($createdAt),
    browser: clientName,
    system: osName,
    ip,
    isCurrent: current,
  }
}

/** Returns the error that the response body describes. */
async function refusal(response: Response): Promise<BackendError> {
  const answer: unknown = await response.json().catch(() => null)
  const fields = new Map(typeof answer === 'object' && answer ? Object.entries(answer) : [])
  const message = String(fields.get('message') ?? response.statusText)
  const type = String(fields.get('type') ?? '')
  const kind =
    response.status === 429 ? 'rate-limited' : response.status >= 500 ? 'failed' : 'invalid'
  return new BackendError(kind, message, type, response.status)
}
