/** Builds the plan of an import row by row. */
import { nameInReports } from '#record/task.ts'
import { countOverlaps } from './import-overlaps.ts'
import { excerpt, startAsked } from './import-plan.ts'
import type {
  Added,
  ImportProblem,
  PlanBuilder,
  PlanContext,
  RefusedRow,
  Settled,
} from './import-plan.ts'
import { startStatement } from './import-statement.ts'
import { newRows } from './import-take.ts'
import { startTasks } from './import-tasks.ts'

/** Returns the builder of an empty plan. */
export function startPlan(context: PlanContext): PlanBuilder {
  const { existing } = context
  const tasks = startTasks(context)
  const statement = startStatement()
  const added: Added[] = []
  const problems: ImportProblem[] = []
  const notices: string[] = []
  let refused = 0
  let settled: Settled = {
    categorySources: [],
    dateOrder: 'ymd',
    isDateOrderAmbiguous: false,
    unit: 'hours',
    isUnitGuessed: false,
    doubledHour: startAsked().result(),
    fileTotalSeconds: null,
  }
  const refuse = ({ line, text, why, kind, month, seconds }: RefusedRow) => {
    problems.push({ line, text: excerpt(text), why })
    refused++
    statement.add({
      month,
      statedSeconds: seconds,
      countedSeconds: 0,
      differences: { [kind]: -seconds },
    })
  }
  return {
    add: (entry) => {
      added.push({ kind: 'table', entry })
    },
    addAsItWas: (line, entry, month) => {
      added.push({ kind: 'own', line, entry, month })
    },
    addTask: (task) => {
      tasks.idOf(task)
    },
    refuse,
    reportFile: (line, text, why) => {
      problems.push({ line, text: excerpt(text), why })
    },
    say: (sentence) => {
      notices.push(sentence)
    },
    readAs: (more) => {
      settled = { ...settled, ...more }
    },
    *finish() {
      const taken = yield* newRows(added, { ...context, tasks, statement, refuse })
      const { changes } = taken
      const overlaps = countOverlaps(
        changes.map(({ after }) => after),
        existing.entries,
      )
      const { fileTotalSeconds, ...readAs } = settled
      const sums = statement.sums(fileTotalSeconds)
      const newIds = new Set(tasks.made.map((task) => task.id))
      return {
        tasks: tasks.made,
        restored: [...tasks.restored],
        changes,
        totals: [...taken.totals]
          .map(([taskId, total]) => ({
            ...total,
            taskId,
            name: tasks.nameOfId(taskId) ?? nameInReports(undefined),
            category: tasks.categoryOfId(taskId) ?? '',
            isNew: newIds.has(taskId),
          }))
          .sort((a, b) => b.seconds - a.seconds),
        totalSeconds: sums.countedSeconds,
        duplicates: taken.known,
        repeats: taken.repeats,
        likely: taken.likely,
        problems: problems.sort((a, b) => a.line - b.line),
        notices: [...notices, ...taken.notices, ...tasks.notices()],
        rows: added.length - taken.refused + refused,
        ...readAs,
        statement: sums,
        overlaps,
      }
    },
  }
}
