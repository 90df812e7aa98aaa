/**
 * Presses on the timer by a program. Each is one transaction: it reads the session as the database has it, appends
 * the press to its log with core's rules, as a device does that has heard of all of it, and writes the result only
 * over what it read. Whatever a device had left half done, a stopped session that is not saved yet, is finished first.
 */
import { stopActions } from '@stint/core/log/edit.ts'
import { fieldsInCategory, tasksInCategory } from '@stint/core/record/category.ts'
import { activeTasks, newTask, taskAttributes, taskFromDocument } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { taskNamed } from '@stint/core/record/task-name.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { notBefore } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import type { OwnDocuments } from '#documents/service.ts'
import { apiError } from '#errors.ts'
import type { ApiError } from '#errors.ts'
import { newId } from '#id.ts'
import {
  createSession,
  MAX_EVENTS,
  pressed,
  readSession,
  timerOf,
  writeActive,
  writeEnded,
} from './logged-session.ts'
import type { LoggedSession } from './logged-session.ts'
import type { Person } from './person.ts'

/** What to start. */
export interface Start {
  readonly task: WantedTask
  /** Epoch milliseconds; null: now. */
  readonly at: number | null
  readonly note: string | null
}

/** A task by its id, or one to create, in the category that was named. */
export type WantedTask =
  | { readonly id: string }
  | { readonly newName: string; readonly category: string | null }

/** A timer after a press, and its task; undefined: it was deleted. */
interface PressedTimer {
  readonly timer: ActiveTimer
  readonly task: Task | undefined
}

/** The session of the timer. */
interface ActiveSession {
  readonly session: LoggedSession
  readonly timer: ActiveTimer
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
  const { now } = person
  const active = await settled(own, person)
  const task = await takeTask(own, person, wanted.task)
  if (active?.timer.taskId === task.id) return { timer: active.timer, task, stopped: null }
  const ended = active && stoppedAt(active, wanted.at, now)
  const stopped = ended && (await save(own, person, ended))
  const begin = { task: task.id, note: wanted.note, at: wanted.at ?? now }
  const timer = await createSession(own, person, newId(now), begin, ended?.log)
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
  return save(own, person, stoppedAt(await activeOrThrow(own, person), at, person.now))
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
  const { session, timer } = await activeOrThrow(own, person)
  const task = await findTask(own, timer.taskId)
  const other = timer.status === 'running' ? 'pause' : 'resume'
  if (wanted !== 'toggle' && wanted !== other) return { timer, task }
  if (at !== null && at < notBefore(timer, at)) throw tooEarly()
  const press = { action: { kind: other }, at: notBefore(timer, at ?? person.now) } as const
  return { timer: await writeActive(own, pressed(session, [press], person.now)), task }
}

/**
 * Returns the task, which is created unless there is one of that name by now, in its category if one was named.
 * @throws ApiError stint_task_not_found.
 */
export async function takeTask(
  own: OwnDocuments,
  { owner, now, categoryColors }: Person,
  wanted: WantedTask,
): Promise<Task> {
  if ('id' in wanted) {
    const found = await findTask(own, wanted.id)
    if (found?.isActive !== true) throw apiError('stint_task_not_found')
    return found
  }
  const { newName, category } = wanted
  const tasks = activeTasks((await own.tasks()).map(taskFromDocument))
  const known = taskNamed(tasksInCategory(tasks, category), newName)
  if (known !== undefined) return known
  const fields = category === null ? {} : fieldsInCategory(category, categoryColors)
  const task = newTask(newId(now), newName, now, fields)
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

/** How many characters of pauses one press reads of them, besides as many events as of one session. */
const MAX_SETTLED_PAUSES = 131_072

/** Saves the sessions that devices have stopped and not saved yet. Returns the active one. */
async function settled(own: OwnDocuments, person: Person): Promise<ActiveSession | null> {
  let [events, pauses] = [0, 0]
  for (const document of await own.oldestSessions(MAX_SETTLED)) {
    if (document.endTime === null) continue
    pauses += document.pauses?.length ?? 0
    if (pauses > MAX_SETTLED_PAUSES) break
    const session = await readSession(own, document)
    events += session.log.length
    if (events > MAX_EVENTS) break
    if (timerOf(session) === null) await writeEnded(own, person, session)
  }
  const active = await own.activeSession()
  if (active === undefined) return null
  const session = await readSession(own, active)
  const timer = timerOf(session)
  // A device has ended it, and its document is still to be deleted.
  if (timer === null) await writeEnded(own, person, session)
  return timer && { session, timer }
}

function stoppedAt(
  { session, timer }: ActiveSession,
  at: number | null,
  now: number,
): LoggedSession {
  if (at !== null && at <= timer.startedAt) throw tooEarly()
  return pressed(session, stopActions(timer, at ?? now, now), now)
}

async function save(
  own: OwnDocuments,
  person: Person,
  session: LoggedSession,
): Promise<SavedSession | null> {
  const entry = await writeEnded(own, person, session)
  return entry && { entry, task: await findTask(own, entry.taskId) }
}

function tooEarly(): ApiError {
  return apiError('general_argument_invalid.before_timer', { name: 'at' })
}
