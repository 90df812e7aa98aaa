/** The Backend on top of the official `appwrite` SDK. */
import { COLLECTION_IDS } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'
import { readDocument } from '@stint/core/document.ts'
import { normalizedEmail } from '@stint/core/email-address.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { Client, Models, Query as SdkQuery } from 'appwrite'

import type {
  Backend,
  DocumentOf,
  ListOptions,
  ServerInfo,
  ServerTimeSample,
  User,
} from './backend.ts'
import type { BackendConfig } from './config.ts'
import { BackendError, fromRequest } from './errors.ts'
import { watchRateLimits } from './rate-limits.ts'
import { documentEventOf, isAboutAccount } from './realtime-events.ts'

/** The SDK has no timeout. A call without a response by then counts as unreachable. */
const CALL_TIMEOUT_MILLISECONDS = 15_000

/** Tells Stint's own server to end the sign-in when the browser closes. */
const REMEMBER_HEADER = 'X-Stint-Remember'

/** Sends a code of the second factor to Stint's own server. */
const CODE_HEADER = 'X-Stint-Code'

/** Sends the secret of an invitation to Stint's own server with a new account. */
const INVITE_HEADER = 'X-Stint-Invite'

const SIGNUP_POLICIES = ['open', 'invite', 'closed'] as const

/** The backend rejects a change when the document was changed after this instant. */
const UNCHANGED_SINCE_HEADER = 'X-Appwrite-Timestamp'

/** Appwrite's error type for a write by a guest, or by a member without permission. */
const UNAUTHORIZED = 'user_unauthorized'
/** The error type of a server without the requested route, such as Appwrite for Stint's own routes. */
const NO_ROUTE = 'general_route_not_found'

/** The error type of a sign-in at a browser that has a session. Signing in handles it. */
const SESSION_EXISTS = 'user_session_already_exists'

/**
 * Creates a Backend for `config`. `onServerTime` receives a sample of the server's clock with each
 * response that carries one.
 */
