import { readFileSync } from 'node:fs'
import { COLLECTION_IDS, COLLECTIONS, DATABASE_ID, PROJECT_ID } from '@stint/core/collections.ts'
import type { Attribute } from '@stint/core/collections.ts'
import { expect, test } from 'vitest'

test('appwrite.config.json describes Stint’s collections for an Appwrite server', () => {
  const text = readFileSync(new URL('../../appwrite.config.json', import.meta.url), 'utf8')
  const config: unknown = JSON.parse(text)
  expect(config).toEqual({
    projectId: PROJECT_ID,
    projectName: 'Stint',
    databases: [{ $id: DATABASE_ID, name: 'Stint', enabled: true }],
    collections: COLLECTION_IDS.map((id) => ({
      $id: id,
      // Any signed-in user may create a document, which then belongs to its creator alone.
      $permissions: ['create("users")'],
      databaseId: DATABASE_ID,
      name: id,
      enabled: true,
      documentSecurity: true,
      attributes: Object.entries<Attribute>(COLLECTIONS[id]).map(([key, attribute]) => ({
        key,
        array: false,
        ...attribute,
      })),
      indexes: indexes(id).map((attributes) => ({
        key: `by_${attributes.join('_').toLowerCase()}`,
        type: 'key',
        attributes,
        orders: attributes.map(() => 'ASC'),
      })),
    })),
  })
})

/**
 * Returns the attributes that the app's queries filter by. Appwrite indexes $createdAt and $id
 * itself.
 */
function indexes(collection: string): string[][] {
  switch (collection) {
    case 'tasks':
      return [['userId', 'isActive']]
    case 'timer_sessions':
      return [['userId']]
    default:
      return [['userId'], ['taskId']]
  }
}
