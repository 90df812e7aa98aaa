/**
 * The parameters of requests: the schemas that several routes share, and the check of every request
 * against its route's schema. One formatter writes all refusals, in Appwrite's words.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifySchemaCompiler,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import { normalizedEmail } from '@stint/core/email-address.ts'
import { Type } from 'typebox'
import type { Static, StaticDecode, TArray, TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Validator } from 'typebox/compile'
import { Check, DecodeUnsafe, HasCodec } from 'typebox/value'
import { ApiError, apiError, description } from '#errors.ts'
import { GENERATE_ID, isId } from '#id.ts'
import { isPlainObject } from '#json.ts'

/** Types a route's handler by the route's schema. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? StaticDecode<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** The app with the types for registering routes. */
export type Routes = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>

/**
 * A keyword of schemas: Appwrite's description of what a parameter must be, or a function that
 * chooses it by the value (undefined: the parameter is missing). A returned error replaces the
 * usual refusal.
 */
export type Refusal = string | ((value: unknown) => string | ApiError)

interface Refusable extends TSchema {
  readonly refusal?: Refusal
}

/**
 * Returns the check of a part of a request. It removes nothing: properties that the schema does not
 * have are ignored. A body that is no object counts as an empty one. Handlers read headers
 * themselves.
 */
export const compileCheck: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'headers' || !Type.IsObject(schema)) return () => true
  // Compiled at the first request: most servers, of tests or just started, need few of the routes.
  let compiled: Validator | undefined
  const decodes = HasCodec(schema)
  return (sent: unknown) => {
    const given = isPlainObject(sent) ? sent : {}
    compiled ??= Compile(schema)
    if (!compiled.Check(given)) return { error: firstRefusal(schema, given) }
    if (decodes) return { value: DecodeUnsafe({}, schema, given) }
    return given === sent ? true : { value: given }
  }
}

/**
 * Returns the refusal of the first property, in the order of the schema, that is missing or
 * invalid.
 */
function firstRefusal(schema: TObject, given: Readonly<Record<string, unknown>>): ApiError {
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const fits = value === undefined ? Type.IsOptional(property) : Check(property, value)
    if (!fits) return refusalInList(property, value) ?? refusalOf(property, name, value)
  }
  return new ApiError('general_argument_invalid')
}

/** Returns the refusal of an item, for a list of objects whose length is valid. */
function refusalInList(schema: TSchema, value: unknown): ApiError | null {
  if (!isListOfObjects(schema) || !Array.isArray(value)) return null
  if (value.length > (schema.maxItems ?? Infinity)) return null
  const wrong: unknown = value.find((item) => !Check(schema.items, item))
  return firstRefusal(schema.items, isPlainObject(wrong) ? wrong : {})
}

function isListOfObjects(schema: TSchema): schema is TArray<TObject> & { maxItems?: number } {
  return Type.IsArray(schema) && Type.IsObject(schema.items)
}

/** Formats a refusal. */
function refusalOf({ refusal = '' }: Refusable, name: string, value: unknown): ApiError {
  const refused = typeof refusal === 'string' ? refusal : refusal(value)
  if (refused instanceof ApiError) return refused
  return value === undefined
    ? apiError('general_argument_invalid.missing_param', { name })
    : invalidParam(name, refused)
}

/** Returns the refusal of a parameter that no schema can check. */
export function invalidParam(name: string, description: string): ApiError {
  return apiError('general_argument_invalid.param', { name, description })
}

/** Makes a parameter optional and nullable. */
export function optional<Schema extends TSchema>(schema: Schema) {
  const { refusal, description: note = '' }: Refusable & { description?: string } = schema
  return Type.Optional(
    Type.Union([schema, Type.Null()], { refusal, ...(note === '' ? {} : { description: note }) }),
  )
}

/** A text of `min` to `max` characters (UTF-16 units). */
export function text(min: number, max: number) {
  const refusal = description('text', { min, max })
  const schema = Type.String({
    minLength: min,
    maxLength: max,
    description: `${min} to ${max} characters`,
    refusal,
  })
  return Type.Refine(schema, (value) => isStorable(value) && value.length <= max)
}

/** An id of an existing thing. */
export const existingId = Type.Refine(Type.String({ refusal: description('id') }), isId)

/** An id of a thing that may exist, or `unique()`, which names nothing. */
export const pathId = Type.Refine(Type.String({ refusal: description('id') }), isIdOrGenerate)

/** An id for a new thing, or `unique()`. */
export const customId = Type.Refine(
  Type.String({ refusal: description('custom_id') }),
  isIdOrGenerate,
)

function isIdOrGenerate(value: string): boolean {
  return value === GENERATE_ID || isId(value)
}

// One @, something before it, and a name with a dot after it (or localhost); linear in length.
const EMAIL =
  /^[^\s@<>()[\],;:\\"]{1,64}@[A-Za-z0-9\u0080-\uffff](?:[A-Za-z0-9\u0080-\uffff.-]{0,253})$/

/** Returns whether the text is an e-mail address that an account may have. */
export function isEmailAddress(value: string): boolean {
  return value.length <= 320 && isStorable(value) && !/\p{Cc}/u.test(value) && EMAIL.test(value)
}

/** An e-mail address, normalized for the handler. */
export const emailAddress = Type.Decode(
  Type.Refine(Type.String({ maxLength: 320, refusal: description('email') }), isEmailAddress),
  normalizedEmail,
)

/** 8 to 256 bytes, exactly as typed. */
export const password = Type.Refine(Type.String({ refusal: description('password') }), (value) => {
  const bytes = Buffer.byteLength(value)
  return value.isWellFormed() && bytes >= 8 && bytes <= 256
})

/** Returns whether both databases store the text unchanged: no NUL, no half of a surrogate pair. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
