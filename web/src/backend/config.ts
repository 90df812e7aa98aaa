/** The backend of this build. Without settings: Stint's own server on the same origin. */
import { COLLECTIONS, DATABASE_ID, PROJECT_ID } from '@stint/core/collections.ts'
import type { CollectionId } from '@stint/core/collections.ts'

export interface BackendConfig {
  readonly endpoint: string
  readonly projectId: string
  readonly databaseId: string
  /** True for Stint's own server on this origin. Appwrite lacks a few of its routes. */
  readonly ownServer: boolean
}

/** Returns whether `id` is one of the collections, whose ids are the same on every backend. */
export function isCollectionId(id: string): id is CollectionId {
  return Object.hasOwn(COLLECTIONS, id)
}

/** Reads the build's settings. Makes the endpoint absolute, as the SDK rejects a relative one. */
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
