/**
 * A document as it is stored and sent. Its JSON text is stored beside the typed columns, without
 * the sequence, which the database assigns. A reply therefore only joins strings.
 */
import { COLLECTIONS, DATABASE_ID } from '@stint/core/collections.ts'
import type { CollectionId, DocumentOf } from '@stint/core/collections.ts'
import { isPlainObject } from '#json.ts'

export type Scalar = string | number | boolean

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** All attributes of a document; those without a value are null. */
export type AttributeValues = Record<string, Scalar | null>

/** A document in parts. Instants are wire text. */
export interface StoredDocument {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly permissions: readonly string[]
  readonly attributes: AttributeValues
}

/** A stored document: its sequence and the JSON text after it. */
export interface DocumentText {
  readonly sequence: number
  readonly body: string
}

/** Returns the document as the API sends it. */
export function documentJson({ sequence, body }: DocumentText): string {
  return `{"$sequence":"${sequence}"${body}`
}

/** Parses a stored document, whose attributes were checked when it was written. */
export function parsed<C extends CollectionId>(text: DocumentText): DocumentOf<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checks of every write say so
  return JSON.parse(documentJson(text)) as DocumentOf<C>
}

/** Returns the id of a document without parsing its text. */
export function documentId({ body }: DocumentText): string {
  const start = BEFORE_ID.length
  return body.slice(start, body.indexOf('"', start))
}

const BEFORE_ID = ',"$id":"'

/** Returns the text to store: what follows `{"$sequence":"…"`. */
export function documentBody(collection: CollectionId, document: StoredDocument): string {
  const json = JSON.stringify({
    $id: document.id,
    $createdAt: document.createdAt,
    $updatedAt: document.updatedAt,
    $permissions: document.permissions,
    $databaseId: DATABASE_ID,
    $collectionId: collection,
    ...document.attributes,
  })
  return `,${json.slice(1)}`
}

/** Parses a stored body. */
export function parseBody(collection: CollectionId, body: string): StoredDocument {
  const fields: unknown = JSON.parse(`{${body.slice(1)}`)
  if (!isPlainObject(fields)) throw new Error('A stored document is not an object')
  const { $permissions: permissions } = fields
  return {
    id: String(fields['$id']),
    createdAt: String(fields['$createdAt']),
    updatedAt: String(fields['$updatedAt']),
    permissions: Array.isArray(permissions) ? permissions.map(String) : [],
    attributes: Object.fromEntries(
      Object.keys(COLLECTIONS[collection]).map((name) => {
        const value = fields[name]
        return [name, isScalar(value) ? value : null]
      }),
    ),
  }
}
