/** The account calls of the settings. Loaded when the settings are opened. */
import {
  isBoolean,
  isId,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from '@stint/core/guards.ts'
import type { Guard, Shaped } from '@stint/core/guards.ts'
import type { Account, Models } from 'appwrite'

import type {
  AccountCalls,
  AccountDetails,
  OwnPasskeys,
  PersonalKey,
  Proof,
  SignedInDevice,
} from './backend.ts'
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
  const headers = {
    'Content-Type': 'application/json',
    'X-Appwrite-Project': config.projectId,
  }
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
      await own('POST', '/stint/account/deletion', input)
    },
    async secondFactor() {
      return read(isSecondFactor, await own('GET', '/stint/second-factor'))
    },
    async beginSecondFactor(password) {
      return read(isNewSecondFactor, await own('POST', '/stint/second-factor', { password }))
    },
    async confirmSecondFactor(code) {
      const confirmed = await own('POST', '/stint/second-factor/confirmation', { code })
      return read(isRecoveryCodes, confirmed).recoveryCodes
    },
    async endSecondFactor(code) {
      await own('POST', '/stint/second-factor/removal', { code })
    },
    async passkeys() {
      return passkeysFrom(read(isPasskeyList, await own('GET', '/stint/passkeys')))
    },
    async beginPasskey(proof) {
      const options = await own('POST', '/stint/passkeys/options', await proofFrom(proof))
      return async (name) => {
        const { makePasskey } = await import('./passkey-ceremonies.ts')
        const registration = await makePasskey(options)
        await own('POST', '/stint/passkeys', { name, registration })
      }
    },
    async renamePasskey(id, name) {
      await own('PATCH', `/stint/passkeys/${id}`, { name })
    },
    async removePasskey(id, proof) {
      await own('POST', `/stint/passkeys/${id}/removal`, await proofFrom(proof))
    },
    async setPassword(password) {
      const proof = await proofFrom('passkey')
      await own('PUT', '/stint/passkeys/password', { password, ...proof })
    },
    async keys() {
      return read(isKeyList, await own('GET', '/stint/keys')).keys.map(keyFrom)
    },
    async createKey(input) {
      return read(isCreatedKey, await own('POST', '/stint/keys', input)).secret
    },
    async revokeKey(id) {
      await own('DELETE', `/stint/keys/${id}`)
    },
    async webhook(keyId) {
      const { url, deliveries } = read(isWebhook, await own('GET', `/stint/keys/${keyId}/webhook`))
      return {
        url,
        deliveries: deliveries.map((each) => ({ ...each, createdAt: Date.parse(each.createdAt) })),
      }
    },
    async createWebhook(keyId, url) {
      const created = await own('PUT', `/stint/keys/${keyId}/webhook`, { url })
      return read(isCreatedKey, created).secret
    },
    async testWebhook(keyId) {
      await own('POST', `/stint/keys/${keyId}/webhook/test`, {})
    },
    async removeWebhook(keyId) {
      await own('DELETE', `/stint/keys/${keyId}/webhook`)
    },
    async hasFeed() {
      return read(isFeed, await own('GET', '/stint/feed')).createdAt !== null
    },
    async createFeed() {
      const { path } = read(isCreatedFeed, await own('PUT', '/stint/feed', {}))
      // Calendars are beside the API, in the same folder.
      return config.endpoint.replace(/\/v1\/?$/, path)
    },
    async revokeFeed() {
      await own('DELETE', '/stint/feed')
    },
    async push() {
      const { publicKey, devices } = read(isPush, await own('GET', '/stint/push'))
      return {
        publicKey,
        isTold: devices.some(({ isCurrent }) => isCurrent),
        presses: { url: `${config.endpoint}/stint/push/presses`, headers },
      }
    },
    async tellDevice(device) {
      await own('PUT', '/stint/push', device)
    },
    async forgetDevice() {
      await own('DELETE', '/stint/push/current')
    },
    async readCalendar(address) {
      return read(isReadCalendar, await own('POST', '/stint/calendars/read', address))
    },
    async proposals() {
      const { proposals } = read(isProposalList, await own('GET', '/stint/proposals'))
      return proposals.map((each) => ({ ...each, createdAt: Date.parse(each.createdAt) }))
    },
    async endProposal(id) {
      await own('DELETE', `/stint/proposals/${id}`)
    },
  }

  /** Returns what the server takes as a proof. A passkey is asked for one. */
  async function proofFrom(proof: Proof): Promise<object> {
    if (proof !== 'passkey') return proof ?? {}
    const { signWithPasskey } = await import('./passkey-ceremonies.ts')
    const options = await own('POST', '/stint/passkeys/proof/options', {})
    return { assertion: await signWithPasskey(options) }
  }

  /** Calls a route that only Stint's own server has. Returns the body, null without one. */
  function own(method: string, path: string, body?: object): Promise<unknown> {
    return call(async () => {
      const response = await fetch(`${config.endpoint}${path}`, {
        method,
        headers,
        credentials: 'include',
        body: body === undefined ? null : JSON.stringify(body),
      })
      if (!response.ok) throw await refusal(response)
      return response.status === 204 ? null : response.json()
    })
  }
}

