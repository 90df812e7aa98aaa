/** The document API: translates HTTP to the operations of `Documents`, and nothing else. */
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { encoded } from '#http/compress.ts'
import { LIMITS } from '#http/throttle.ts'
import type { PassingLimit } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import { documentJson } from './document.ts'
import type { DocumentText } from './document.ts'
import {
  readChange,
  readCollectionPath,
  readDocumentPath,
  readIncrement,
  readNewDocument,
  readPutDocuments,
  readQueries,
  readUnchangedSince,
  readWithTotal,
} from './params.ts'
import { selected } from './queries/list.ts'
import { parseQueries } from './queries/parse.ts'
import { Documents } from './service.ts'

const DOCUMENTS = '/databases/:databaseId/collections/:collectionId/documents'
const DOCUMENT = `${DOCUMENTS}/:documentId`
/** Stint's own, beside the Appwrite API (docs/decisions/0010-many-entries-in-one-call.md). */
const MANY_DOCUMENTS = '/stint/collections/:collectionId/documents'

/** The largest body of a call that puts many documents, in bytes. */
const MAX_MANY_BYTES = 1_048_576

const JSON_TYPE = 'application/json; charset=utf-8'

/** Registers the document routes under the prefix of `app`. */
export function registerDocuments(
  app: FastifyInstance,
  services: Services,
  { requireUser }: CallerHooks,
): void {
  const documents = new Documents(services)
  const signedIn = { onRequest: requireUser }

  app.get(DOCUMENTS, signedIn, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentRead)
    const { owner, collection } = readCollectionPath(request)
    const query = parseQueries(collection, readQueries(request))
    const page = await documents.list(owner, collection, query, readWithTotal(request))
    finished(reply.raw, page.release)
    return sendEncoded(request, reply, `{"total":${page.total},"documents":[${page.documents}]}`)
  })

  app.post(DOCUMENTS, signedIn, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentCreate)
    const document = readNewDocument(request)
    const { owner, collection } = readCollectionPath(request)
    const created = await documents.create(owner, collection, document)
    return sendDocument(reply.code(201), created)
  })

  app.get(DOCUMENT, signedIn, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentRead)
    const { owner, collection, id } = readDocumentPath(request)
    const { select } = parseQueries(collection, readQueries(request))
    const found = await documents.get(owner, collection, id)
    return sendJson(reply, selected(documentJson(found), select))
  })

  app.patch(DOCUMENT, signedIn, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentUpdate)
    const change = readChange(request)
    const { owner, collection, id } = readDocumentPath(request)
    return sendDocument(reply, await documents.update(owner, collection, id, change))
  })

  app.put(DOCUMENT, signedIn, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentUpsert)
    const change = readChange(request)
    const { owner, collection, id } = readDocumentPath(request)
    return sendDocument(reply, await documents.upsert(owner, collection, id, change))
  })

  app.delete(DOCUMENT, signedIn, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentDelete)
    const unchangedSince = readUnchangedSince(request)
    const { owner, collection, id } = readDocumentPath(request)
    await documents.delete(owner, collection, id, unchangedSince)
    return reply.code(204).send()
  })

  for (const [direction, limit] of [
    ['increment', LIMITS.documentIncrement],
    ['decrement', LIMITS.documentDecrement],
  ] as const) {
    app.patch(`${DOCUMENT}/:attribute/${direction}`, signedIn, async (request, reply) => {
      limitRate(request, reply, limit)
      const increment = readIncrement(request, direction)
      const { owner, collection, id } = readDocumentPath(request)
      return sendDocument(reply, await documents.increment(owner, collection, id, increment))
    })
  }

  app.put(MANY_DOCUMENTS, { ...signedIn, bodyLimit: MAX_MANY_BYTES }, async (request, reply) => {
    limitRate(request, reply, LIMITS.documentBatches)
    const { owner, collection } = readCollectionPath(request)
    const sent = readPutDocuments(request)
    limitRate(request, reply, LIMITS.documentsInBulk, sent.length)
    const written = await documents.putMany(owner, collection, sent)
    return sendJson(reply, `{"documents":[${written.map(documentJson).join(',')}]}`)
  })

  function limitRate(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: PassingLimit,
    amount = 1,
  ): void {
    services.throttle.hitPassing(reply, limit, callerOf(request).user.id, amount)
  }
}

function sendDocument(reply: FastifyReply, document: DocumentText): FastifyReply {
  return sendJson(reply, documentJson(document))
}

/** Compresses the reply where that is worth it: a page of history is megabytes of repeated text. */
async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<FastifyReply> {
  reply.header('vary', 'Origin, Accept-Encoding')
  const body = await encoded(json, request.headers['accept-encoding'])
  if (body === null) return sendJson(reply, json)
  return reply
    .headers({ 'content-type': JSON_TYPE, 'content-encoding': body.encoding })
    .send(body.bytes)
}

function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(json)
}
