/**
 * The catalogue of errors: every type with its status and texts, and how a thrown error becomes a reply
 * `{ message, code, type, version }`. `docs/api.md` lists the same types.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { answer } from '#http/answers.ts'
import { DatabaseUnavailable, QueryTooSlow, QuotaExceeded, UserGone } from '#storage/database.ts'
import { fill } from './template.ts'
import type { BlanksOf, FillArguments } from './template.ts'
import { VERSION } from '@stint/core/version.ts'

/** HTTP status -> type -> text. `apiError` fills in each `{placeholder}`. */
const MESSAGES = {
  400: {
    general_argument_invalid: 'The request contains one or more invalid arguments.',
    general_query_invalid: "The query's syntax is invalid.",
    general_cursor_not_found: 'The cursor is invalid.',
    document_missing_data: 'The document data is missing. Try again with document data populated.',
    document_missing_payload:
      'The document data and permissions are missing. You must provide either document data or permissions to be updated.',
    document_invalid_structure: 'The document structure is invalid.',
    database_query_order_null:
      'The order attribute of the cursor document is null, so it cannot be a cursor.',
    stint_time_zone_missing:
      'The time zone is not known. Choose one in Settings, or send `timeZone`, for example Europe/Berlin.',
    attribute_limit_exceeded: 'The maximum or minimum value of the attribute has been reached.',
    attribute_type_invalid: 'The attribute type is invalid.',
    password_personal_data:
      'The password you are trying to use contains references to your name, email, phone or userID. Please choose a different password.',
  },
  401: {
    general_unauthorized_scope: 'The current user or API key does not have the required scopes.',
    user_unauthorized: 'The current user is not authorized to perform the requested action.',
    user_invalid_credentials: 'Invalid credentials. Please check the email and password.',
    user_session_already_exists: 'Creation of a session is prohibited when a session is active.',
    user_invalid_token: 'Invalid token passed in the request.',
    stint_code_refused: 'The code is wrong or was used already.',
    stint_code_required:
      'This account asks for a code of its authenticator app after the password. Send it in the header X-Stint-Code.',
    stint_key_invalid: 'The key is wrong, or it was revoked.',
  },
  403: {
    stint_key_forbidden: 'A key does not give access to this.',
    general_unknown_origin: 'The request originated from an unknown origin.',
    stint_invite_invalid: 'This invitation is wrong, was used or has expired.',
    stint_password_missing:
      'This account has no password yet. Set one in Settings with a passkey, or with a recovery link: ‘Forgot password?’ on the sign-in page, or the operator of this server.',
    stint_passkey_expired:
      'This request to a passkey has expired or was used already. Please try again.',
    stint_passkey_refused: 'This passkey is not accepted.',
    stint_passkey_unknown:
      'This passkey is not known here. It may have been removed from the account.',
    stint_proof_missing:
      'Confirm this with the password of the account or with one of its passkeys.',
    stint_person_refused: 'The proxy in front of this server does not say who you are.',
    stint_sign_in_denied: 'The provider did not sign you in.',
    stint_sign_in_expired: 'This sign-in has expired, or was begun in another browser.',
    stint_email_unverified:
      'The provider has not verified your e-mail address, so it cannot be trusted.',
    user_blocked: 'The current user has been blocked.',
    stint_quota_exceeded: 'This account has reached the quota of this server.',
    stint_push_off: 'This server tells no devices of the timer.',
    stint_calendars_off: 'This server does not read calendars at other addresses.',
  },
  404: {
    general_route_not_found:
      'The requested route was not found. Please refer to the API docs and try again.',
    project_not_found:
      'Project with the requested ID could not be found. Please check the value of the X-Appwrite-Project header.',
    user_session_not_found: 'The current user session could not be found.',
    stint_feed_not_found: 'There is no calendar at this address: it is wrong, or it was revoked.',
    stint_key_not_found: 'The key could not be found.',
    stint_passkey_not_found: 'The passkey could not be found.',
    stint_session_not_found: 'There is no such session.',
    stint_sheet_not_found: 'There is no such sealed timesheet.',
    stint_proposal_not_found: 'The proposal could not be found.',
    stint_task_not_found: 'There is no such task.',
    stint_webhook_not_found: 'The key has no webhook.',
    database_not_found: 'Database not found',
    collection_not_found: 'Collection with the requested ID could not be found.',
    document_not_found: "Document with the requested ID '{id}' could not be found.",
    attribute_not_found: "Attribute with the requested ID '{name}' could not be found.",
    user_not_found: 'User with the requested ID could not be found.',
  },
  408: {
    database_timeout:
      'The list takes too long: its filters or its order read too many documents. Add a filter, for example by $createdAt.',
  },
  409: {
    stint_identity_conflict:
      'The account with this e-mail address is linked to another person of the provider.',
    user_already_exists: 'A user with the same id, email, or phone already exists in this project.',
    user_target_already_exists:
      'A target with the same ID or identifier already exists in this project.',
    user_email_already_verified: 'User email is already verified',
    document_already_exists:
      'Document with the requested ID already exists. Try again with a different ID or use ID.unique() to generate a unique ID.',
    stint_second_factor_off: 'The second factor is off.',
    stint_second_factor_on: 'The second factor is on already.',
    stint_passkey_last:
      'This account has no password, so its last passkey cannot be removed. Set a password first.',
    stint_no_timer: 'No timer is active.',
    stint_task_ambiguous: 'Several tasks fit this name.',
    stint_sheet_refused: 'This timesheet cannot be sealed.',
    document_update_conflict: 'Remote document is newer than local.',
  },
  415: {
    general_media_type_unsupported: 'The body must be sent as application/json.',
  },
  422: {
    stint_calendar_unreadable: 'The calendar does not answer in time.',
    stint_idempotency_conflict: 'This Idempotency-Key was sent with another call.',
  },
  429: {
    general_rate_limit_exceeded:
      'Rate limit for the current endpoint has been exceeded. Please try again after some time.',
  },
  500: {
    general_server_error: 'Server Error',
  },
  501: {
    user_auth_method_unsupported:
      'The requested authentication method is either disabled or unsupported.',
  },
  503: {
    stint_provider_unavailable: 'The sign-in provider does not answer. Please try again.',
    general_smtp_disabled: 'SMTP is disabled. Please contact the administrator of this server.',
    general_service_unavailable: 'The server is temporarily unavailable. Please try again.',
  },
} as const satisfies Record<number, Record<string, string>>

