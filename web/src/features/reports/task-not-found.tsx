import { useNavigate } from 'react-router'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ByWidth, PageHeader } from '#ui/page-header.tsx'
import { Panel } from '#ui/row.tsx'

/** For a task that does not exist or is somebody else's, without saying which; and a way back. */
export function TaskNotFound() {
  const navigate = useNavigate()
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title="Task not found" />
      <Panel>
        <EmptyState
          drawing="search"
          action={
            <Button variant="primary" onClick={() => void navigate('/tasks')}>
              <ByWidth wide="Back to Tasks" narrow="Back" />
            </Button>
          }
        >
          This task doesn’t exist or was permanently deleted.
        </EmptyState>
      </Panel>
    </div>
  )
}