export function createAppwriteBackend(
  config: BackendConfig,
  onServerTime: (sample: ServerTimeSample) => void = () => undefined,
): Backend {
  const sdk = lazily(() => loadSdk(config))
  const limit = watchRateLimits(config.endpoint)
  /** False once a response has shown that the server lacks Stint's own routes. */
  let hasOwnRoutes = config.ownServer

  return {
    ownServer: config.ownServer,
    currentUser,

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
      const options = await callOwn('stint/passkeys/sign-up/options', person)
      const registration = await makePasskey(options)
      const headers = invite === null ? {} : { [INVITE_HEADER]: invite }
      const made = { ...person, passkeyName, registration }
      await callOwn('stint/passkeys/sign-up', made, headers).catch(async (error: unknown) => {
        if (fromRequest(error).kind !== 'unreachable') await forgetPasskey(registration.id)
        throw error
      })
    },

    async signInWithPasskey({ rememberMe, autofill }) {
      const { forgetPasskey, signWithPasskey } = await passkeyCeremonies()
      const options = await callOwn('stint/passkeys/sign-in/options', {})
      const assertion = await signWithPasskey(options, autofill)
      const isRemembered = rememberMe()
      const headers = isRemembered ? {} : { [REMEMBER_HEADER]: 'no' }
      await callOwn('stint/passkeys/sign-in', { assertion }, headers).catch(
        async (error: unknown) => {
          if (fromRequest(error).type === 'stint_passkey_unknown') await forgetPasskey(assertion.id)
          throw error
        },
      )
      return isRemembered
    },

    async signInByProxy(invite) {
      await callOwn('stint/proxy/session', { invite })
    },

    async beginProviderSignIn({ rememberMe, invite }) {
      const answer = await callOwn('stint/oidc', { remember: rememberMe, invite })
      const url = fieldsOf(answer).get('url')
      if (typeof url !== 'string' || !/^https?:/.test(url)) throw notTheBackend()
      return url
    },

    async signIn({ email, password, rememberMe, code = '' }) {
      const { account, client } = await sdk()
      const signIn = () =>
        call(() => account.createEmailPasswordSession({ email, password })).then(() => undefined)
      if (config.ownServer && !rememberMe) client.headers[REMEMBER_HEADER] = 'no'
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

    async serverInfo() {
      if (!hasOwnRoutes) return null
      const sentAt = Date.now()
      const answer = await call(async () => {
        const response = await fetch(`${config.endpoint}/stint/info`, {
          headers: { 'X-Appwrite-Project': config.projectId },
          cache: 'no-store',
        })
        const fields = fieldsOf(await response.json())
        hasOwnRoutes = fields.get('type') !== NO_ROUTE
        if (!response.ok && hasOwnRoutes) throw notTheBackend()
        return fields
      })
      if (!hasOwnRoutes) return null
      const info = serverInfoFrom(answer)
      const { serverTime } = info
      if (serverTime !== null) onServerTime({ serverTime, sentAt, receivedAt: Date.now() })
      return info
    },

    async list(collection, options) {
      const { databases, Query } = await sdk()
      const page = await callDocuments(() =>
        databases.listDocuments({
          databaseId: config.databaseId,
          collectionId: collection,
          queries: queriesOf(options, Query),
          total: options.withTotal ?? false,
        }),
      )
      if (!Array.isArray(page.documents)) throw notTheBackend()
      const isLast = page.documents.length < options.limit
      return {
        total: page.total,
        cursor: isLast ? null : (page.documents.at(-1)?.$id ?? null),
        documents: page.documents.map((document) =>
          options.select ? selectedFrom(collection, document) : documentFrom(collection, document),
        ),
      }
    },

    async create(collection, id, data) {
      const { databases } = await sdk()
      return timed(
        collection,
        async () => {
          const document = await databases.createDocument({
            databaseId: config.databaseId,
            collectionId: collection,
            documentId: id,
            data,
          })
          if (collection === 'timer_sessions' && lacksId(document)) {
            throw new BackendError('failed', 'Failed to create timer session')
          }
          return document
        },
        true,
      )
    },

    async update(collection, id, data, unchangedSince) {
      const { databases, client } = await sdk()
      return timed(
        collection,
        () =>
          ifUnchangedSince(client, unchangedSince, () =>
            databases.updateDocument({
              databaseId: config.databaseId,
              collectionId: collection,
              documentId: id,
              data,
            }),
          ),
        false,
      )
    },

    async saveTogether(collection, documents) {
      if (!hasOwnRoutes) return null
      const { client } = await sdk()
      const url = new URL(`${config.endpoint}/stint/collections/${collection}/documents`)
      const body = { documents: documents.map(({ id, ...rest }) => ({ documentId: id, ...rest })) }
      const reply = await callDocuments(() =>
        client.call(
          'put',
          url,
          { 'X-Appwrite-Project': config.projectId, 'content-type': 'application/json' },
          body,
        ),
      ).catch((error: unknown) => {
        hasOwnRoutes = fromRequest(error).type !== NO_ROUTE
        if (hasOwnRoutes) throw error
        return null
      })
      if (reply === null) return null
      const answer = fieldsOf(reply).get('documents')
      if (!Array.isArray(answer)) throw notTheBackend()
      return answer.map((document: unknown) => documentFrom(collection, document))
    },

    async delete(collection, id, unchangedSince) {
      const { databases, client } = await sdk()
      await callDocuments(() =>
        ifUnchangedSince(client, unchangedSince, () =>
          databases.deleteDocument({
            databaseId: config.databaseId,
            collectionId: collection,
            documentId: id,
          }),
        ),
      )
    },

    subscribe({ onEvent, onAccountChanged, onOpen }) {
      let closed = false
      let isOpen = false
      let disconnect: (() => void) | null = null
      void (async () => {
        const { Channel, Realtime, client } = await sdk()
        if (closed) return
        const realtime = new Realtime(client)
        disconnect = () => void realtime.disconnect().catch(() => undefined)
        realtime.onOpen(() => {
          isOpen = true
          if (closed) disconnect?.()
          else onOpen()
        })
        realtime.onClose(() => {
          isOpen = false
          if (closed) disconnect?.()
        })
        const channels = COLLECTION_IDS.map((collection) =>
          Channel.database(config.databaseId).collection(collection).document(),
        )
        await realtime.subscribe([...channels, Channel.account()], (message) => {
          if (closed) return
          const { events, payload } = message
          const event = documentEventOf(events, (collection) => documentFrom(collection, payload))
          if (event) onEvent(event)
          else if (isAboutAccount(events)) onAccountChanged()
        })
        // The first connection may fail. The SDK keeps retrying with the same subscription.
      })().catch(() => undefined)
      return {
        close() {
          closed = true
          // Browsers log an error when a socket is closed while it connects. It is closed once it has
          // opened or failed.
          if (isOpen) disconnect?.()
        },
      }
    },
  }

  /** Posts to a route that only Stint's own server has. */
  async function callOwn(
    path: string,
    body: Record<string, unknown>,
    more: Record<string, string> = {},
  ): Promise<unknown> {
    const { client } = await sdk()
    const headers = {
      'X-Appwrite-Project': config.projectId,
      'content-type': 'application/json',
      ...more,
    }
    return call(() => client.call('post', new URL(`${config.endpoint}/${path}`), headers, body))
  }

  async function currentUser(): Promise<User> {
    const { account } = await sdk()
    return userFrom(await call(() => account.get()))
  }

  /**
   * Makes a document call. Appwrite rejects a guest with the same error as a member without permission;
   * a request for the account then tells the two apart.
   */
  async function callDocuments<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await call(request)
    } catch (thrown) {
      const { kind, message, type, status } = fromRequest(thrown)
      if (type === UNAUTHORIZED) await currentUser()
      throw new BackendError(kind, message, type, status, kind === 'rate-limited' ? limit() : null)
    }
  }

  /**
   * Makes a write and passes the server time in its response to `onServerTime`. An update that changes
   * nothing returns an old time, so updates count only where the server cannot be asked.
   */
  async function timed<C extends CollectionId>(
    collection: C,
    request: () => Promise<unknown>,
    isNew: boolean,
  ): Promise<DocumentOf<C>> {
    const sentAt = Date.now()
    const document = documentFrom(collection, await callDocuments(request))
    const receivedAt = Date.now()
    const serverTime = Date.parse(document.$updatedAt)
    const isTold = !Number.isNaN(serverTime) && (isNew || !hasOwnRoutes)
    if (isTold) onServerTime({ serverTime, sentAt, receivedAt })
    return document
  }
}