type Messages = typeof MESSAGES
export type ErrorType = { [Status in keyof Messages]: keyof Messages[Status] }[keyof Messages]
type MessageOf<Type> = {
  [Status in keyof Messages]: Type extends keyof Messages[Status] ? Messages[Status][Type] : never
}[keyof Messages]

/** Every type with its status and text. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of MESSAGES, one by one
export const ERRORS = Object.fromEntries(
  Object.entries<Readonly<Record<string, string>>>(MESSAGES).flatMap(([status, texts]) =>
    Object.entries(texts).map(([type, message]) => [type, { status: Number(status), message }]),
  ),
) as Readonly<Record<ErrorType, { readonly status: number; readonly message: string }>>

/**
 * More precise texts of some errors: `type.name` -> text. Texts that Appwrite has are in its words.
 */
export const TEXTS = {
  'general_argument_invalid.batch': 'Send one call at a time.',
  'general_argument_invalid.before_timer':
    'Invalid `{name}` param: The timer was started or changed after that.',
  'general_argument_invalid.body_encoding': 'The body is not UTF-8 text.',
  'general_argument_invalid.body_size': 'The request body is too large.',
  'general_argument_invalid.common_password':
    'Invalid `password` param: Password must be between 8 and 265 characters long, and should not be one of the commonly used password.',
  'general_argument_invalid.future': 'Invalid `{name}` param: The time is in the future.',
  'general_argument_invalid.missing_param': 'Param "{name}" is not optional.',
  'general_argument_invalid.one_param': 'Send exactly one of {names}.',
  'general_argument_invalid.other_email':
    'Invalid `email` param: It is not the address of this account.',
  'general_argument_invalid.param': 'Invalid `{name}` param: {description}',
  'general_argument_invalid.permissions':
    'Invalid `permissions` param: A document is its owner\'s alone. Leave the list out, or send read, update and delete for "{role}".',
  'general_argument_invalid.timestamp': 'Invalid X-Appwrite-Timestamp header value.',
  'general_query_invalid.attribute': 'Invalid query: Attribute not found in schema: {name}',
  'general_query_invalid.depth': 'Invalid query: Queries cannot be nested more than {max} deep',
  'general_query_invalid.exactly_one': 'Invalid query: {method} queries require exactly one value.',
  'general_query_invalid.exactly_two':
    'Invalid query: {method} queries require exactly two values.',
  'general_query_invalid.filters': 'Invalid query: Too many filters: at most {max} are allowed',
  'general_query_invalid.fulltext':
    'Invalid query: Searching by attribute "{name}" requires a fulltext index.',
  'general_query_invalid.length': 'Invalid query: longer than {max} characters',
  'general_query_invalid.long_attribute':
    'Invalid query: Cannot query {method} on attribute "{name}": it is too long.',
  'general_query_invalid.method': 'Invalid query: Invalid query method: {method}',
  'general_query_invalid.no_value': 'Invalid query: {method} queries require at least one value.',
  'general_query_invalid.page_size':
    'Invalid query: Invalid limit: the page takes {bytes} bytes of at most {max}',
  'general_query_invalid.pattern': 'Invalid query: {method} queries take at most {max} characters.',
  'general_query_invalid.queries': 'Invalid query: Too many queries: at most {max} are allowed',
  'general_query_invalid.range':
    'Invalid query: Invalid {method}: Value must be a valid range between {min} and {max}',
  'general_query_invalid.select': 'Invalid query: No attributes selected',
  'general_query_invalid.syntax': 'Invalid query: Syntax error',
  'general_query_invalid.text_type':
    'Invalid query: Cannot query {method} on attribute "{name}" of type {type}.',
  'general_query_invalid.text_values':
    'Invalid query: Too many text filters: at most {max} values are allowed',
  'general_query_invalid.two_queries':
    'Invalid query: {method} queries require at least two queries',
  'general_query_invalid.value': 'Invalid query: Query value is invalid for attribute "{name}"',
  'general_query_invalid.values': 'Invalid query: Too many values: at most {max} are allowed',
  'general_query_invalid.values_of_query':
    'Invalid query: Query on attribute has greater than {max} values: {name}',
  'general_cursor_not_found.document': "Document '{id}' for the 'cursor' value not found.",
  'general_unknown_origin.host':
    'Invalid Origin. Register your new client ({host}) as a new Web platform on your project console dashboard',
  'general_unauthorized_scope.metrics':
    'Metrics are for programs on the same machine, or need METRICS_TOKEN as a bearer token.',
  'general_unauthorized_scope.guest': 'User (role: guests) missing scopes (["account"])',
  'document_missing_data.id': 'The document ID is missing.',
  'document_invalid_structure.array_operator':
    "Invalid document structure: Cannot apply {method} operator to non-array field '{name}'",
  'document_invalid_structure.blank':
    'Invalid document structure: Attribute "{name}" has invalid format. Value must not be blank',
  'document_invalid_structure.boolean':
    'Invalid document structure: Attribute "{name}" has invalid type. Value must be a valid boolean',
  'document_invalid_structure.datetime':
    'Invalid document structure: Attribute "{name}" has invalid type. Value must be a valid date between 2000-01-01 00:00:00 and 2100-12-31 23:59:59.',
  'document_invalid_structure.double':
    'Invalid document structure: Attribute "{name}" has invalid type. Value must be a valid float',
  'document_invalid_structure.duration':
    'Invalid document structure: Attribute "durationSeconds" has invalid format. Value must not exceed the time between "startTime" and "endTime"',
  'document_invalid_structure.end':
    'Invalid document structure: Attribute "endTime" has invalid format. Value must not be before "startTime"',
  'document_invalid_structure.future':
    'Invalid document structure: Attribute "{name}" has invalid format. Value must not be in the future',
  'document_invalid_structure.integer':
    'Invalid document structure: Attribute "{name}" has invalid type. Value must be a valid signed 32-bit integer',
  'document_invalid_structure.log':
    'Invalid document structure: Attribute "log" has an event with an impossible instant: {event}',
  'document_invalid_structure.operator':
    "Invalid document structure: Cannot apply {method} operator to field '{name}'",
  'document_invalid_structure.range':
    'Invalid document structure: Attribute "{name}" has invalid format. Value must be a valid range between {min} and {max}',
  'document_invalid_structure.required':
    'Invalid document structure: Missing required attribute "{name}"',
  'document_invalid_structure.running_and_paused':
    'Invalid document structure: A session cannot be running and paused at the same time',
  'document_invalid_structure.string':
    'Invalid document structure: Attribute "{name}" has invalid type. Value must be a valid string and no longer than {max} chars',
  'document_invalid_structure.unknown': 'Invalid document structure: Unknown attribute: "{name}"',
  'document_update_conflict.ended': 'The session has ended: it can only be deleted.',
  'attribute_type_invalid.not_a_number': 'Attribute "{name}" is not a number',
  'attribute_type_invalid.not_whole': 'Attribute "{name}" takes whole numbers only',
  'attribute_limit_exceeded.max': 'databases "{name}" has reached the maximum value of {max}',
  'attribute_limit_exceeded.min': 'databases "{name}" has reached the minimum value of {min}',
  'user_unauthorized.owner': 'The attribute "userId" must be the current user.',
  'user_unauthorized.permissions': 'Permissions must be one of: ({roles})',
  'user_auth_method_unsupported.sign_up': 'Sign-up is closed on this server.',
  'user_auth_method_unsupported.proxy': 'No proxy signs people in to this server.',
  'user_auth_method_unsupported.passkeys':
    'Passkeys need the https address of this server, with a name and not a number.',
  'user_auth_method_unsupported.oidc': 'This server has no other sign-in provider.',
  'stint_invite_invalid.missing':
    'Sign-up on this server needs an invitation. Ask its operator for a link.',
  'stint_invite_invalid.email': 'This invitation is for another e-mail address.',
  'stint_identity_conflict.spelling':
    'An account has this e-mail address in other letters. Sign in to it with its password and correct its address.',
  'stint_person_refused.nobody': 'The proxy in front of this server has signed nobody in.',
  'stint_person_refused.untrusted':
    'The header with the person did not come from the proxy that this server trusts.',
  'stint_person_refused.several':
    'The proxy in front of this server names several people in one request.',
  'stint_person_refused.email':
    'The proxy in front of this server does not name the person by an e-mail address.',
  // The name of the variable is for the operator.
  'stint_key_invalid.missing': 'Send a key in the header "Authorization: Bearer stint_…".',
  'stint_key_invalid.not_yet': 'The key is not valid before {instant}.',
  'stint_key_forbidden.read_only': 'The key may only read.',
  'stint_key_forbidden.route': 'No key is accepted here: sign in instead.',
  'stint_sheet_refused.empty': 'There is no work on these days to seal.',
  'stint_sheet_refused.filter': 'The filter of a sealed timesheet has at most {max} characters.',
  'stint_sheet_refused.full': 'You can keep {max} sealed timesheets. Remove one first.',
  'stint_sheet_refused.room': 'A session has no room for one more seal.',
  'stint_sheet_refused.again':
    'Sessions on it are on a sealed timesheet with these days already: {count}. Send `again`, or the filter `-invoiced`.',
  'stint_sheet_refused.size':
    'These sessions are too many, or too long, for one call. Name fewer days, or a filter.',
  'stint_sheet_refused.changed': 'A session has changed meanwhile. Send the call again.',
  'stint_quota_exceeded.prefs':
    'The preferences of this account are full. Remove a sealed timesheet first.',
  'stint_quota_exceeded.passkeys': 'An account can have {max} passkeys. Remove one first.',
  'stint_quota_exceeded.keys': 'An account can have {max} keys. Revoke one first.',
  'stint_calendar_unreadable.kind': 'What is at this address is no calendar.',
  'stint_calendar_unreadable.size': 'The calendar is larger than 5 MB.',
  'stint_calendar_unreadable.status':
    'The address answered with status {status}, not with a calendar.',
  'stint_quota_exceeded.proposals':
    'An account can have {max} proposals. Ask their owner to review them first.',
  'general_service_unavailable.history':
    'Reading this history takes too long now. Name fewer days or a shorter filter, or try again later.',
  'stint_quota_exceeded.history':
    'This account has more sessions than a program can use at once. Name fewer and later days.',
  'stint_quota_exceeded.programs':
    'Programs work with {max} tasks and timers of an account at most.',
  'stint_quota_exceeded.documents':
    'This account has reached the maximum number of documents (QUOTA_DOCUMENTS).',
  'stint_quota_exceeded.bytes':
    'This account has reached the maximum size of its documents (QUOTA_BYTES).',
} as const satisfies Record<`${ErrorType}.${string}`, string>

