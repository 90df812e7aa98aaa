/** Reads and writes documents. */
import type { CollectionId } from '@stint/core/collections.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { Client, Query as SdkQuery } from 'appwrite'

import type { Backend, DocumentOf, ListOptions } from './backend.ts'
import { call, documentFrom, fieldsOf, NO_ROUTE, notTheBackend } from './connection.ts'
import type { Connection } from './connection.ts'
import { currentUser } from './current-user.ts'
import { BackendError, fromRequest } from './errors.ts'
import { watchRateLimits } from './rate-limits.ts'

/** The backend rejects a change when the document was changed after this instant. */
const UNCHANGED_SINCE_HEADER = 'X-Appwrite-Timestamp'

/** Appwrite's error type for a write by a guest, or by a member without permission. */
const UNAUTHORIZED = 'user_unauthorized'

export function documentCalls(
  connection: Connection,
): Pick<Backend, 'list' | 'create' | 'update' | 'saveTogether' | 'delete'> {
  const { sdk, config, onServerTime } = connection
  const limit = watchRateLimits(config.endpoint)
  return {
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
      if (!connection.hasOwnRoutes) return null
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
        connection.hasOwnRoutes = fromRequest(error).type !== NO_ROUTE
        if (connection.hasOwnRoutes) throw error
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
      if (type === UNAUTHORIZED) await currentUser(connection)
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
    const isTold = !Number.isNaN(serverTime) && (isNew || !connection.hasOwnRoutes)
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
