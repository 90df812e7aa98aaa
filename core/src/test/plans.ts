/** Plans of imports, for tests. */
import { isCategorised } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { localDateTime } from '#time/calendar.ts'
import { planImport, recogniseImport } from '#transfer/entry-import.ts'
import type { ImportOptions } from '#transfer/entry-import.ts'
import { readCalendar } from '#transfer/formats/read-calendar.ts'
import type { ImportPlan } from '#transfer/import-plan.ts'

export const ZONE = 'Europe/Berlin'
export const NOW = Date.parse('2026-03-20T12:00:00Z')

/** Returns the plan of the text in its recognised format, with an empty history. */
export function planned(text: string, options: Partial<ImportOptions> = {}): ImportPlan {
  let made = 0
  const planning = planImport(text, {
    format: recogniseImport(text).format,
    timeZone: ZONE,
    existing: { tasks: [], entries: [] },
    newId: () => `new-${++made}`,
    readCalendar,
    now: NOW,
    ...options,
  })
  let step = planning.next()
  while (!step.done) step = planning.next()
  return step.value
}

/** Returns each entry as 'Website / Design: 2026-03-09 09:00:00 – 2026-03-09 10:30:00 (Draft)', with its category. */
export function taken(plan: ImportPlan, existing: readonly Task[] = []): string[] {
  const names = new Map(
    [...existing, ...plan.tasks].map((task) => [
      task.id,
      isCategorised(task) ? `${task.category} / ${task.name}` : task.name,
    ]),
  )
  return plan.changes.map(({ after }) => {
    const [start, end] = [after.startedAt, after.endedAt].map((at) => localDateTime(at, ZONE))
    const note = after.note === null ? '' : ` (${after.note})`
    return `${names.get(after.taskId)}: ${start} – ${end}${note}`
  })
}

/** Returns each problem as '3: Has no date.'. */
export function problems(plan: ImportPlan): string[] {
  return plan.problems.map(({ line, why }) => `${line}: ${why}`)
}

/** Returns the history after the plan is carried out. */
export function history(
  plan: ImportPlan,
  tasks: readonly Task[] = [],
  entries: readonly TimeEntry[] = [],
) {
  return {
    tasks: [...tasks, ...plan.tasks],
    entries: [...entries, ...plan.changes.map((change) => change.after)],
  }
}