/**
 * What parameters must be, in Appwrite's words: the descriptions of
 * `general_argument_invalid.param`.
 */
const DESCRIPTIONS = {
  boolean: 'Value must be a valid boolean.',
  count: 'Value must be a whole number from {min} to {max}.',
  cursor: 'Value must be the `next` of an earlier answer.',
  credential: 'Value must be what WebAuthn returns of a passkey, as JSON.',
  custom_id:
    "Parameter must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, period, hyphen, and underscore. Can't start with a special char",
  documents: 'Value must be a list of at most {max} documents.',
  email: 'Value must be a valid email address',
  id: "UID must contain at most 36 chars. Valid chars are a-z, A-Z, 0-9, and underscore. Can't start with a leading underscore",
  instant: 'Value must be a date and time like 2026-01-31T09:00:00Z.',
  json_object: 'Value must be a valid JSON object',
  list_of_texts: 'Value must a valid array no longer than {max} items and Value must be a string',
  number: 'Value must be numeric',
  moment: 'Value must be an instant like 2026-01-31T09:00:00Z, or a time like 9:05 or 10m ago.',
  date: 'Value must be a date like 2026-01-31.',
  names:
    'It names too many tasks by a part of their names. Send `taskId`, or names exactly as they are.',
  no_end: 'It names an end, so it is a session to add.',
  no_span: 'It must name a start and an end, for example 9-10:30.',
  one_of: 'Value must be one of ({values}).',
  password: 'Password must be between 8 and 256 characters long.',
  permission:
    'Permission "{permission}" is not allowed. Must be one of: read, update, delete, write.',
  push_key: 'Value must be a key of a push subscription in base64url.',
  positive_number: 'Value must be numeric and greater than 0',
  prefs: 'Value must be a valid object.',
  prefs_size: 'Value must be a valid object of at most {max} bytes.',
  sheet_size:
    'The notes of these sessions are too long for one file. Choose fewer days, or a filter.',
  text: 'Value must be a valid string and at least {min} chars and no longer than {max} chars',
  time_zone: 'Value must be the name of a time zone, for example Europe/Berlin.',
  uri: 'Invalid URI.',
  webhook_url: 'Value must be an https address on the public internet.',
  uri_host:
    'Invalid URI. Register your new client ({host}) as a new Web platform on your project console dashboard',
} as const satisfies Record<string, string>

