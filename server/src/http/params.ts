/**
 * A request's parameters. A validator reads each of them; the first one that does not fit is refused in
 * Appwrite's words, which are put together here and nowhere else.
 */
import { apiError } from '#errors.ts'
import type { ApiError } from '#errors.ts'
import { GENERATE_ID, isId } from '#id.ts'

/** Returns the value, or calls `refuse`. */
export type Validator<Value> = (value: unknown) => Value

class Refused extends Error {}

/** @throws for `readParams`, which adds the parameter's name to the description of what the value must be. */
export function refuse(description: string): never {
  throw new Refused(description)
}

type Values<Shape extends Record<string, Validator<unknown>>> = {
  [Name in keyof Shape]: ReturnType<Shape[Name]>
}

/**
 * Reads the parameters a route knows out of a body (or path or query); others are ignored.
 * @throws ApiError general_argument_invalid naming the first that is missing or does not fit.
 */
export function readParams<const Shape extends Record<string, Validator<unknown>>>(
  source: unknown,
  shape: Shape,
): Values<Shape> {
  const given = isPlainObject(source) ? source : {}
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(shape)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    try {
      values[name] = shape[name]?.(value)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      throw value === undefined
        ? apiError('general_argument_invalid.missing_param', { name })
        : invalidParam(name, error.message)
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one value for each validator of `shape`
  return values as Values<Shape>
}

/** The refusal of a parameter, for what no validator can know. */
export function invalidParam(name: string, description: string): ApiError {
  return apiError('general_argument_invalid.param', { name, description })
}

/** A parameter that may be left out. */
export function optional<Value>(validate: Validator<Value>): Validator<Value | undefined> {
  return (value) => (value === undefined || value === null ? undefined : validate(value))
}

/** Text of `min` to `max` characters. */
export function text(min: number, max: number): Validator<string> {
  return (value) =>
    typeof value === 'string' && isStorable(value) && value.length >= min && value.length <= max
      ? value
      : refuse(
          `Value must be a valid string and at least ${min} chars and no longer than ${max} chars`,
        )
}

/** An id of something that exists. */
export const existingId: Validator<string> = (value) =>
  isId(value)
    ? value
    : refuse(
        "UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. Can't start with a leading underscore",
      )

/** An id for something new, or `unique()`. */
export const customId: Validator<string> = (value) =>
  value === GENERATE_ID || isId(value)
    ? value
    : refuse(
        "Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
      )

/** An e-mail address, in lower case. */
export const emailAddress: Validator<string> = (value) =>
  typeof value === 'string' && value.length <= 320 && isStorable(value) && EMAIL.test(value)
    ? value.toLowerCase()
    : refuse('Value must be a valid email address')

// One @, something before it, and a name with a dot after it (or localhost); linear in length.
const EMAIL =
  /^[^\s@<>()[\],;:\\"]{1,64}@[A-Za-z0-9\u0080-\uffff](?:[A-Za-z0-9\u0080-\uffff.-]{0,253})$/

/** 8 to 256 bytes, exactly as typed. */
export const password: Validator<string> = (value) => {
  const bytes = typeof value === 'string' ? Buffer.byteLength(value) : 0
  return typeof value === 'string' && value.isWellFormed() && bytes >= 8 && bytes <= 256
    ? value
    : refuse('Password must be between 8 and 256 characters long.')
}

/** Whether both databases keep the text as it is: no NUL, no half of a surrogate pair. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

/** A JSON object, as opposed to a list, null or a scalar. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
