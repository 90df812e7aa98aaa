/**
 * Presses on the timer by a program. Each is one transaction: it reads the session as the database has it, folds the
 * press into it with core's rules, as a device does that has heard of nothing else, and writes the result only over
 * what it read. Whatever a device had left half done, a stopped session that is not saved yet, is finished first.
 */
import { activeTasks, newTask, taskAttributes, taskFromDocument } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { taskNamed } from '@stint/core/record/task-name.ts'
import { entryAttributes, entryFromStopped } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import {
  newSessionAttributes,
  sessionFromDocument,
  stopAttributes,
  timerAttributes,
} from '@stint/core/record/timer-session.ts'
import { fold } from '@stint/core/timer/presses.ts'
import { notBefore, startTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'
import type { OwnDocuments } from '#documents/service.ts'
import { ApiError, apiError } from '#errors.ts'
import { newId } from '#id.ts'
import type { Person } from './person.ts'
import { activeSession } from './record.ts'
import type { ActiveSession } from './record.ts'

/** What to start. */
export interface Start {
  readonly task: WantedTask
  /** Epoch milliseconds; null: now. */
  readonly at: number | null
  readonly note: string | null
}

/** A task by its id, or one to create. */
export type WantedTask = { readonly id: string } | { readonly newName: string }

/** A timer after a press, and its task; undefined: it was deleted. */
interface PressedTimer {
  readonly timer: ActiveTimer
  readonly task: Task | undefined
}

/** A session that a press saved, and its task; undefined: it was deleted. */
interface SavedSession {
  readonly entry: TimeEntry
  readonly task: Task | undefined
}

/**
 * Starts a timer. An active timer is stopped and saved first; the start of the task that is timed already changes
 * nothing.
 * @returns the timer, and the saved session of the one before.
 * @throws ApiError stint_task_not_found; general_argument_invalid when the active timer began later.
 */
export async function start(
  own: OwnDocuments,
  person: Person,
  wanted: Start,
): Promise<PressedTimer & { readonly stopped: SavedSession | null }> {
  const { owner, now, device } = person
  const active = await settled(own, person)
  const task = await takeTask(own, person, wanted.task)
  if (active?.timer.taskId === task.id) return { timer: active.timer, task, stopped: null }
  const stopped = active && (await stopAt(own, person, active, wanted.at))
  const timer = startTimer(newId(now), task.id, wanted.at ?? now, wanted.note)
  const attributes = newSessionAttributes(timer, owner, device)
  await own.create('timer_sessions', timer.sessionId, attributes)
  return { timer, task, stopped }
}

/**
 * Stops the timer and saves its session.
 * @param at epoch milliseconds; null: now.
 * @returns the session; null: it was shorter than a second.
 * @throws ApiError stint_no_timer; general_argument_invalid when the timer began later.
 */
export async function stop(
  own: OwnDocuments,
  person: Person,
  at: number | null,
): Promise<SavedSession | null> {
  return stopAt(own, person, await activeOrThrow(own, person), at)
}

/**
 * Pauses or resumes the timer, or does what it does not do now ('toggle'). What it does already changes nothing.
 * @param at epoch milliseconds; null: now.
 * @throws ApiError stint_no_timer; general_argument_invalid when the timer was changed later.
 */
export async function turn(
  own: OwnDocuments,
  person: Person,
  wanted: 'pause' | 'resume' | 'toggle',
  at: number | null,
): Promise<PressedTimer> {
  const { id, updatedAt, timer } = await activeOrThrow(own, person)
  const task = await findTask(own, timer.taskId)
  const other = timer.status === 'running' ? 'pause' : 'resume'
  if (wanted !== 'toggle' && wanted !== other) return { timer, task }
  if (at !== null && at < notBefore(timer, at)) throw tooEarly()
  const press = { kind: other, at: notBefore(timer, at ?? person.now) } as const
  const folded = fold(timer, [press], updatedAt)
  if (folded.kind === 'stopped') throw new Error('A pause or a resume does not stop a timer')
  await own.update('timer_sessions', id, timerAttributes(folded.timer), updatedAt)
  return { timer: folded.timer, task }
}

/**
 * Returns the task, which is created unless there is one of that name by now.
 * @throws ApiError stint_task_not_found.
 */
export async function takeTask(
  own: OwnDocuments,
  { owner, now }: Person,
  wanted: WantedTask,
): Promise<Task> {
  if ('id' in wanted) {
    const found = await findTask(own, wanted.id)
    if (found?.isActive !== true) throw apiError('stint_task_not_found')
    return found
  }
  const tasks = (await own.tasks()).map(taskFromDocument)
  const known = taskNamed(activeTasks(tasks), wanted.newName)
  if (known !== undefined) return known
  const task = newTask(newId(now), wanted.newName, now)
  await own.create('tasks', task.id, taskAttributes(task, owner))
  return task
}

async function findTask(own: OwnDocuments, id: string): Promise<Task | undefined> {
  const found = await own.find('tasks', id)
  return found && taskFromDocument(found)
}

async function activeOrThrow(own: OwnDocuments, person: Person): Promise<ActiveSession> {
  const active = await settled(own, person)
  if (active === null) throw apiError('stint_no_timer')
  return active
}

/** How many of the oldest sessions one press looks at, to save those that are stopped; devices save the others. */
const MAX_SETTLED = 10

/** Saves the sessions that devices have stopped and not saved yet. Returns the active one. */
async function settled(own: OwnDocuments, person: Person): Promise<ActiveSession | null> {
  for (const document of await own.oldestSessions(MAX_SETTLED)) {
    const { state } = sessionFromDocument(document)
    if (state.kind === 'stopped') await save(own, person, state.stopped)
  }
  const active = await own.activeSession()
  return active === undefined ? null : activeSession([sessionFromDocument(active)])
}

async function stopAt(
  own: OwnDocuments,
  person: Person,
  { id, updatedAt, timer }: ActiveSession,
  at: number | null,
): Promise<SavedSession | null> {
  if (at !== null && at <= timer.startedAt) throw tooEarly()
  const press = { kind: 'stop', at: at ?? notBefore(timer, person.now) } as const
  const folded = fold(timer, [press], updatedAt)
  if (folded.kind === 'active') throw new Error('A stop ends a timer')
  await own.update('timer_sessions', id, stopAttributes(folded.stopped), updatedAt)
  const entry = await save(own, person, folded.stopped)
  return entry && { entry, task: await findTask(own, timer.taskId) }
}

/**
 * Turns a stopped session into an entry of the same id, so that a device that does the same adds nothing. Without a
 * second of work a deleted entry stays, from which devices that show the timer hear of its end.
 */
async function save(
  own: OwnDocuments,
  { owner, now }: Person,
  stopped: StoppedTimer,
): Promise<TimeEntry | null> {
  const isWorth = stopped.durationSeconds > 0
  const entry = entryFromStopped(stopped)
  const attributes = entryAttributes({ ...entry, deletedAt: isWorth ? null : now }, owner)
  try {
    await own.create('time_entries', entry.id, attributes)
  } catch (error) {
    // A device has saved it and was about to delete the session.
    if (!(error instanceof ApiError && error.type === 'document_already_exists')) throw error
  }
  await own.delete('timer_sessions', entry.id)
  return isWorth ? entry : null
}

function tooEarly(): ApiError {
  return apiError('general_argument_invalid.before_timer', { name: 'at' })
}
