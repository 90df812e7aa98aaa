/**
 * Pure functions from the document before a request to the document after it. They check everything
 * that needs no database; the service reads and writes.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import { apiError } from '#errors.ts'
import { epochMilliseconds, wireInstant } from '#instant.ts'
import { attributesOf } from '#storage/schema.ts'
import type { AttributeValues, StoredDocument } from './document.ts'
import { refuseOtherOwner } from './ownership.ts'
import { defaultPermissions, ownPermissions } from './permissions.ts'
import { checkRules, refuseChangeOfStopped } from './rules.ts'
import { readAttributes, withDefaults } from './structure.ts'

export interface NewDocument {
  /** An id that the client chooses, or `unique()`. */
  readonly id: string
  readonly data: Record<string, unknown>
  /** Undefined: the owner may do everything. */
  readonly permissions: readonly string[] | undefined
}

export interface DocumentChange {
  /** The attributes to change; the others are kept. */
  readonly data: Record<string, unknown>
  /** Undefined leaves them as they are. */
  readonly permissions: readonly string[] | undefined
  /** Refuses the change when the document changed after this instant (epoch milliseconds); null: never. */
  readonly unchangedSince: number | null
}

export interface Increment {
  readonly attribute: string
  /** Negative to decrement. */
  readonly by: number
  /** Bounds of the result. */
  readonly min: number | undefined
  readonly max: number | undefined
}

/**
 * Returns the document that `owner` creates, without its id.
 * @param now epoch milliseconds.
 * @throws ApiError document_invalid_structure, user_unauthorized, general_argument_invalid.
 */
export function newDocument(
  owner: string,
  collection: CollectionId,
  { data, permissions }: Omit<NewDocument, 'id'>,
  now: number,
): Omit<StoredDocument, 'id'> {
  const sent = readAttributes(collection, data)
  refuseOtherOwner(sent, owner)
  const attributes = withDefaults(collection, sent)
  checkRules(collection, attributes, now)
  const createdAt = wireInstant(now)
  return {
    createdAt,
    updatedAt: createdAt,
    permissions:
      permissions === undefined ? defaultPermissions(owner) : ownPermissions(permissions, owner),
    attributes,
  }
}

/**
 * Returns the document after a change, or null when the change leaves it as it is.
 * @param now epoch milliseconds.
 * @throws ApiError document_invalid_structure, user_unauthorized, document_update_conflict,
 * general_argument_invalid.
 */
export function changedDocument(
  owner: string,
  collection: CollectionId,
  before: StoredDocument,
  { data, permissions, unchangedSince }: DocumentChange,
  now: number,
): StoredDocument | null {
  refuseChangedSince(before, unchangedSince)
  const sent = readAttributes(collection, data)
  refuseOtherOwner(sent, owner)
  const attributes = withDefaults(collection, { ...before.attributes, ...sent })
  return replacement(
    collection,
    before,
    attributes,
    permissions === undefined ? before.permissions : ownPermissions(permissions, owner),
    now,
  )
}

/**
 * Returns the document after an increment, or null when the number stays the same.
 * @param now epoch milliseconds.
 * @throws ApiError attribute_limit_exceeded, and what `changedDocument` throws.
 */
export function incrementedDocument(
  collection: CollectionId,
  before: StoredDocument,
  increment: Increment,
  bounds: { readonly min: number; readonly max: number },
  now: number,
): StoredDocument | null {
  const { attribute: name, by } = increment
  const sum = Number(before.attributes[name] ?? 0) + by
  const max = Math.min(bounds.max, increment.max ?? Infinity)
  const min = Math.max(bounds.min, increment.min ?? -Infinity)
  if (sum > max && by > 0) throw apiError('attribute_limit_exceeded.max', { name, max })
  if (sum < min && by < 0) throw apiError('attribute_limit_exceeded.min', { name, min })
  const attributes = { ...before.attributes, [name]: sum }
  return replacement(collection, before, attributes, before.permissions, now)
}

/**
 * Returns the bounds of the number that an increment changes.
 * @throws ApiError attribute_not_found, attribute_type_invalid.
 */
export function boundsOfNumber(
  collection: CollectionId,
  { attribute: name, by }: Increment,
): { readonly min: number; readonly max: number } {
  const attribute = attributesOf(collection).get(name)
  if (attribute === undefined) {
    throw apiError('attribute_not_found', { name: name.slice(0, 64) })
  }
  if (attribute.type !== 'integer' && attribute.type !== 'double') {
    throw apiError('attribute_type_invalid.not_a_number', { name })
  }
  if (attribute.type === 'integer' && !Number.isSafeInteger(by)) {
    throw apiError('attribute_type_invalid.not_whole', { name })
  }
  return attribute
}

/** @throws ApiError document_update_conflict when the document changed after `since` (epoch milliseconds). */
export function refuseChangedSince({ updatedAt }: StoredDocument, since: number | null): void {
  if (since !== null && epochMilliseconds(updatedAt) > since) {
    throw apiError('document_update_conflict')
  }
}

function replacement(
  collection: CollectionId,
  before: StoredDocument,
  attributes: AttributeValues,
  permissions: readonly string[],
  now: number,
): StoredDocument | null {
  refuseChangeOfStopped(collection, before.attributes, attributes)
  const isSame =
    Object.keys(attributes).every((name) => attributes[name] === before.attributes[name]) &&
    permissions.join() === before.permissions.join()
  if (isSame) return null
  checkRules(collection, attributes, now)
  return {
    ...before,
    // Always later than before, even if the clock was set back: clients order changes by this time.
    updatedAt: wireInstant(Math.max(now, epochMilliseconds(before.updatedAt) + 1)),
    permissions,
    attributes,
  }
}
