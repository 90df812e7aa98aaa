import { Plus } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { searchTasks } from '@stint/core/record/task.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { ByWidth, PageHeader } from '#ui/page-header.tsx'
import { useAnswer } from '#ui/request.ts'
import { Panel } from '#ui/row.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Loading } from '#ui/spinner.tsx'
import { useAuth } from '#features/auth/api.ts'
import { AddTaskForm } from '#features/tasks/add-task-form.tsx'
import { tasksPageRequest, useTasks } from '#features/tasks/api.ts'
import { ArchivedTasks } from '#features/tasks/archived-tasks.tsx'
import { useSearchText } from '#features/tasks/search-text.ts'
import { TaskList } from '#features/tasks/task-list.tsx'
import { TaskSearch } from '#features/tasks/task-search.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /tasks. */
export function Component() {
  const [search, setSearch] = useSearchText()
  const [adding, setAdding] = useState(false)
  const [draft, setDraft] = useState('')
  const { archived } = useTasks()
  const addButton = useRef<HTMLButtonElement>(null)
  const wasAdding = useRef(false)
  useAnswer(tasksPageRequest, 'add', () => {
    setAdding(true)
    // The form takes the focus when it opens; an open one is gone back to.
    document.getElementsByName('taskName')[0]?.focus()
  })

  // The button is not there while the form is open: there is one 'Add Task' at a time.
  useEffect(() => {
    // Who has gone on meanwhile stays where they are.
    const isLost = document.activeElement === document.body
    if (wasAdding.current && !adding && isLost) addButton.current?.focus()
    wasAdding.current = adding
  }, [adding])

  return (
    <div className="flex flex-col gap-5">
      <PageTitle page="All Tasks" />
      <PageHeader
        title={<ByWidth wide="All Tasks" narrow="Tasks" />}
        actions={
          !adding && (
            <Button ref={addButton} variant="primary" onClick={() => setAdding(true)}>
              <Icon of={Plus} />
              <ByWidth wide="Add Task" narrow="Add" />
            </Button>
          )
        }
      />
      {adding && (
        <AddTaskForm name={draft} onNameChange={setDraft} onClose={() => setAdding(false)} />
      )}
      <TaskSearch value={search} onChange={setSearch} />
      <Tasks search={search} onAdd={adding ? null : () => setAdding(true)} />
      <ArchivedTasks tasks={searchTasks(archived, search)} />
    </div>
  )
}

/** One of: still coming, failed, none, none found, the list. */
function Tasks({ search, onAdd }: { search: string; onAdd: (() => void) | null }) {
  const auth = useAuth()
  const { status, tasks, error, reload } = useTasks()
  // The letter is on the screen before the list has caught up with it.
  const wanted = useDeferredValue(search)
  const found = useMemo(() => searchTasks(tasks, wanted), [tasks, wanted])

  if (auth.status === 'loading') return <Loading text="Authenticating..." />
  if (auth.status !== 'signed-in') return <Loading text="Checking authentication..." />
  if (status === 'error') {
    return <ErrorPanel title="Error loading tasks" message={error} onRetry={reload} />
  }
  if (status === 'loading') {
    return (
      <Panel>
        <Loading text="Loading tasks..." place="row" />
        <SkeletonRows rows={6} />
      </Panel>
    )
  }
  if (tasks.length === 0) {
    return (
      <Panel>
        <EmptyState
          drawing="list"
          action={
            onAdd && (
              <Button variant="primary" onClick={onAdd}>
                Create your first task
              </Button>
            )
          }
        >
          No tasks yet
        </EmptyState>
      </Panel>
    )
  }
  if (found.length === 0) {
    return (
      <Panel>
        <EmptyState drawing="search">No tasks found matching your search</EmptyState>
      </Panel>
    )
  }
  return <TaskList tasks={found} />
}
