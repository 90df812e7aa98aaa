import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { searchTasks } from '@stint/core/task.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useTasks } from '#features/tasks/api.ts'
import { useTimerCommands } from './api.ts'

/**
 * The way to another task in one step: it stops and saves the running one first (spec 4), which
 * the Start buttons of the list cannot do while they are disabled (S16).
 */
export function SwitchTask({ currentTaskId }: { currentTaskId: string }) {
  const { tasks } = useTasks()
  const [open, setOpen] = useState(false)
  const others = tasks.filter((task) => task.id !== currentTaskId)
  if (others.length === 0) return null

  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <ArrowLeftRight aria-hidden="true" className="size-4" />
        Switch task
      </Button>
      <Dialog open={open} title="Switch task" onClose={() => setOpen(false)}>
        <TaskChoice tasks={others} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function TaskChoice({
  tasks,
  onDone,
}: {
  tasks: ReturnType<typeof useTasks>['tasks']
  onDone: () => void
}) {
  const { colors } = useTasks()
  const { start } = useTimerCommands()
  const [text, setText] = useState('')
  const found = searchTasks(tasks, text)

  async function switchTo(taskId: string) {
    onDone()
    await start(taskId)
  }

  return (
    <>
      <p className="text-sm">The running session is stopped and saved first.</p>
      <TextField
        type="search"
        label="Find a task"
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
      />
      <ul className="-mx-2 max-h-72 overflow-y-auto">
        {found.map((task) => (
          <li key={task.id}>
            <button
              type="button"
              onClick={() => void switchTo(task.id)}
              className="flex h-11 w-full items-center gap-2.5 rounded-control px-2 text-sm text-ink hover:bg-wash md:h-9"
            >
              <Dot tintName={colors.get(task.id)} />
              <Name text={task.name} />
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-sm">No task of that name.</p>}
    </>
  )
}
