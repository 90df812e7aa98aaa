import { folded } from '@stint/core/folded.ts'
import { knownCategories } from '@stint/core/record/category.ts'
import { activeTasks } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { readTarget, targetLine, targetProblem } from '@stint/core/targets/target-line.ts'
import { targetText } from '@stint/core/targets/target-text.ts'
import { identityOf } from '@stint/core/targets/targets.ts'
import type { Target } from '@stint/core/targets/targets.ts'
import { t } from '@stint/core/text.ts'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import { Form } from '#ui/form.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useLocalTasks } from '#session/signed-in.ts'
import { useTargetCommands } from './use-target-commands.ts'
import { useTargets } from './use-targets.ts'

/**
 * A field for a target, which shows how it is read. What cannot be saved stays in the field, with the reason.
 */
export function TargetForm({
  instead,
  onSaved,
  isInline = false,
  children,
}: {
  /** The target that is edited; null for a new one. */
  instead: Target | null
  onSaved?: () => void
  /** The button is beside the field where there is room. */
  isInline?: boolean
  /** The buttons of the form. */
  children: ReactNode
}) {
  const tasks = useLocalTasks()
  const targets = useTargets()
  const { save } = useTargetCommands()
  const names = useMemo(
    () => ({ categories: knownCategories(activeTasks(tasks)), tasks: activeTasks(tasks) }),
    [tasks],
  )
  const [line, setLine] = useState(() => (instead ? targetLine(instead, names, tasks) : ''))
  const [problem, setProblem] = useState<string | null>(null)
  const read = readTarget(line, names)

  async function send() {
    if (read.kind === 'empty') return
    const replaced = instead && identityOf(instead)
    const others = targets.filter((target) => identityOf(target) !== replaced)
    const found = read.kind === 'problem' ? read.message : targetProblem(read.target, others, tasks)
    setProblem(found)
    if (found !== null || read.kind === 'problem') return
    if (!(await save(read.target, instead))) return
    setLine('')
    onSaved?.()
  }

  return (
    <Form
      noValidate
      onSend={send}
      className={
        isInline ? 'flex flex-col gap-3 md:flex-row md:*:first:flex-1' : 'flex flex-col gap-3'
      }
    >
      <TextField
        label={t('field|Target')}
        data-autofocus={instead ? '' : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('at least 10h a week #acme')}
        value={line}
        hint={<output>{read.kind === 'target' ? readingOf(read.target, tasks) : ' '}</output>}
        error={problem}
        onChange={({ target }) => {
          setLine(target.value)
          setProblem(null)
        }}
      />
      {children}
    </Form>
  )
}

/** How a line is read; of a name, whether it is a category or a task. */
function readingOf(target: Target, tasks: readonly Task[]): string {
  const text = targetText(target, tasks)
  switch (target.scope.kind) {
    case 'category':
      return t('{target} (category)', { target: text })
    case 'task': {
      const category = sharedNameIn(target.scope.name, tasks)
      return category === null
        ? t('{target} (task)', { target: text })
        : t('{target} (task, {category})', { target: text, category })
    }
    case 'all':
      return t('{target}, of all work', { target: text })
    case 'tag':
      return text
  }
}

/** Returns the category of a task whose name another one has as well, else null. */
function sharedNameIn(taskId: string, tasks: readonly Task[]): string | null {
  const task = tasks.find(({ id }) => id === taskId)
  const same = activeTasks(tasks).filter(({ name }) => task && folded(name) === folded(task.name))
  return task && same.length > 1 ? task.category : null
}
