/** Creating a document (contract 5.2). */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Statements } from '#storage/database.ts'
import { ApiError } from '#errors.ts'
import { GENERATE_ID, newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import type { DocumentText } from './document.ts'
import { checkOwner } from './owner.ts'
import { defaultPermissions, ownPermissions } from './permissions.ts'
import { checkRules } from './rules.ts'
import type { DocumentStore } from './store.ts'
import { readAttributes, withDefaults } from './structure.ts'

export interface NewDocument {
  /** An id of the client's choice, or `unique()`. */
  readonly id: string
  readonly data: Record<string, unknown>
  readonly permissions: readonly string[] | undefined
}

/** A generated id holds 28 random bits: meeting a taken one twice running is no coincidence. */
const GENERATED_ID_TRIES = 3

/**
 * Creates a document of `owner`.
 * @throws ApiError document_invalid_structure, user_unauthorized; document_already_exists when
 * the owner has that id in the collection, or an active timer session already.
 */
export async function createDocument(
  statements: Statements,
  store: DocumentStore,
  owner: string,
  collection: CollectionId,
  { id, data, permissions }: NewDocument,
  now: number,
): Promise<DocumentText> {
  const sent = readAttributes(collection, data)
  checkOwner(sent, owner)
  const attributes = withDefaults(collection, sent)
  checkRules(collection, attributes, now)
  const createdAt = wireInstant(now)
  const document = {
    createdAt,
    updatedAt: createdAt,
    permissions:
      permissions === undefined ? defaultPermissions(owner) : ownPermissions(permissions, owner),
    attributes,
  }
  const tries = id === GENERATE_ID ? GENERATED_ID_TRIES : 1
  for (let attempt = 0; attempt < tries; attempt++) {
    const chosen = id === GENERATE_ID ? newId(now) : id
    const created = await store.insert(statements, owner, { id: chosen, ...document })
    if (created !== undefined) return created
  }
  throw new ApiError('document_already_exists')
}
