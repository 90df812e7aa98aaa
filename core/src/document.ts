/** Reads documents of the backend. Only here do their attributes get their types. */
import { COLLECTIONS } from './collections.ts'
import type { Attribute, CollectionId, DocumentOf } from './collections.ts'

/**
 * Returns the document, or null if the value is not a document of this collection. A captive
 * portal, or a backend with other collections, sends such values. An attribute that the backend
 * lacks gets its default and is named in `$missing`.
 */
export function readDocument<C extends CollectionId>(
  collection: C,
  value: unknown,
): DocumentOf<C> | null {
  if (typeof value !== 'object' || value === null) return null
  const document: Record<string, unknown> = { ...value }
  const { $id, $createdAt, $updatedAt } = document
  if (![$id, $createdAt, $updatedAt].every((field) => typeof field === 'string')) return null
  const missing: string[] = []
  for (const [name, attribute] of Object.entries<Attribute>(COLLECTIONS[collection])) {
    if (!(name in document)) missing.push(name)
    const known = document[name] ?? ('default' in attribute ? attribute.default : null)
    if (known === null ? attribute.required : typeof known !== TYPES[attribute.type]) return null
    document[name] = known
  }
  if (missing.length > 0) document['$missing'] = missing
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop has checked each attribute
  return document as DocumentOf<C>
}

const TYPES = {
  string: 'string',
  datetime: 'string',
  integer: 'number',
  double: 'number',
  boolean: 'boolean',
} as const satisfies Record<Attribute['type'], string>
