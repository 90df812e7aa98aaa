/**
 * The last things that happened, for whoever asks why: kinds and codes, never a name, a note
 * or a secret. The console is silent in production, so they are kept here.
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

/** Keeps an event; the oldest beyond 200 goes. All tabs write into the same list. */
export function noteEvent(what: string): void {
  const events = [...notedEvents(), { at: Date.now(), what: what.slice(0, MAX_TEXT_LENGTH) }]
  try {
    localStorage.setItem(EVENTS_KEY, JSON.stringify(events.slice(-MAX_EVENTS)))
  } catch {
    // Without storage there is no history; nothing else needs it.
  }
}

interface FailureCodes {
  readonly kind: string
  readonly type: string
  readonly status: number
}

/** What may be said of a failure: 'unreachable', 'conflict document_already_exists 409'. */
export function codesOf({ kind, type, status }: FailureCodes): string {
  return [kind, type, status || ''].filter(Boolean).join(' ')
}

/** What was noted, oldest first. */
export function notedEvents(): readonly NotedEvent[] {
  try {
    const events: unknown = JSON.parse(localStorage.getItem(EVENTS_KEY) ?? '[]')
    return Array.isArray(events) ? events.filter(isEvent) : []
  } catch {
    return []
  }
}

/** Notes every error that nobody caught. Returns a function that stops it. */
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

/** The file's name alone: an inline script's file is the page, whose query may hold a secret. */
function fileOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  return path.slice(path.lastIndexOf('/') + 1)
}