/** A text of the catalogue: the text of a type, or a more precise one. */
export type ErrorText = ErrorType | keyof typeof TEXTS

type TemplateOf<Text extends ErrorText> = Text extends keyof typeof TEXTS
  ? (typeof TEXTS)[Text]
  : Text extends ErrorType
    ? MessageOf<Text>
    : never

type Values = Readonly<Record<string, string | number>>
type Headers = Readonly<Record<string, string>>
type Choice = Static<typeof CHOICE>

/** The types whose text has no placeholders. */
type PlainErrorType = {
  [Type in ErrorType]: [BlanksOf<TemplateOf<Type>>] extends [never] ? Type : never
}[ErrorType]

/** An expected failure. The client receives exactly this reply. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly type: ErrorType
  readonly status: number
  /** Extra reply headers, `Retry-After` for example. */
  readonly headers: Headers
  /** The things of which the caller must choose one. */
  readonly choices: readonly Choice[] | undefined

  constructor(type: PlainErrorType)
  /** Use `apiError` instead, which checks the placeholders. */
  constructor(text: ErrorText, values: Values, headers?: Headers, choices?: readonly Choice[])
  constructor(
    text: ErrorText,
    values: Values = {},
    headers: Headers = {},
    choices?: readonly Choice[],
  ) {
    super(fill(isPrecise(text) ? TEXTS[text] : ERRORS[text].message, values))
    this.type = typeOf(text)
    this.status = ERRORS[this.type].status
    this.headers = headers
    this.choices = choices
  }
}

