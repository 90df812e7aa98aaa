import { describe, expect, test } from 'vitest'

import { COLLECTION_IDS, COLLECTIONS } from './collections.ts'
import type { Attribute } from './collections.ts'
import { readDocument } from './document.ts'

const SYSTEM = { $id: 'd', $createdAt: '2026-01-01T00:00:00Z', $updatedAt: '2026-01-01T00:00:00Z' }
const SAMPLES = {
  string: 'x',
  datetime: '2026-01-01T00:00:00Z',
  integer: 1,
  double: 0.5,
  boolean: true,
}

describe.each(COLLECTION_IDS)('reading a document of %s', (collection) => {
  const attributes = Object.entries<Attribute>(COLLECTIONS[collection])
  const document = {
    ...SYSTEM,
    ...Object.fromEntries(attributes.map(([name, { type }]) => [name, SAMPLES[type]])),
  }

  test('A complete document is read with all its attributes', () => {
    expect(readDocument(collection, { ...document, later: 1 })).toEqual({ ...document, later: 1 })
  })

  test.each(attributes)('A document whose %s is of another type is refused', (name) => {
    expect(readDocument(collection, { ...document, [name]: {} })).toBeNull()
  })

  test.each(attributes)(
    'A missing %s has its default and is named as missing, or the document is refused',
    (name, attribute) => {
      const rest = Object.fromEntries(Object.entries(document).filter(([key]) => key !== name))
      const expected = 'default' in attribute ? attribute.default : null
      const read = readDocument(collection, rest)
      const completed = { ...rest, [name]: expected, $missing: [name] }
      expect(read).toEqual(attribute.required ? null : completed)
    },
  )

  test.each([null, 'text', 7, [], {}, { ...document, $id: undefined }])(
    'What is no document is refused: %j',
    (value) => {
      expect(readDocument(collection, value)).toBeNull()
    },
  )
})
