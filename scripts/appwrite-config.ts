/** What `appwrite.config.json` says: the collections, for an Appwrite server. `npm run api` writes it. */
import { COLLECTION_IDS, COLLECTIONS, DATABASE_ID, PROJECT_ID } from '@stint/core/collections.ts'
import type { Attribute, CollectionId } from '@stint/core/collections.ts'

/** The attributes that the app's queries filter by. Appwrite indexes $createdAt and $id itself. */
const INDEXES: Readonly<Record<CollectionId, readonly (readonly string[])[]>> = {
  tasks: [['userId', 'isActive']],
  timer_sessions: [['userId']],
  time_entries: [['userId'], ['taskId']],
}

export function appwriteConfig(): object {
  return {
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
        // Appwrite reports it of every string. Where the file is silent, the next push takes that for a change, deletes
        // the attribute and creates it again, without its values.
        ...(attribute.type === 'string' ? { encrypt: false } : {}),
      })),
      indexes: INDEXES[id].map((attributes) => ({
        key: `by_${attributes.join('_').toLowerCase()}`,
        type: 'key',
        attributes,
        orders: attributes.map(() => 'ASC'),
      })),
    })),
  }
}
