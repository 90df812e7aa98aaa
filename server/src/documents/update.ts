/** Changing a document (contract 5.4, 5.5, 5.7). */
import type { CollectionId } from '@stint/core/collections.ts'
import { UniqueViolation } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import { attributesOf } from '#storage/schema.ts'
import { ApiError } from '#errors.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import { parseBody } from './document.ts'
import type { AttributeValues, DocumentText, StoredDocument } from './document.ts'
import { checkOwner } from './owner.ts'
import { ownPermissions } from './permissions.ts'
import { checkFence, checkRules } from './rules.ts'
import type { DocumentStore } from './store.ts'
import { readAttributes, withDefaults } from './structure.ts'

export interface DocumentChange {
  readonly data: Record<string, unknown>
  /** Undefined leaves them as they are. */
  readonly permissions: readonly string[] | undefined
  /** X-Appwrite-Timestamp: refuse if the document changed after this instant. */
  readonly unchangedSince: number | null
}

/** What a write did; `changed` is false when it found everything as asked already. */
export interface Written {
  readonly text: DocumentText
  readonly changed: boolean
}

/**
 * Changes the attributes sent and leaves the others.
 * @throws ApiError document_not_found, document_invalid_structure, user_unauthorized,
 * document_update_conflict, document_already_exists (a second active session).
 */
export async function updateDocument(
  tx: Transaction,
  store: DocumentStore,
  owner: string,
  collection: CollectionId,
  id: string,
  change: DocumentChange,
  now: number,
): Promise<Written> {
  const row = await store.lock(tx, owner, id)
  if (row === undefined) throw documentNotFound(id)
  const before = parseBody(collection, row.body)
  checkUnchanged(before, change.unchangedSince)
  const sent = readAttributes(collection, change.data)
  checkOwner(sent, owner)
  const after = withDefaults(collection, { ...before.attributes, ...sent })
  return replaceDocument(tx, store, owner, collection, row, before, after, change.permissions, now)
}

export interface Increment {
  readonly attribute: string
  /** Negative to decrement. */
  readonly by: number
  /** The result may not pass these. */
  readonly min: number | undefined
  readonly max: number | undefined
}

/**
 * Adds to a number; two at once both count.
 * @throws ApiError attribute_not_found, attribute_type_invalid, document_not_found,
 * attribute_limit_exceeded, and what an update throws.
 */
export async function incrementAttribute(
  tx: Transaction,
  store: DocumentStore,
  owner: string,
  collection: CollectionId,
  id: string,
  increment: Increment,
  now: number,
): Promise<Written> {
  const { attribute: name, by } = increment
  const attribute = attributesOf(collection).get(name)
  if (attribute === undefined) {
    throw new ApiError(
      'attribute_not_found',
      `Attribute with the requested ID '${name.slice(0, 64)}' could not be found.`,
    )
  }
  if (attribute.type !== 'integer' && attribute.type !== 'double') {
    throw new ApiError('attribute_type_invalid', `Attribute "${name}" is not a number`)
  }
  if (attribute.type === 'integer' && !Number.isSafeInteger(by)) {
    throw new ApiError('attribute_type_invalid', `Attribute "${name}" takes whole numbers only`)
  }
  const row = await store.lock(tx, owner, id)
  if (row === undefined) throw documentNotFound(id)
  const before = parseBody(collection, row.body)
  const sum = Number(before.attributes[name] ?? 0) + by
  const [min, max] = [
    Math.max(attribute.min, increment.min ?? -Infinity),
    Math.min(attribute.max, increment.max ?? Infinity),
  ]
  if (sum > max && by > 0) {
    throw new ApiError(
      'attribute_limit_exceeded',
      `databases "${name}" has reached the maximum value of ${max}`,
    )
  }
  if (sum < min && by < 0) {
    throw new ApiError(
      'attribute_limit_exceeded',
      `databases "${name}" has reached the minimum value of ${min}`,
    )
  }
  const after = { ...before.attributes, [name]: sum }
  return replaceDocument(tx, store, owner, collection, row, before, after, undefined, now)
}

/** 404, the same whether there is no such document or it is somebody else's. */
export function documentNotFound(id: string): ApiError {
  return new ApiError(
    'document_not_found',
    `Document with the requested ID '${id}' could not be found.`,
  )
}

/** @throws ApiError document_update_conflict when it changed after `unchangedSince`. */
export function checkUnchanged(document: StoredDocument, unchangedSince: number | null): void {
  if (unchangedSince !== null && epochMilliseconds(document.updatedAt) > unchangedSince) {
    throw new ApiError('document_update_conflict')
  }
}

async function replaceDocument(
  tx: Transaction,
  store: DocumentStore,
  owner: string,
  collection: CollectionId,
  row: DocumentText,
  before: StoredDocument,
  after: AttributeValues,
  permissions: readonly string[] | undefined,
  now: number,
): Promise<Written> {
  const newPermissions =
    permissions === undefined ? before.permissions : ownPermissions(permissions, owner)
  checkFence(collection, before.attributes, after)
  const isSame =
    Object.keys(after).every((name) => after[name] === before.attributes[name]) &&
    newPermissions.join() === before.permissions.join()
  if (isSame) return { text: row, changed: false }
  checkRules(collection, after, now)
  try {
    const text = await store.update(tx, owner, {
      ...before,
      // Later than before even if the clock went back: clients order by it.
      updatedAt: wireInstant(Math.max(now, epochMilliseconds(before.updatedAt) + 1)),
      permissions: newPermissions,
      attributes: after,
    })
    return { text, changed: true }
  } catch (error) {
    if (error instanceof UniqueViolation) throw new ApiError('document_already_exists')
    throw error
  }
}