/**
 * Returns the error with a text of the catalogue.
 * @param text `document_not_found`, or a more precise text like
 * `general_argument_invalid.body_size`.
 * @param values one for each placeholder of the text, for example `{ id }`.
 */
export function apiError<Text extends ErrorText>(
  text: Text,
  ...[values]: FillArguments<TemplateOf<Text>>
): ApiError {
  return new ApiError(text, values ?? {})
}

/** An error as plain data, which another thread can read. */
export type ErrorParts = Pick<ApiError, 'type' | 'message' | 'headers' | 'choices'>

export function errorParts({ type, message, headers, choices }: ApiError): ErrorParts {
  return { type, message, headers, choices }
}

/** Returns the error that another thread has thrown. */
export function apiErrorFrom({ type, message, headers, choices }: ErrorParts): ApiError {
  const error = new ApiError(type, {}, headers, choices)
  error.message = message
  return error
}

/** Returns what a parameter must be; `values` has one for each placeholder of the description. */
export function description<Name extends keyof typeof DESCRIPTIONS>(
  name: Name,
  ...[values]: FillArguments<(typeof DESCRIPTIONS)[Name]>
): string {
  return fill(DESCRIPTIONS[name], values ?? {})
}

function typeOf(text: ErrorText): ErrorType {
  if (!isPrecise(text)) return text
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of TEXTS says so
  return text.slice(0, text.indexOf('.')) as ErrorType
}

