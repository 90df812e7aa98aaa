/** Preferences: a small JSON object of the client's own making. */
import { isPlainObject, isStorable, refuse } from '#http/params.ts'
import type { Validator } from '#http/params.ts'

const MAX_BYTES = 65_535
const MAX_DEPTH = 8

/** Names that would break the SDK when they come back: it assigns them to an object. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** The `prefs` parameter, as the JSON text to store. */
export const prefsText: Validator<string> = (value) => {
  if (!isPlainObject(value) || !isPlain(value, 1)) return refuse('Value must be a valid object.')
  const text = JSON.stringify(value)
  return Buffer.byteLength(text) <= MAX_BYTES
    ? text
    : refuse(`Value must be a valid object of at most ${MAX_BYTES} bytes.`)
}

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
