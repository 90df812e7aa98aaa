/**
 * Many documents in one call and one transaction: an import or a merge of tasks is thousands of
 * entries, which one by one would take hours of the limits for single calls. Stint's own, beside
 * the Appwrite API (docs/decisions/0010-many-entries-in-one-call.md).
 */
import { DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'
import type { FastifyInstance } from 'fastify'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { ApiError } from '#errors.ts'
import { GENERATE_ID } from '#id.ts'
import { customId, isPlainObject, optional, readParams, refuse } from '#http/params.ts'
import type { Validator } from '#http/params.ts'
import type { DocumentAction } from '#realtime/events.ts'
import type { Services } from '#services.ts'
import { LIMITS } from '#http/throttle.ts'
import { createDocument } from './create.ts'
import { documentJson } from './document.ts'
import type { DocumentText } from './document.ts'
import { permissionList } from './permissions.ts'
import type { documentStores } from './store.ts'
import { collectionOf } from './target.ts'
import { updateDocument } from './update.ts'
import type { Written } from './update.ts'

const MOST_DOCUMENTS = 500
const MOST_BYTES = 1024 * 1024

interface SentDocument {
  readonly documentId: string
  readonly data: Record<string, unknown>
  readonly permissions: readonly string[] | undefined
  /** One that is there is left as it is: an earlier try created it, and its answer was lost. */
  readonly isNew: boolean
}

/** What the routes of single documents share with this one. */
export interface DocumentParts {
  readonly stores: ReturnType<typeof documentStores>
  /** Must hear of every change, once it is committed. */
  readonly announce: (
    where: { readonly owner: string; readonly collection: CollectionId },
    action: DocumentAction,
    text: DocumentText,
  ) => void
}

/** Registers the route under the prefix of `app`. */
export function registerDocumentsTogether(
  app: FastifyInstance,
  { db, now, throttle }: Services,
  { requireUser }: CallerHooks,
  { stores, announce }: DocumentParts,
): void {
  /** Changes what is sent of each document, or creates it (only that if it is new): all of them, or none. */
  app.put(
    '/stint/collections/:collectionId/documents',
    { onRequest: requireUser, bodyLimit: MOST_BYTES },
    async (request, reply) => {
      const owner = callerOf(request).user.id
      throttle.hitPassing(reply, LIMITS.documentsTogether, owner)
      const { collectionId } = readParams(request.params, { collectionId: anyText })
      const collection = collectionOf(DATABASE_ID, collectionId)
      const { documents } = readParams(request.body, { documents: sentDocuments })
      const store = stores[collection]
      const written = await db.write(async (tx) => {
        const results: Written[] = []
        /** What is new, to be created without waiting in between: PostgreSQL does it together then. */
        let creations = new Map<string, () => Promise<void>>()
        const create = async (): Promise<void> => {
          const begun = [...creations.values()].map((begin) => begin())
          creations = new Map()
          await Promise.all(begun)
        }
        for (const [index, { documentId, data, permissions, isNew }] of documents.entries()) {
          if (creations.has(documentId)) await create()
          const found = await store.lock(tx, owner, documentId)
          if (found === undefined) {
            const document = { id: documentId, data, permissions }
            creations.set(documentId === GENERATE_ID ? `${index}` : documentId, async () => {
              const text = await createDocument(tx, store, owner, collection, document, now())
              results[index] = { text, changed: true }
            })
          } else if (isNew) {
            results[index] = { text: found, changed: false }
          } else {
            const change = { data, permissions, unchangedSince: null }
            results[index] = await updateDocument(
              tx,
              store,
              owner,
              collection,
              documentId,
              change,
              now(),
            )
          }
        }
        await create()
        return results
      })
      for (const { text, changed } of written) {
        if (changed) announce({ owner, collection }, 'upsert', text)
      }
      const list = written.map(({ text }) => documentJson(text)).join(',')
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .send(`{"documents":[${list}]}`)
    },
  )
}

const anyText: Validator<string> = (value) =>
  typeof value === 'string' ? value : refuse('Value must be a valid string.')

const trueOrFalse: Validator<boolean> = (value) =>
  typeof value === 'boolean' ? value : refuse('Value must be a valid boolean.')

const sentDocuments: Validator<SentDocument[]> = (value) => {
  if (!Array.isArray(value) || value.length > MOST_DOCUMENTS) {
    return refuse(`Value must be a list of at most ${MOST_DOCUMENTS} documents.`)
  }
  return value.map((each: unknown) => {
    if (!isPlainObject(each) || !isPlainObject(each['data'])) {
      throw new ApiError('document_missing_data')
    }
    const { documentId, permissions, isNew } = readParams(each, {
      documentId: customId,
      permissions: permissionList,
      isNew: optional(trueOrFalse),
    })
    return { documentId, data: each['data'], permissions, isNew: isNew ?? false }
  })
}
