/** What the change of a document means to a webhook. */
import type { DocumentOf } from '@stint/core/collections.ts'
import { entryFromDocument, setFieldsOf } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { DocumentAction } from '#realtime/events.ts'

export const WEBHOOK_EVENTS = [
  'timer.started',
  'timer.paused',
  'timer.resumed',
  'timer.stopped',
  'timer.discarded',
  'session.created',
  'session.changed',
  'session.deleted',
  'webhook.test',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** A change of a timer or a session. */
export type Change =
  | {
      readonly collection: 'timer_sessions'
      readonly action: DocumentAction
      readonly document: DocumentOf<'timer_sessions'>
    }
  | {
      readonly collection: 'time_entries'
      readonly action: DocumentAction
      readonly document: DocumentOf<'time_entries'>
    }

interface Meaning {
  /** Null: nothing that a webhook hears of. */
  readonly event: WebhookEvent | null
  /** The timer that the webhook knows of after it: id and status, also of one that is still to be saved; null: none. */
  readonly timer: string | null
}

/** Returns what a change means to a webhook that knows of this timer. */
export function meaningOf(change: Change, timer: string | null): Meaning {
  if (change.collection === 'timer_sessions') return meaningOfTimer(change, timer)
  const { document, action } = change
  // After Undo of a stop, the next one is saved in the entry that there is.
  const isSaved = timer === stopped(document.$id)
  const after = isSaved ? null : timer
  if (action === 'delete' || document.deletedAt !== null) {
    return { event: 'session.deleted', timer: after }
  }
  const isNew = document.$createdAt === document.$updatedAt
  if (!isNew && !isSaved) return { event: 'session.changed', timer }
  const event = document.entryType === 'timer' ? 'timer.stopped' : 'session.created'
  return { event, timer: after }
}

function meaningOfTimer(
  { document, action }: Change & { collection: 'timer_sessions' },
  timer: string | null,
): Meaning {
  const isKnown = timer?.split(' ')[0] === document.$id
  const now = timerOf(document)
  if (action === 'delete') {
    const isStopped = timer === stopped(document.$id)
    if (!isKnown) return { event: null, timer }
    return { event: isStopped ? null : 'timer.discarded', timer: null }
  }
  // The saved session tells of the stop.
  if (now === null) return { event: null, timer: isKnown ? stopped(document.$id) : timer }
  if (now === timer) return { event: null, timer }
  const isPaused = now.endsWith(' paused')
  if (!isKnown && action === 'create') return { event: 'timer.started', timer: now }
  return {
    event: isPaused ? 'timer.paused' : isKnown ? 'timer.resumed' : 'timer.started',
    timer: now,
  }
}

/** Returns id and status of a timer that is stopped and still to be saved. */
function stopped(id: string): string {
  return `${id} stopped`
}

/** Returns id and status of an active timer; null: it has ended. */
export function timerOf(document: DocumentOf<'timer_sessions'>): string | null {
  const { id, state } = sessionFromDocument(document)
  return state.kind === 'active' ? `${id} ${state.timer.status}` : null
}

/** Returns the data of a message about a change; the task is its name, null: it is unknown. */
export function dataOf({ collection, document }: Change, task: string | null): object {
  const of = { id: document.$id, taskId: document.taskId, task, note: document.note }
  if (collection === 'time_entries') {
    const entry = entryFromDocument(document)
    const { taskId: _, ...set } = setFieldsOf(entry)
    const times = { start: instantToWire(entry.startedAt), end: instantToWire(entry.endedAt) }
    return { ...of, ...set, ...times, seconds: entry.durationSeconds }
  }
  const { state } = sessionFromDocument(document)
  const { startedAt } = state.kind === 'stopped' ? state.stopped : state.timer
  return { ...of, start: instantToWire(startedAt) }
}
