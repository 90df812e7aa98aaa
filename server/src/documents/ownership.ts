/**
 * Only its owner may read and write a document. This file enforces it.
 *
 * Every statement on the tables of documents has the condition `isOwned`, or inserts the owner as a
 * value. The owner is the first bound value, and comes from the signed-in caller, never from the
 * request's data. `ownership.test.ts` calls every route, records every statement, and fails on one
 * without the condition.
 */
import { sql } from 'kysely'
import { apiError } from '#errors.ts'
import { slot } from '#storage/statement.ts'
import type { AttributeValues } from './document.ts'

/** The SQL condition that a row belongs to the owner, the first value of the statement. */
export const isOwned = sql<boolean>`owner = ${slot(0)}`

/** @throws ApiError user_unauthorized when the data name another user as their owner. */
export function refuseOtherOwner(attributes: AttributeValues, owner: string): void {
  const userId = attributes['userId']
  if (userId !== undefined && userId !== owner) {
    throw apiError('user_unauthorized.owner')
  }
}
