/** Which backend this build talks to. Unset: Stint's own server on the same origin. */
import { COLLECTIONS, DATABASE_ID, PROJECT_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'

export interface BackendConfig {
  readonly endpoint: string
  readonly projectId: string
  readonly databaseId: string
  /** True for Stint's own server on this origin; a real Appwrite lacks its few extras. */
  readonly ownServer: boolean
}

/** The collections' ids on the backend: on every Appwrite project as here. */
export function isCollectionId(id: string): id is CollectionId {
  return Object.hasOwn(COLLECTIONS, id)
}

/** Reads the build's settings. A relative endpoint is refused by the SDK, so it is made whole. */
export function readBackendConfig(
  env: ImportMetaEnv = import.meta.env,
  origin: string = location.origin,
): BackendConfig {
  const configured = setting(env, 'VITE_APPWRITE_ENDPOINT')
  return {
    endpoint: configured ?? `${origin}${import.meta.env.BASE_URL}v1`,
    projectId: setting(env, 'VITE_APPWRITE_PROJECT_ID') ?? PROJECT_ID,
    databaseId: setting(env, 'VITE_APPWRITE_DATABASE_ID') ?? DATABASE_ID,
    ownServer: configured === undefined,
  }
}

function setting(env: ImportMetaEnv, name: string): string | undefined {
  const value: unknown = env[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
