/** What the document routes read from a request. */
import { COLLECTION_IDS, DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'
import type { FastifyRequest } from 'fastify'
import { callerOf } from '#accounts/caller.ts'
import { apiError } from '#errors.ts'
import { customId, existingId, isPlainObject, optional, readParams, refuse } from '#http/params.ts'
import type { Validator } from '#http/params.ts'
import { GENERATE_ID, isId } from '#id.ts'
import { ASKED_DATES, parseInstant } from '#instant.ts'
import type { DocumentChange, Increment, NewDocument } from './changes.ts'
import { permissionList } from './permissions.ts'
import type { PutDocument } from './service.ts'

/** How many documents one call may put. */
const MAX_PUT_DOCUMENTS = 500

/** The collection of a path, and its owner, who is the caller. */
interface CollectionPath {
  readonly owner: string
  readonly collection: CollectionId
}

/**
 * Reads whose collection the path names.
 * @throws ApiError database_not_found, collection_not_found.
 */
export function readCollectionPath(request: FastifyRequest): CollectionPath {
  const { databaseId, collectionId } = readParams(request.params, COLLECTION_PATH)
  if (databaseId !== undefined && databaseId !== DATABASE_ID) {
    throw apiError('database_not_found')
  }
  const collection = COLLECTION_IDS.find((id) => id === collectionId)
  if (collection === undefined) throw apiError('collection_not_found')
  return { owner: callerOf(request).user.id, collection }
}

/**
 * Reads which document the path names.
 * @throws ApiError database_not_found, collection_not_found, general_argument_invalid.
 */
export function readDocumentPath(
  request: FastifyRequest,
): CollectionPath & { readonly id: string } {
  const path = readCollectionPath(request)
  return { ...path, id: readParams(request.params, DOCUMENT_PATH).documentId }
}

/** @throws ApiError document_missing_data, general_argument_invalid. */
export function readNewDocument(request: FastifyRequest): NewDocument {
  const { documentId, data, permissions } = readParams(request.body, NEW_DOCUMENT)
  if (data === undefined || Object.keys(data).length === 0) {
    throw apiError('document_missing_data')
  }
  if (documentId === undefined) {
    throw apiError('document_missing_data.id')
  }
  return { id: documentId, data, permissions }
}

/** @throws ApiError document_missing_payload, general_argument_invalid. */
export function readChange(request: FastifyRequest): DocumentChange {
  const { data, permissions } = readParams(request.body, CHANGE)
  if ((data === undefined || Object.keys(data).length === 0) && permissions === undefined) {
    throw apiError('document_missing_payload')
  }
  return { data: data ?? {}, permissions, unchangedSince: readUnchangedSince(request) }
}

/** @throws ApiError general_argument_invalid. */
export function readIncrement(
  request: FastifyRequest,
  direction: 'increment' | 'decrement',
): Increment {
  const { value = 1, min, max } = readParams(request.body, STEP)
  const { attribute } = readParams(request.params, ATTRIBUTE_PATH)
  return direction === 'increment'
    ? { attribute, by: value, min: undefined, max }
    : { attribute, by: -value, min, max: undefined }
}

/** @throws ApiError document_missing_data, general_argument_invalid. */
export function readPutDocuments(request: FastifyRequest): PutDocument[] {
  return readParams(request.body, { documents: putDocuments }).documents
}

/**
 * Returns the instant of the header `X-Appwrite-Timestamp` (epoch milliseconds), or null without it.
 * @throws ApiError general_argument_invalid.
 */
export function readUnchangedSince(request: FastifyRequest): number | null {
  const value = request.headers['x-appwrite-timestamp']
  if (value === undefined) return null
  const instant = typeof value === 'string' ? parseInstant(value, ASKED_DATES) : null
  if (instant === null) {
    throw apiError('general_argument_invalid.timestamp')
  }
  return instant
}

/**
 * Reads `queries[0]=…&queries[1]=…` in the order of their numbers, or `queries[]=…`.
 * @throws ApiError general_query_invalid.
 */
export function readQueries(request: FastifyRequest): string[] {
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
    throw apiError('general_query_invalid.syntax')
  })
}

/** Whether a list is to be counted: unless the client sends `total=false`. */
export function readWithTotal(request: FastifyRequest): boolean {
  const query: unknown = request.query
  const total = isPlainObject(query) ? query['total'] : undefined
  return total !== 'false' && total !== '0'
}

const anyText: Validator<string> = (value) =>
  typeof value === 'string' ? value : refuse('Value must be a string')

const anyNumber: Validator<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse('Value must be numeric')

const anyBoolean: Validator<boolean> = (value) =>
  typeof value === 'boolean' ? value : refuse('Value must be a valid boolean.')

const positiveNumber: Validator<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
    ? value
    : refuse('Value must be numeric and greater than 0')

const pathId: Validator<string> = (value) =>
  isId(value) || value === GENERATE_ID ? value : existingId(value)

/** An object, or JSON text of one. */
const documentData: Validator<Record<string, unknown>> = (value) => {
  const data = typeof value === 'string' ? parseJson(value) : value
  return isPlainObject(data) ? data : refuse('Value must be a valid JSON object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('Value must be a valid JSON object')
  }
}

const putDocuments: Validator<PutDocument[]> = (value) => {
  if (!Array.isArray(value) || value.length > MAX_PUT_DOCUMENTS) {
    return refuse(`Value must be a list of at most ${MAX_PUT_DOCUMENTS} documents.`)
  }
  return value.map((each: unknown) => {
    if (!isPlainObject(each) || !isPlainObject(each['data'])) {
      throw apiError('document_missing_data')
    }
    const { documentId, permissions, isNew } = readParams(each, PUT_DOCUMENT)
    return { id: documentId, data: each['data'], permissions, isNew: isNew ?? false }
  })
}

// Made once, since every request reads some of them.
const COLLECTION_PATH = { databaseId: optional(anyText), collectionId: anyText }
const DOCUMENT_PATH = { documentId: pathId }
const ATTRIBUTE_PATH = { attribute: anyText }
const CHANGE = { data: optional(documentData), permissions: permissionList }
const NEW_DOCUMENT = { documentId: optional(customId), ...CHANGE }
const PUT_DOCUMENT = {
  documentId: customId,
  permissions: permissionList,
  isNew: optional(anyBoolean),
}
const STEP = { value: optional(positiveNumber), min: optional(anyNumber), max: optional(anyNumber) }
