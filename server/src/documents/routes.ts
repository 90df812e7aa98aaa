/** The document API. */
import { finished } from 'node:stream'
import type { CollectionId } from '@stint/core/collections.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import type { Transaction } from '#storage/database.ts'
import { encoded } from '#http/compress.ts'
import { ApiError } from '#errors.ts'
import { GENERATE_ID, isId } from '#id.ts'
import { ASKED_DATES, parseInstant } from '#instant.ts'
import { customId, existingId, isPlainObject, optional, readParams, refuse } from '#http/params.ts'
import type { Validator } from '#http/params.ts'
import type { DocumentAction } from '#realtime/events.ts'
import type { Services } from '#services.ts'
import { LIMITS } from '#http/throttle.ts'
import type { PassingLimit } from '#http/throttle.ts'
import { createDocument } from './create.ts'
import { documentJson } from './document.ts'
import type { DocumentText } from './document.ts'
import { documentLister, selected } from './list.ts'
import { permissionList } from './permissions.ts'
import { invalidQuery, parseQueries } from './query.ts'
import { deleteDocument } from './remove.ts'
import { documentStores } from './store.ts'
import type { DocumentStore } from './store.ts'
import { collectionOf } from './target.ts'
import { registerDocumentsTogether } from './together.ts'
import { documentNotFound, incrementAttribute, updateDocument } from './update.ts'
import { upsertDocument } from './upsert.ts'

const DOCUMENTS = '/databases/:databaseId/collections/:collectionId/documents'
const DOCUMENT = `${DOCUMENTS}/:documentId`
const JSON_TYPE = 'application/json; charset=utf-8'

/** Registers the document routes under the prefix of `app`. */
export function registerDocuments(
  app: FastifyInstance,
  services: Services,
  hooks: CallerHooks,
): void {
  const { db, now, hub, throttle } = services
  const { requireUser } = hooks
  const stores = documentStores(db)
  const lister = documentLister(db)
  const signedIn = { onRequest: requireUser }

  app.get(DOCUMENTS, signedIn, async (request, reply) => {
    limited(request, reply, LIMITS.documentRead)
    const { owner, collection } = place(request)
    const query = parseQueries(collection, queriesOf(request))
    const { json, release } = await lister.list(owner, collection, query, wantsTotal(request))
    finished(reply.raw, release)
    return sendLong(request, reply, json)
  })

  app.post(DOCUMENTS, signedIn, async (request, reply) => {
    limited(request, reply, LIMITS.documentCreate)
    const { documentId, data, permissions } = readParams(request.body, NEW_DOCUMENT)
    if (data === undefined || Object.keys(data).length === 0) {
      throw new ApiError('document_missing_data')
    }
    if (documentId === undefined) {
      throw new ApiError('document_missing_data', 'The document ID is missing.')
    }
    const where = place(request)
    const { owner, collection } = where
    const document = { id: documentId, data, permissions }
    // An id that is taken changes nothing, so no statement need be undone with another.
    const created = await db.autocommit((statements) =>
      createDocument(statements, stores[collection], owner, collection, document, now()),
    )
    announce(where, 'create', created)
    return sendDocument(reply.code(201), created)
  })

  app.get(DOCUMENT, signedIn, async (request, reply) => {
    limited(request, reply, LIMITS.documentRead)
    const { owner, collection, documentId } = place(request)
    const { select } = parseQueries(collection, queriesOf(request))
    const found = await stores[collection].find(owner, documentId)
    if (found === undefined) throw documentNotFound(documentId)
    return sendJson(reply, selected(documentJson(found), select))
  })

  app.patch(DOCUMENT, signedIn, async (request, reply) => {
    limited(request, reply, LIMITS.documentUpdate)
    const change = changeOf(request)
    const { text, changed } = await writing(
      request,
      ({ tx, store, owner, collection, documentId }) =>
        updateDocument(tx, store, owner, collection, documentId, change, now()),
    )
    if (changed) published(request, 'update', text)
    return sendDocument(reply, text)
  })

  app.put(DOCUMENT, signedIn, async (request, reply) => {
    limited(request, reply, LIMITS.documentUpsert)
    const change = changeOf(request)
    const { text, changed } = await writing(
      request,
      ({ tx, store, owner, collection, documentId }) =>
        upsertDocument(tx, store, owner, collection, documentId, change, now()),
    )
    if (changed) published(request, 'upsert', text)
    return sendDocument(reply, text)
  })

  app.delete(DOCUMENT, signedIn, async (request, reply) => {
    limited(request, reply, LIMITS.documentDelete)
    const since = unchangedSince(request)
    const removed = await writing(request, ({ tx, store, owner, collection, documentId }) =>
      deleteDocument(tx, store, owner, collection, documentId, since),
    )
    published(request, 'delete', removed)
    return reply.code(204).send()
  })

  for (const [direction, limit] of [
    ['increment', LIMITS.documentIncrement],
    ['decrement', LIMITS.documentDecrement],
  ] as const) {
    app.patch(`${DOCUMENT}/:attribute/${direction}`, signedIn, async (request, reply) => {
      limited(request, reply, limit)
      const { value, min, max } = readParams(request.body, STEP)
      const { attribute } = readParams(request.params, { attribute: anyText })
      const step = value ?? 1
      const increment =
        direction === 'increment'
          ? { attribute, by: step, min: undefined, max }
          : { attribute, by: -step, min, max: undefined }
      const { text } = await writing(request, ({ tx, store, owner, collection, documentId }) =>
        incrementAttribute(tx, store, owner, collection, documentId, increment, now()),
      )
      published(request, 'update', text)
      return sendDocument(reply, text)
    })
  }

  function limited(request: FastifyRequest, reply: FastifyReply, limit: PassingLimit): void {
    throttle.hitPassing(reply, limit, callerOf(request).user.id)
  }

  registerDocumentsTogether(app, services, hooks, { stores, announce })

  function published(request: FastifyRequest, action: DocumentAction, text: DocumentText): void {
    announce(place(request), action, text)
  }

  /** Tells the owner's devices, now that it is committed. */
  function announce(
    { owner, collection }: Pick<Place, 'owner' | 'collection'>,
    action: DocumentAction,
    text: DocumentText,
  ): void {
    hub.documentChanged(owner, collection, action, text)
  }

  /** Runs a write of the request's document in a transaction. */
  function writing<Result>(
    request: FastifyRequest,
    work: (where: Place & { tx: Transaction; store: DocumentStore }) => Promise<Result>,
  ): Promise<Result> {
    const where = place(request)
    return db.write((tx) => work({ ...where, tx, store: stores[where.collection] }))
  }
}

