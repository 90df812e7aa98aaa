/** Keys as the API returns them, without their secrets. */
import { instantToWire } from '@stint/core/time/instant.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { answer, utcInstant } from '#http/answers.ts'
import { epochMilliseconds } from '#instant.ts'
import type { KeyRow } from '#storage/schema.ts'

const INSTANT_OR_NULL = Type.Union([utcInstant, Type.Null()])

const FIELDS = {
  id: Type.String(),
  name: Type.String(),
  access: Type.Enum(['read', 'write']),
  notBefore: INSTANT_OR_NULL,
  createdAt: utcInstant,
  lastUsedAt: INSTANT_OR_NULL,
}

export const KEY = answer(FIELDS, 'key')
export const KEYS = answer({ keys: Type.Array(KEY) }, 'keyList')
export const CREATED_KEY = answer({ ...FIELDS, secret: Type.String() }, 'createdKey')

/** Returns a key for its owner. */
export function wireKey(key: KeyRow): Static<typeof KEY> {
  return {
    id: key.id,
    name: key.name,
    access: key.access,
    notBefore: key.not_before === null ? null : utcOf(key.not_before),
    createdAt: utcOf(key.created_at),
    lastUsedAt: key.used_at === null ? null : utcOf(key.used_at),
  }
}

/** Returns stored wire text in the form that ends in `Z`. */
function utcOf(stored: string): string {
  return instantToWire(epochMilliseconds(stored))
}