function isPrecise(text: ErrorText): text is keyof typeof TEXTS {
  return text in TEXTS
}

/** Returns 401, for calls that only a signed-in user may make. */
export function notSignedIn(): ApiError {
  return apiError('general_unauthorized_scope.guest')
}

/**
 * Returns 503 with Retry-After in seconds, for calls that may succeed later: the database is busy,
 * full or unreachable, or the server is overloaded.
 */
export function serviceUnavailable(): ApiError {
  return new ApiError('general_service_unavailable', {}, { 'retry-after': '2' })
}

/** Returns 503 with Retry-After in seconds, for figures that take too long or too much memory. */
export function tooLongForHistory(): ApiError {
  return new ApiError('general_service_unavailable.history', {}, { 'retry-after': '30' })
}

/** Returns 429 with Retry-After in seconds. */
export function rateLimitExceeded(retryAfter: number): ApiError {
  return new ApiError('general_rate_limit_exceeded', {}, { 'retry-after': String(retryAfter) })
}

/** Returns 409, for a name that several tasks fit. */
export function ambiguousTask(choices: readonly Choice[]): ApiError {
  return new ApiError('stint_task_ambiguous', {}, {}, choices)
}

const CHOICE = answer({ id: Type.String(), name: Type.String() })

/** The reply body of an error. */
export const ERROR = answer(
  {
    message: Type.String(),
    code: Type.Integer(),
    type: Type.Enum(Object.keys(ERRORS)),
    version: Type.String(),
    choices: Type.Optional(
      Type.Array(CHOICE, { description: 'of `stint_task_ambiguous`: the tasks that fit' }),
    ),
  },
  'error',
)

/** Replies to every thrown error: errors of the catalogue unchanged, all others as a plain 500. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((thrown: FastifyError, request, reply) => {
    return sendError(reply, loggedError(thrown, request))
  })
}

/** Returns the error that the client receives for a thrown value, which is logged if it is the server's fault. */
export function loggedError(thrown: FastifyError, request: FastifyRequest): ApiError {
  const error = toApiError(thrown)
  if (error.status >= 500 && !(thrown instanceof ApiError)) {
    request.log.error({ err: thrown, reqId: request.id }, 'request failed')
  }
  return error
}

/** Sends an error without throwing it. */
export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  return reply
    .code(error.status)
    .headers({ 'cache-control': 'no-store', ...error.headers })
    .type('application/json; charset=utf-8')
    .send(errorText(error))
}

/**
 * Returns the body of an error as JSON. `code` is the status of its type unless the HTTP status
 * differs.
 */
export function errorText(error: ApiError, code: number = error.status): string {
  const { message, type, choices } = error
  return JSON.stringify({ message, code, type, version: VERSION, choices })
}

/** Returns the error that the client receives for a thrown value. */
export function toApiError(thrown: FastifyError): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof DatabaseUnavailable) return serviceUnavailable()
  if (thrown instanceof QueryTooSlow) return apiError('database_timeout')
  if (thrown instanceof QuotaExceeded) return apiError(`stint_quota_exceeded.${thrown.quota}`)
  if (thrown instanceof UserGone) return notSignedIn()
  if (thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return apiError('general_media_type_unsupported')
  }
  if (thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return apiError('general_argument_invalid.body_size')
  }
  // Other refusals of Fastify are the client's fault: a body that is not JSON, a parameter that is
  // too long.
  const isRefused = thrown.statusCode !== undefined && thrown.statusCode < 500
  return apiError(isRefused ? 'general_argument_invalid' : 'general_server_error')
}
