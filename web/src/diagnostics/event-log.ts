/**
 * A log of the last events, for diagnosing problems: kinds and codes only, never a name, a note or a
 * secret. It is kept here because the console is silent in production.
 */
import { isNumber, isObject, isText } from '@stint/core/guards.ts'
import type { Guarded } from '@stint/core/guards.ts'

const isEvent = isObject({
  /** Epoch milliseconds by this device's clock. */
  at: isNumber,
  what: isText,
})
export interface NotedEvent extends Guarded<typeof isEvent> {}

const MAX_EVENTS = 200
const MAX_TEXT_LENGTH = 200
export const EVENTS_KEY = 'stint-events'

/** Adds an event and drops the oldest beyond 200. All tabs share one list. */
export function noteEvent(what: string): void {
  const events = [...notedEvents(), { at: Date.now(), what: what.slice(0, MAX_TEXT_LENGTH) }]
  try {
    localStorage.setItem(EVENTS_KEY, JSON.stringify(events.slice(-MAX_EVENTS)))
  } catch {
    // Without storage the log is lost. No other feature depends on it.
  }
}

interface FailureCodes {
  readonly kind: string
  readonly type: string
  readonly status: number
}

/** Returns a failure's loggable part, such as 'conflict document_already_exists 409'. */
export function codesOf({ kind, type, status }: FailureCodes): string {
  return [kind, type, status || ''].filter(Boolean).join(' ')
}

/** Returns the logged events, oldest first. */
export function notedEvents(): readonly NotedEvent[] {
  try {
    const events: unknown = JSON.parse(localStorage.getItem(EVENTS_KEY) ?? '[]')
    return Array.isArray(events) ? events.filter(isEvent) : []
  } catch {
    return []
  }
}

/** Logs every uncaught error. Returns a function that stops logging. */
export function noteErrors(): () => void {
  const closing = new AbortController()
  const { signal } = closing
  addEventListener(
    'error',
    ({ message, filename, lineno }) =>
      noteEvent(`error: ${message} (${fileOf(filename)}:${lineno})`),
    { signal },
  )
  addEventListener('unhandledrejection', ({ reason }) => noteEvent(`error: ${String(reason)}`), {
    signal,
  })
  return () => closing.abort()
}

/**
 * Returns the file name alone. The file of an inline script is the page, whose query may hold a secret.
 */
function fileOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  return path.slice(path.lastIndexOf('/') + 1)
}
