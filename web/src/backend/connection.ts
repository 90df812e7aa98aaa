/** What the parts of the backend share: the SDK, calls that end, and whether the server is Stint's own. */
import type { CollectionId } from '@stint/core/collections.ts'
import { readDocument } from '@stint/core/document.ts'
import type { Client } from 'appwrite'

import type { DocumentOf, ServerTimeSample } from './backend.ts'
import type { BackendConfig } from './config.ts'
import { BackendError, fromRequest } from './errors.ts'

/** The SDK has no timeout. A call without a response by then counts as unreachable. */
const CALL_TIMEOUT_MILLISECONDS = 15_000

/** The error type of a server without the requested route, such as Appwrite for Stint's own routes. */
export const NO_ROUTE = 'general_route_not_found'

export interface Connection {
  readonly config: BackendConfig
  /** Loads the SDK at its first call. Rejects with BackendError. */
  readonly sdk: () => ReturnType<typeof loadSdk>
  /** False once a response has shown that the server lacks Stint's own routes. */
  hasOwnRoutes: boolean
  /** Takes a sample of the server's clock. */
  readonly onServerTime: (sample: ServerTimeSample) => void
  /** Posts to a route that only Stint's own server has. */
  callOwn(
    path: string,
    body: Record<string, unknown>,
    more?: Record<string, string>,
  ): Promise<unknown>
}

export function connect(
  config: BackendConfig,
  onServerTime: (sample: ServerTimeSample) => void,
): Connection {
  const sdk = lazily(() => loadSdk(config))
  return {
    config,
    sdk,
    hasOwnRoutes: config.ownServer,
    onServerTime,
    async callOwn(path, body, more = {}) {
      const { client } = await sdk()
      const headers = {
        'X-Appwrite-Project': config.projectId,
        'content-type': 'application/json',
        ...more,
      }
      return call(() => client.call('post', new URL(`${config.endpoint}/${path}`), headers, body))
    },
  }
}

/** Runs a request with a timeout. Rejects with a BackendError, whatever the request throws. */
export async function call<T>(request: () => Promise<T>): Promise<T> {
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

/**
 * Returns the document. Throws when the response is not a document, as from a captive portal or a
 * proxy.
 */
export function documentFrom<C extends CollectionId>(collection: C, value: unknown): DocumentOf<C> {
  const document = readDocument(collection, value)
  if (!document) throw notTheBackend()
  return document
}

/** Returns the fields of an answer. Throws when it is no object. */
export function fieldsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) throw notTheBackend()
  return new Map(Object.entries(value))
}

export function notTheBackend(): BackendError {
  return new BackendError('unreachable', 'The response didn’t come from the Stint server')
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
