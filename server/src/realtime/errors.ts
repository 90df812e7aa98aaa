/** The errors of the realtime API: Appwrite's codes, and every text. */
import { fill } from '#template.ts'
import type { FillArguments } from '#template.ts'

/** The codes of error messages. A refused socket is closed with the same code. */
const CODES = { policy: 1008, message: 1003, busy: 1013 } as const

/**
 * Codes with which sockets are closed. 1008 is not among them: the SDK does not reconnect after it.
 */
export const CLOSE_CODES = { sessionEnded: 4401, noSubscription: 4408, restart: 1012 } as const

/** name -> code and text. `realtimeError` fills in each `{placeholder}`. */
const ERRORS = {
  project: [CODES.policy, 'Missing or unknown project ID'],
  origin: [CODES.policy, '{message}'],
  flood: [CODES.policy, 'Too many messages.'],
  too_many_messages: [CODES.busy, 'Too many messages.'],
  too_many_requests: [CODES.busy, 'Too many requests'],
  too_many_connections: [CODES.busy, 'Too many connections.'],
  too_many_subscriptions: [CODES.busy, 'Too many or too large subscriptions.'],
  unavailable: [CODES.busy, 'The server is temporarily unavailable.'],
  format: [CODES.message, 'Message format is not valid.'],
  type: [CODES.message, 'Message type is not valid.'],
  payload: [CODES.message, 'Payload is not valid.'],
  session_missing: [CODES.message, 'Payload is not valid. Session is required'],
  session: [CODES.message, 'Session is not valid.'],
  unsubscribe_id: [
    CODES.message,
    'Each unsubscribe payload must include a non-empty subscriptionId.',
  ],
  subscribe_payload: [CODES.message, 'Each subscribe payload must be an object.'],
  subscription_id: [CODES.message, 'subscriptionId is not a valid id.'],
  channels_missing: [CODES.message, 'channels is not present in payload.'],
  list: [CODES.message, '{name} is not a valid array.'],
  subscription_size: [
    CODES.message,
    'A subscription has too many or too long channels and queries.',
  ],
  guest_query: [CODES.message, 'Invalid query: Guests cannot use queries. Sign in first.'],
  query_syntax: [CODES.message, 'Invalid query: Syntax error'],
  query_values: [CODES.message, 'Invalid query: More than {max} values'],
  query_select: [
    CODES.message,
    'Invalid query: Only select("*") is allowed in Realtime queries. select("*") means "listen to all events".',
  ],
  query_method: [
    CODES.message,
    "Invalid query: Query method '{method}' is not supported in Realtime queries. Allowed query methods are: {allowed}",
  ],
} as const satisfies Record<string, readonly [code: number, text: string]>

/** An expected failure: the client receives exactly this code and text. */
export class RealtimeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }

  /** The message for the socket, as JSON text. */
  toMessage(): string {
    return JSON.stringify({ type: 'error', data: { code: this.code, message: this.message } })
  }
}

/** Returns an error of the catalogue; `values` has one for each placeholder of its text. */
export function realtimeError<Name extends keyof typeof ERRORS>(
  name: Name,
  ...[values]: FillArguments<(typeof ERRORS)[Name][1]>
): RealtimeError {
  const [code, text] = ERRORS[name]
  return new RealtimeError(code, fill(text, values ?? {}))
}
