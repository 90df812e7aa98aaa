/**
 * Calls that are repeated with the same `Idempotency-Key` are carried out once, and get the same answer again. The
 * answer is stored in the transaction of the call, so a server that is killed has either both or neither.
 */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { apiError, description } from '#errors.ts'
import { invalidParam } from '#http/params.ts'
import { isPlainObject } from '#json.ts'
import { wireInstant } from '#instant.ts'
import { first } from '#storage/database.ts'
import type { QueryBuilder, Transaction } from '#storage/database.ts'

/** How long an answer is kept, in milliseconds. */
const KEPT_FOR = 86_400_000
/** How many answers of a key are kept, and how many characters of them. */
const MAX_KEPT = 1000
const MAX_KEPT_CHARACTERS = 2 * 1024 * 1024
const MAX_NAME_LENGTH = 255

export interface StoredAnswer {
  readonly status: number
  /** JSON text. */
  readonly body: string
}

/** A call that may be repeated. */
export interface RepeatableCall {
  readonly keyId: string
  /** What the client calls it by. */
  readonly name: string
  /** A hash of what is called with which body. */
  readonly callHash: string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Returns the call of a request; null: it has no `Idempotency-Key`.
 * @throws ApiError general_argument_invalid.
 */
export function repeatableCall(
  request: FastifyRequest,
  keyId: string,
  now: number,
): RepeatableCall | null {
  const name = request.headers['idempotency-key']
  if (name === undefined) return null
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) {
    throw invalidParam('Idempotency-Key', description('text', { min: 1, max: MAX_NAME_LENGTH }))
  }
  const call = JSON.stringify([request.method, request.url, parametersOf(request.body)])
  return { keyId, name, callHash: hash('sha256', call), now }
}

/**
 * Returns the parameters in a body. All are scalars. What is nested is ignored by every call, and may be so deep that
 * it has no text.
 */
function parametersOf(body: unknown): readonly (readonly [string, unknown])[] {
  if (!isPlainObject(body)) return []
  return Object.entries(body).filter(([, value]) => typeof value !== 'object')
}

/** Returns the query for the answer of a call. */
export function answerQuery(build: QueryBuilder, { keyId, name, now }: RepeatableCall) {
  return build
    .selectFrom('key_answers')
    .select(['call_hash', 'status', 'body'])
    .where('key_id', '=', keyId)
    .where('name', '=', name)
    .where('created_at', '>', wireInstant(now - KEPT_FOR))
}

/**
 * Returns the answer that was found.
 * @throws ApiError stint_idempotency_conflict when it answered another call.
 */
export function answerOf(
  { callHash }: RepeatableCall,
  found: StoredAnswer & { readonly call_hash: string },
): StoredAnswer {
  if (found.call_hash !== callHash) throw apiError('stint_idempotency_conflict')
  return { status: found.status, body: found.body }
}

/** Makes the answer of a call and stores it, unless the call was answered before. */
export async function answeredOnce(
  tx: Transaction,
  call: RepeatableCall,
  make: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  const found = await first(tx.run(answerQuery(tx.build, call)))
  if (found !== undefined) return answerOf(call, found)
  const { status, body } = await make()
  const { keyId: key_id, name, callHash: call_hash, now } = call
  await tx.run(
    tx.build
      .deleteFrom('key_answers')
      .where('key_id', '=', key_id)
      .where((eb) =>
        eb.or([
          eb('created_at', '<=', wireInstant(now - KEPT_FOR)),
          eb('name', 'in', namesBeyondBounds(tx.build, key_id)),
        ]),
      ),
  )
  const created_at = wireInstant(now)
  await tx.run(
    tx.build
      .insertInto('key_answers')
      .values({ key_id, name, call_hash, status, body, created_at }),
  )
  return { status, body }
}

/** Returns the query for the names of the oldest answers of a key, for which there is no room beside a new one. */
function namesBeyondBounds(build: QueryBuilder, keyId: string) {
  const newestFirst = sql`(order by created_at desc, name)`
  const ranked = build
    .selectFrom('key_answers')
    .select([
      'name',
      sql<number>`row_number() over ${newestFirst}`.as('place'),
      sql<number>`sum(length(body)) over ${newestFirst}`.as('characters'),
    ])
    .where('key_id', '=', keyId)
    .as('ranked')
  return build
    .selectFrom(ranked)
    .select('name')
    .where((eb) => eb.or([eb('place', '>=', MAX_KEPT), eb('characters', '>', MAX_KEPT_CHARACTERS)]))
}
