import { Plus } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { searchTasksIn } from '@stint/core/record/category.ts'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { ByWidth, PageHeader } from '#ui/page-header.tsx'
import { useRequestHandler } from '#ui/request.ts'
import { Panel } from '#ui/row.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Loading } from '#ui/spinner.tsx'
import { later } from '#ui/later.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { useCategories } from '#hooks/use-categories.ts'
import { AddTaskForm } from '#features/tasks/add-task-form.tsx'
import { tasksPageRequest } from '#hooks/requests.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { ArchivedTasks } from '#features/tasks/archived-tasks.tsx'
import { useSearchText } from '#features/tasks/search-text.ts'
import { TaskList } from '#features/tasks/task-list.tsx'
import { TaskSearch } from '#features/tasks/task-search.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

const CategoriesDialog = later(
  async () => (await import('#features/tasks/categories-dialog.tsx')).CategoriesDialog,
)

/** /tasks: the task list. */
export function Component() {
  const [search, setSearch] = useSearchText()
  const [adding, setAdding] = useState(false)
  const [draft, setDraft] = useState('')
  const { archived } = useTasks()
  const { areUsed } = useCategories()
  const [areCategoriesOpen, setAreCategoriesOpen] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const wasAdding = useRef(false)
  useRequestHandler(tasksPageRequest, 'add', () => {
    setAdding(true)
    // A new form takes the focus when it opens. A form that is already open gets it here.
    document.getElementsByName('taskName')[0]?.focus()
  })

  // The button is hidden while the form is open, so that there is one 'Add Task' at a time.
  useEffect(() => {
    // The focus is restored only when it was lost, not when the person has moved it.
    const isLost = document.activeElement === document.body
    if (wasAdding.current && !adding && isLost) addButton.current?.focus()
    wasAdding.current = adding
  }, [adding])

  return (
    <div className="flex flex-col gap-5">
      <PageTitle page={t('All Tasks')} />
      <PageHeader
        title={<ByWidth wide={t('All Tasks')} narrow={t('Tasks')} />}
        actions={
          <div className="flex gap-2">
            {areUsed && (
              <Button variant="quiet" onClick={() => setAreCategoriesOpen(true)}>
                {t('Categories')}
              </Button>
            )}
            {!adding && (
              <Button ref={addButton} variant="primary" onClick={() => setAdding(true)}>
                <Icon of={Plus} />
                <ByWidth wide={t('Add Task')} narrow={t('Add')} />
              </Button>
            )}
          </div>
        }
      />
      {adding && (
        <AddTaskForm name={draft} onNameChange={setDraft} onClose={() => setAdding(false)} />
      )}
      <TaskSearch value={search} onChange={setSearch} />
      <Tasks search={search} onAdd={adding ? null : () => setAdding(true)} />
      {areCategoriesOpen && (
        <CategoriesDialog onShow={setSearch} onClose={() => setAreCategoriesOpen(false)} />
      )}
      <ArchivedTasks tasks={searchTasksIn(archived, search)} />
    </div>
  )
}

/** Shows the list, or its loading, error or empty state. */
function Tasks({ search, onAdd }: { search: string; onAdd: (() => void) | null }) {
  const auth = useAuth()
  const { status, tasks, error, reload } = useTasks()
  // Deferred, so that typing does not wait for the list to re-render.
  const wanted = useDeferredValue(search)
  const found = useMemo(() => searchTasksIn(tasks, wanted), [tasks, wanted])

  if (auth.status === 'loading') return <Loading text={t('Authenticating...')} />
  if (auth.status !== 'signed-in') return <Loading text={t('Checking authentication...')} />
  if (status === 'error') {
    return <ErrorPanel title={t('Error loading tasks')} message={error} onRetry={reload} />
  }
  if (status === 'loading') {
    return (
      <Panel>
        <Loading text={t('Loading tasks...')} place="row" />
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
                {t('Create your first task')}
              </Button>
            )
          }
        >
          {t('No tasks yet')}
        </EmptyState>
      </Panel>
    )
  }
  if (found.length === 0) {
    return (
      <Panel>
        <EmptyState drawing="search">{t('No tasks found matching your search')}</EmptyState>
      </Panel>
    )
  }
  return <TaskList tasks={found} />
}