/**
 * Makes a call that the backend rejects when the document was changed after `instant`. The SDK has no
 * parameter for the header; it reads the client's headers before the call returns.
 */
function ifUnchangedSince<T>(
  client: Client,
  instant: number | undefined,
  request: () => Promise<T>,
): Promise<T> {
  if (instant !== undefined) client.headers[UNCHANGED_SINCE_HEADER] = instantToWire(instant)
  try {
    return request()
  } finally {
    delete client.headers[UNCHANGED_SINCE_HEADER]
  }
}

/** Loads what talks to the browser about passkeys. Rejects with BackendError. */
function passkeyCeremonies() {
  return import('./passkey-ceremonies.ts').catch((error: unknown) => {
    throw fromRequest(error)
  })
}

async function loadSdk(config: BackendConfig) {
  const { Account, Channel, Client, Databases, ID, Query, Realtime } = await import('appwrite')
  const client: Client = new Client().setEndpoint(config.endpoint).setProject(config.projectId)
  return {
    account: new Account(client),
    databases: new Databases(client),
    client,
    Channel,
    ID,
    Query,
    Realtime,
  }
}

/**
 * Returns a function that makes the value once. A failed attempt is not cached; the next call retries.
 */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw fromRequest(error)
    })
    return made
  }
}

/** Runs a request with a timeout. Rejects with a BackendError, whatever the request throws. */
async function call<T>(request: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new BackendError('unreachable', 'The server took too long to respond')),
      CALL_TIMEOUT_MILLISECONDS,
    )
  })
  try {
    return await Promise.race([request(), timeout])
  } catch (error) {
    throw fromRequest(error)
  } finally {
    clearTimeout(timer)
  }
}