interface Place {
  readonly owner: string
  readonly collection: CollectionId
  /** '' for the routes of a whole collection. */
  readonly documentId: string
}

/** Whose document is meant, and where it is. */
function place(request: FastifyRequest): Place {
  const { databaseId, collectionId } = readParams(request.params, COLLECTION_PLACE)
  const collection = collectionOf(databaseId, collectionId)
  const { documentId } = readParams(request.params, DOCUMENT_PLACE)
  return { owner: callerOf(request).user.id, collection, documentId: documentId ?? '' }
}

function changeOf(request: FastifyRequest) {
  const { data, permissions } = readParams(request.body, CHANGE)
  if ((data === undefined || Object.keys(data).length === 0) && permissions === undefined) {
    throw new ApiError('document_missing_payload')
  }
  return { data: data ?? {}, permissions, unchangedSince: unchangedSince(request) }
}

function unchangedSince(request: FastifyRequest): number | null {
  const value = request.headers['x-appwrite-timestamp']
  if (value === undefined) return null
  const instant = typeof value === 'string' ? parseInstant(value, ASKED_DATES) : null
  if (instant === null) {
    throw new ApiError('general_argument_invalid', 'Invalid X-Appwrite-Timestamp header value.')
  }
  return instant
}

/** `queries[0]=…&queries[1]=…` in order of their numbers, or `queries[]=…`. */
function queriesOf(request: FastifyRequest): string[] {
  const query: unknown = request.query
  const given = isPlainObject(query) ? Object.entries(query) : []
  if (given.length === 0) return []
  const numbered = given
    .filter(([name]) => /^queries(\[\d{0,3}\])?$/.test(name))
    .map(([name, value]) => ({ number: Number(/\d+/.exec(name)?.[0] ?? 0), value }))
    .toSorted((a, b) => a.number - b.number)
    .flatMap(({ value }) => value)
  return numbered.map((value: unknown) => {
    if (typeof value === 'string') return value
    throw invalidQuery('Syntax error')
  })
}

function wantsTotal(request: FastifyRequest): boolean {
  const query: unknown = request.query
  const total = isPlainObject(query) ? query['total'] : undefined
  return total !== 'false' && total !== '0'
}

function sendDocument(reply: FastifyReply, text: DocumentText): FastifyReply {
  return sendJson(reply, documentJson(text))
}

/** Encoded when that is worth it: a page of history is megabytes of much the same. */
async function sendLong(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<FastifyReply> {
  reply.header('vary', 'Origin, Accept-Encoding')
  const short = await encoded(json, request.headers['accept-encoding'])
  if (short === null) return sendJson(reply, json)
  return reply
    .headers({ 'content-type': JSON_TYPE, 'content-encoding': short.encoding })
    .send(short.bytes)
}

function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(json)
}

/** An object, or JSON text of one. */
const documentData: Validator<Record<string, unknown>> = (value) => {
  const data = typeof value === 'string' ? parsed(value) : value
  return isPlainObject(data) ? data : refuse('Value must be a valid JSON object')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('Value must be a valid JSON object')
  }
}

const pathId: Validator<string> = (value) =>
  isId(value) || value === GENERATE_ID ? value : existingId(value)

const anyText: Validator<string> = (value) =>
  typeof value === 'string' ? value : refuse('Value must be a string')

const anyNumber: Validator<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse('Value must be numeric')

const positiveNumber: Validator<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
    ? value
    : refuse('Value must be numeric and greater than 0')

// What the routes read; made once, as they are read with every request.
const COLLECTION_PLACE = { databaseId: anyText, collectionId: anyText }
const DOCUMENT_PLACE = { documentId: optional(pathId) }
const CHANGE = { data: optional(documentData), permissions: permissionList }
const NEW_DOCUMENT = { documentId: optional(customId), ...CHANGE }
const STEP = { value: optional(positiveNumber), min: optional(anyNumber), max: optional(anyNumber) }
