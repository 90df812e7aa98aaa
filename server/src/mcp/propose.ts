/** Reads what an assistant proposes, and refuses at once what could never be accepted. */
import type { ProposedChange } from '@stint/core/record/proposal.ts'
import { nameEffort } from '@stint/core/record/start-line.ts'
import { taskNamed } from '@stint/core/record/task-name.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { refuseTimes, taskWanted } from '#api/names.ts'
import { momentOf } from '#api/person.ts'
import type { Person } from '#api/person.ts'
import { apiError, description } from '#errors.ts'
import { existingId, invalidParam, text } from '#http/params.ts'

const MAX_CHANGES = 100

/** A change as an assistant sends it. */
export const CHANGE = Type.Object({
  id: Type.Optional(Type.With(existingId, { description: 'of a session; none adds one' })),
  delete: Type.Optional(Type.Boolean()),
  task: Type.Optional(text(1, 255)),
  taskId: Type.Optional(existingId),
  newTask: Type.Optional(text(1, 255)),
  start: Type.Optional(text(1, 64)),
  end: Type.Optional(text(1, 64)),
  note: Type.Optional(text(0, 2000)),
})

export const CHANGES = Type.Array(CHANGE, { minItems: 1, maxItems: MAX_CHANGES })

/**
 * How much work the names of a proposal may be (`nameEffort`): a hundred parts of names among ten
 * thousand tasks, if these have names of a usual length.
 */
const MAX_EFFORT = 60_000_000

/**
 * Returns the changes with their tasks found and their times read.
 * @param entries by id; without those that are deleted.
 * @param tasks the active ones, those worked on last first.
 * @throws ApiError general_argument_invalid, also for too many parts of names among too many tasks;
 *   stint_task_ambiguous, stint_task_not_found, stint_session_not_found.
 */
export function changesRead(
  sent: Static<typeof CHANGES>,
  person: Person,
  entries: ReadonlyMap<string, TimeEntry>,
  tasks: readonly Task[],
): ProposedChange[] {
  refuseMuchEffort(sent, tasks)
  return sent.map((change) => changeRead(change, person, entries, tasks))
}

function refuseMuchEffort(sent: Static<typeof CHANGES>, tasks: readonly Task[]): void {
  const names = sent.flatMap(({ task }) => (task && !taskNamed(tasks, task) ? task.trim() : []))
  if (names.length < 2) return
  const effort = names.reduce((sum, name) => sum + nameEffort(name, tasks), 0)
  if (effort > MAX_EFFORT) throw invalidParam('changes', description('names'))
}

function changeRead(
  sent: Static<typeof CHANGE>,
  person: Person,
  entries: ReadonlyMap<string, TimeEntry>,
  tasks: readonly Task[],
): ProposedChange {
  const { id = null, start, end, note = null } = sent
  const entry = id === null ? null : entries.get(id)
  if (entry === undefined) throw apiError('stint_session_not_found')
  const namesTask = [sent.task, sent.taskId, sent.newTask].some((each) => each !== undefined)
  const wanted = namesTask || entry === null ? taskWanted(sent, tasks) : null
  const taskId = wanted !== null && 'id' in wanted ? wanted.id : null
  if (taskId !== null && !tasks.some((task) => task.id === taskId))
    throw apiError('stint_task_not_found')
  const startedAt = start === undefined ? null : momentOf(person, 'start', start)
  const endedAt = end === undefined ? null : momentOf(person, 'end', end)
  const isDeleted = sent.delete === true
  if (entry === null) {
    if (isDeleted || startedAt === null || endedAt === null)
      throw apiError('general_argument_invalid.missing_param', { name: isDeleted ? 'id' : 'end' })
    refuseTimes('end', startedAt, endedAt, person.now)
  } else if (startedAt !== null || endedAt !== null) {
    refuseTimes('end', startedAt ?? entry.startedAt, endedAt ?? entry.endedAt, person.now)
  }
  return {
    kind: entry === null ? 'add' : isDeleted ? 'delete' : 'edit',
    id,
    seenAt: entry === null ? null : entry.updatedAt,
    taskId,
    newTask: wanted !== null && 'newName' in wanted ? wanted.newName : null,
    startedAt,
    endedAt,
    note,
  }
}