function queriesOf(options: ListOptions, Query: typeof SdkQuery): string[] {
  const { equal = {}, updatedSince, order = 'newest-created', limit, cursorAfter, select } = options
  return [
    ...Object.entries(equal).map(([attribute, value]) => Query.equal(attribute, value)),
    ...(updatedSince === undefined ? [] : [Query.greaterThanEqual('$updatedAt', updatedSince)]),
    order === 'newest-created' ? Query.orderDesc('$createdAt') : Query.orderAsc('$updatedAt'),
    Query.limit(limit),
    ...(cursorAfter === undefined ? [] : [Query.cursorAfter(cursorAfter)]),
    ...(select === undefined ? [] : [Query.select([...select])]),
  ]
}

/**
 * Returns the document. Throws when the response is not a document, as from a captive portal or a
 * proxy.
 */
function documentFrom<C extends CollectionId>(collection: C, value: unknown): DocumentOf<C> {
  const document = readDocument(collection, value)
  if (!document) throw notTheBackend()
  return document
}

/** Returns the selected attributes of a document. */
function selectedFrom<C extends CollectionId>(_collection: C, value: unknown): DocumentOf<C> {
  if (typeof value !== 'object' || value === null || !('$id' in value)) throw notTheBackend()
  // Callers read only the attributes that they select.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...value } as DocumentOf<C>
}

/**
 * Returns whether the server's own response lacks an id. A captive portal's page has only a `message`.
 */
function lacksId(answer: object): boolean {
  const isText = Object.keys(answer).join() === 'message'
  return !('$id' in answer) && !isText
}

function notTheBackend(): BackendError {
  return new BackendError('unreachable', 'The response didn’t come from the Stint server')
}

function userFrom(account: Models.User): User {
  if (typeof account.$id !== 'string') throw notTheBackend()
  return { id: account.$id, name: account.name, email: account.email }
}

function fieldsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) throw notTheBackend()
  return new Map(Object.entries(value))
}

function serverInfoFrom(answer: ReadonlyMap<string, unknown>): ServerInfo {
  const version = answer.get('version')
  const supportEmail = answer.get('supportEmail')
  const serverTime = Date.parse(String(answer.get('serverTime')))
  const lastBackupAt = Date.parse(String(answer.get('lastBackupAt')))
  return {
    version: typeof version === 'string' ? version : '',
    supportEmail: typeof supportEmail === 'string' ? supportEmail : '',
    recovery: answer.get('recovery') === true,
    signup: SIGNUP_POLICIES.find((each) => each === answer.get('signup')) ?? 'open',
    provider: textOrNull(answer.get('provider')),
    proxy: proxyFrom(answer.get('proxy')),
    passkeyDomain: textOrNull(answer.get('passkeyDomain')),
    serverTime: Number.isNaN(serverTime) ? null : serverTime,
    lastBackupAt: !Number.isNaN(lastBackupAt)
      ? lastBackupAt
      : answer.get('lastBackupAt') === null
        ? 'none'
        : null,
  }
}

function proxyFrom(value: unknown): ServerInfo['proxy'] {
  if (typeof value !== 'object' || value === null) return null
  const fields = new Map(Object.entries(value))
  const signOutUrl = textOrNull(fields.get('signOutUrl'))
  return { person: textOrNull(fields.get('person')), signOutUrl }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