const KEY = {
  id: isId,
  name: isText,
  access: isOneOf('read', 'write'),
  createdAt: isText,
  lastUsedAt: isNullOr(isText),
}
const isSecondFactor = isObject({ isOn: isBoolean, recoveryCodes: isNumber })
const isNewSecondFactor = isObject({ secret: isText, address: isText })
const isRecoveryCodes = isObject({ recoveryCodes: isListOf(isText) })
const isPasskeyList = isObject({
  hasPassword: isBoolean,
  passkeys: isListOf(
    isObject({ id: isId, name: isText, createdAt: isText, lastUsedAt: isNullOr(isText) }),
  ),
})
const isKeyList = isObject({ keys: isListOf(isObject(KEY)) })
const textOrNull = isNullOr(isText)
const momentOrNull = isNullOr(isNumber)
const isReadCalendar = isObject({ text: textOrNull, etag: textOrNull })
const isProposalList = isObject({
  proposals: isListOf(
    isObject({
      id: isId,
      keyName: isText,
      reason: isText,
      createdAt: isText,
      changes: isListOf(
        isObject({
          kind: isOneOf('add', 'edit', 'delete'),
          id: textOrNull,
          seenAt: momentOrNull,
          taskId: textOrNull,
          newTask: textOrNull,
          startedAt: momentOrNull,
          endedAt: momentOrNull,
          note: textOrNull,
        }),
      ),
    }),
  ),
})
const isCreatedKey = isObject({ secret: isId })
const isWebhook = isObject({
  url: isNullOr(isText),
  deliveries: isListOf(
    isObject({
      id: isId,
      event: isText,
      status: isOneOf('waiting', 'delivered', 'failed'),
      answer: isNullOr(isText),
      createdAt: isText,
    }),
  ),
})
const isFeed = isObject({ createdAt: isNullOr(isText) })
const isPush = isObject({
  publicKey: isNullOr(isText),
  devices: isListOf(isObject({ isCurrent: isBoolean })),
})
const isCreatedFeed = isObject({ path: isText })

/** Returns an answer of the expected form. Throws BackendError for any other. */
function read<T>(guard: Guard<T>, answer: unknown): T {
  if (!guard(answer)) {
    throw new BackendError('unreachable', 'The response didn’t come from the Stint server')
  }
  return answer
}

function keyFrom({ createdAt, lastUsedAt, ...key }: Shaped<typeof KEY>): PersonalKey {
  return {
    ...key,
    createdAt: Date.parse(createdAt),
    lastUsedAt: lastUsedAt === null ? null : Date.parse(lastUsedAt),
  }
}

function passkeysFrom({
  passkeys,
  hasPassword,
}: {
  passkeys: readonly { id: string; name: string; createdAt: string; lastUsedAt: string | null }[]
  hasPassword: boolean
}): OwnPasskeys {
  return {
    hasPassword,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: Date.parse(createdAt),
      lastUsedAt: lastUsedAt === null ? null : Date.parse(lastUsedAt),
    })),
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
