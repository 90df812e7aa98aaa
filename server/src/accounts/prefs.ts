/** Preferences: a small JSON object whose contents the client chooses. */
import { Type } from 'typebox'
import { description } from '#errors.ts'
import { isStorable } from '#http/params.ts'
import { isPlainObject } from '#json.ts'

export const MAX_PREFS_BYTES = 65_535
const MAX_DEPTH = 8

/** Names that would break the SDK: it assigns the names of a reply to an object. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** The `prefs` parameter. */
export const prefs = Type.Refine(
  Type.Record(Type.String(), Type.Unknown(), {
    description: `up to ${MAX_PREFS_BYTES} bytes, ${MAX_DEPTH} levels`,
    refusal: (value: unknown) =>
      isPlainObject(value) && isPlain(value, 1)
        ? description('prefs_size', { max: MAX_PREFS_BYTES })
        : description('prefs'),
  }),
  (value) => isPlain(value, 1) && Buffer.byteLength(JSON.stringify(value)) <= MAX_PREFS_BYTES,
)

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'boolean') return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((each) => isPlain(each, depth + 1))
  return (
    isPlainObject(value) &&
    Object.entries(value).every(
      ([key, each]) => !FORBIDDEN_KEYS.has(key) && isStorable(key) && isPlain(each, depth + 1),
    )
  )
}
