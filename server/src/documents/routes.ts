/** The document API: translates HTTP to the operations of `Documents`. */
import { finished } from 'node:stream'
import { COLLECTION_IDS, DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { apiError } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { encoded } from '#http/compress.ts'
import type { Routes } from '#http/params.ts'
import { LIMITS } from '#http/throttle.ts'
import { ASKED_DATES, parseInstant } from '#instant.ts'
import type { Services } from '#services.ts'
import type { DocumentChange } from './changes.ts'
import { documentJson } from './document.ts'
import type { DocumentText } from './document.ts'
import { selected } from './queries/list.ts'
import { parseQueries } from './queries/parse.ts'
import {
  ATTRIBUTE_PATH,
  CHANGE,
  CHANGE_HEADERS,
  COLLECTION_PATH,
  DOCUMENT,
  DOCUMENT_LIST,
  DOCUMENT_PATH,
  DOCUMENT_QUERY,
  isEmpty,
  LIST_QUERY,
  NEW_DOCUMENT,
  OWN_COLLECTION_PATH,
  PUT_DOCUMENTS,
  readData,
  SELECTED_DOCUMENT,
  STEP,
  WRITTEN_DOCUMENTS,
} from './schemas.ts'
import type { Documents } from './service.ts'

const DOCUMENTS = '/databases/:databaseId/collections/:collectionId/documents'
const DOCUMENT_URL = `${DOCUMENTS}/:documentId`
/**
 * A route of Stint's own, which Appwrite does not have
 * (docs/decisions/0016-appwrite-projects.md).
 */
const MANY_DOCUMENTS = '/stint/collections/:collectionId/documents'

/** The largest body of a call that puts many documents, in bytes. */
const MAX_MANY_BYTES = 1_048_576

const JSON_TYPE = 'application/json; charset=utf-8'

/** Registers the document routes under the prefix of `app`. */
export function registerDocuments(
  app: Routes,
  services: Services,
  documents: Documents,
  { signedIn }: CallerHooks,
): void {
  app.get(
    DOCUMENTS,
    signedIn(
      {
        summary: 'A list of documents',
        params: COLLECTION_PATH,
        querystring: LIST_QUERY,
        response: { 200: DOCUMENT_LIST },
      },
      LIMITS.documentRead,
    ),
    async (request, reply) => {
      const { owner, collection } = collectionOf(request, request.params)
      const query = parseQueries(collection, queriesOf(request.query))
      const page = await documents.list(owner, collection, query, isCounted(request.query))
      finished(reply.raw, page.release)
      return encodedJson(request, reply, `{"total":${page.total},"documents":[${page.documents}]}`)
    },
  )

  app.post(
    DOCUMENTS,
    signedIn(
      {
        summary: 'Creates a document',
        params: COLLECTION_PATH,
        body: NEW_DOCUMENT,
        response: { 201: DOCUMENT },
      },
      LIMITS.documentCreate,
    ),
    async (request, reply) => {
      const { owner, collection } = collectionOf(request, request.params)
      const { documentId: id, data, permissions } = request.body
      const document = { id, data: readData(data), permissions: permissions ?? undefined }
      const created = await documents.create(owner, collection, document)
      return sentDocument(reply.code(201), created)
    },
  )

  app.get(
    DOCUMENT_URL,
    signedIn(
      {
        summary: 'A document',
        params: DOCUMENT_PATH,
        querystring: DOCUMENT_QUERY,
        response: { 200: SELECTED_DOCUMENT },
      },
      LIMITS.documentRead,
    ),
    async (request, reply) => {
      const { owner, collection } = collectionOf(request, request.params)
      const { select } = parseQueries(collection, queriesOf(request.query))
      const found = await documents.get(owner, collection, request.params.documentId)
      return json(reply, selected(documentJson(found), select))
    },
  )

  for (const { method, operation, limit, summary } of [
    {
      method: 'patch',
      operation: 'update',
      limit: LIMITS.documentUpdate,
      summary: 'Changes the attributes that are sent',
    },
    {
      method: 'put',
      operation: 'upsert',
      limit: LIMITS.documentUpsert,
      summary: 'Creates the document, or changes the attributes that are sent',
    },
  ] as const) {
    app[method](
      DOCUMENT_URL,
      signedIn(
        {
          summary,
          params: DOCUMENT_PATH,
          headers: CHANGE_HEADERS,
          body: CHANGE,
          response: { 200: DOCUMENT },
        },
        limit,
      ),
      async (request, reply) => {
        const change = changeOf(request, request.body)
        const { owner, collection } = collectionOf(request, request.params)
        const { documentId } = request.params
        return sentDocument(
          reply,
          await documents[operation](owner, collection, documentId, change),
        )
      },
    )
  }

  app.delete(
    DOCUMENT_URL,
    signedIn(
      {
        summary: 'Deletes a document',
        params: DOCUMENT_PATH,
        headers: CHANGE_HEADERS,
        response: { 204: noContent },
      },
      LIMITS.documentDelete,
    ),
    async (request, reply) => {
      const unchangedSince = unchangedSinceOf(request)
      const { owner, collection } = collectionOf(request, request.params)
      await documents.delete(owner, collection, request.params.documentId, unchangedSince)
      reply.code(204)
    },
  )

  for (const [direction, limit] of [
    ['increment', LIMITS.documentIncrement],
    ['decrement', LIMITS.documentDecrement],
  ] as const) {
    app.patch(
      `${DOCUMENT_URL}/:attribute/${direction}`,
      signedIn(
        {
          summary: `${direction === 'increment' ? 'Adds to' : 'Subtracts from'} a number`,
          params: ATTRIBUTE_PATH,
          body: STEP,
          response: { 200: DOCUMENT },
        },
        limit,
      ),
      async (request, reply) => {
        const { owner, collection } = collectionOf(request, request.params)
        const { documentId, attribute } = request.params
        const { min, max } = request.body
        const by = request.body.value ?? 1
        const increment =
          direction === 'increment'
            ? { attribute, by, min: undefined, max: max ?? undefined }
            : { attribute, by: -by, min: min ?? undefined, max: undefined }
        const changed = await documents.increment(owner, collection, documentId, increment)
        return sentDocument(reply, changed)
      },
    )
  }

  app.put(
    MANY_DOCUMENTS,
    {
      ...signedIn(
        {
          summary:
            "Creates or changes all documents, or none; one that `isNew` and is there already is left as it is, one that was changed after `unchangedSince` refuses all; not Appwrite's",
          params: OWN_COLLECTION_PATH,
          body: PUT_DOCUMENTS,
          response: { 200: WRITTEN_DOCUMENTS },
        },
        LIMITS.documentBatches,
      ),
      bodyLimit: MAX_MANY_BYTES,
    },
    async (request, reply) => {
      const { owner, collection } = collectionOf(request, request.params)
      const sent = request.body.documents.map(
        ({ documentId, data, permissions, isNew, unchangedSince }) => ({
          id: documentId,
          data,
          permissions: permissions ?? undefined,
          isNew: isNew ?? false,
          unchangedSince: unchangedSince ?? null,
        }),
      )
      services.throttle.hitPassing(reply, LIMITS.documentsInBulk, owner, sent.length)
      const written = await documents.putMany(owner, collection, sent)
      return json(reply, `{"documents":[${written.map(documentJson).join(',')}]}`)
    },
  )
}

/**
 * Returns the collection that a path names, and its owner, the caller.
 * @throws ApiError database_not_found, collection_not_found.
 */
function collectionOf(
  request: FastifyRequest,
  { databaseId = DATABASE_ID, collectionId }: { databaseId?: string; collectionId: string },
): { readonly owner: string; readonly collection: CollectionId } {
  if (databaseId !== DATABASE_ID) throw apiError('database_not_found')
  const collection = COLLECTION_IDS.find((id) => id === collectionId)
  if (collection === undefined) throw apiError('collection_not_found')
  return { owner: callerOf(request).user.id, collection }
}

/** @throws ApiError document_missing_payload, general_argument_invalid. */
function changeOf(
  request: FastifyRequest,
  { data: sent, permissions }: Static<typeof CHANGE>,
): DocumentChange {
  const data = readData(sent)
  if (isEmpty(data) && (permissions === undefined || permissions === null)) {
    throw apiError('document_missing_payload')
  }
  const unchangedSince = unchangedSinceOf(request)
  return { data, permissions: permissions ?? undefined, unchangedSince }
}

/**
 * Returns the instant of the header `X-Appwrite-Timestamp` (epoch milliseconds), or null without it.
 * @throws ApiError general_argument_invalid.
 */
function unchangedSinceOf(request: FastifyRequest): number | null {
  const value = request.headers['x-appwrite-timestamp']
  if (value === undefined) return null
  const instant = typeof value === 'string' ? parseInstant(value, ASKED_DATES) : null
  if (instant === null) throw apiError('general_argument_invalid.timestamp')
  return instant
}

/**
 * Reads `queries[0]=…&queries[1]=…` in the order of their numbers, or `queries[]=…`.
 * @throws ApiError general_query_invalid.
 */
function queriesOf(query: object): string[] {
  return Object.entries(query)
    .filter(([name]) => /^queries(\[\d{0,3}\])?$/.test(name))
    .map(([name, value]) => ({ number: Number(/\d+/.exec(name)?.[0] ?? 0), value }))
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ value }) => value)
    .map((value: unknown) => {
      if (typeof value === 'string') return value
      throw apiError('general_query_invalid.syntax')
    })
}

/** Returns whether the list needs a total: unless the client sends `total=false`. */
function isCounted({ total }: Static<typeof LIST_QUERY>): boolean {
  return total !== 'false' && total !== '0'
}

function sentDocument(reply: FastifyReply, document: DocumentText): string {
  return json(reply, documentJson(document))
}

/**
 * Compresses the reply if that reduces its time: a page of history is megabytes of repeated text.
 */
async function encodedJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  reply.header('vary', 'Origin, Accept-Encoding')
  const body = await encoded(text, request.headers['accept-encoding'])
  if (body === null) return json(reply, text)
  reply.headers({ 'content-type': JSON_TYPE, 'content-encoding': body.encoding })
  return body.bytes
}

/** Sets the content type to JSON, and returns the text. */
function json(reply: FastifyReply, text: string): string {
  reply.header('content-type', JSON_TYPE)
  return text
}
