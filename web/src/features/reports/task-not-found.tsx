import { useNavigate } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ByWidth, PageHeader } from '#ui/page-header.tsx'
import { Panel } from '#ui/row.tsx'

/** Shown for a task that does not exist or belongs to another user. The page does not reveal which. */
export function TaskNotFound() {
  const navigate = useNavigate()
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={t('Task not found')} />
      <Panel>
        <EmptyState
          drawing="search"
          action={
            <Button variant="primary" onClick={() => navigate('/tasks')}>
              <ByWidth wide={t('Back to Tasks')} narrow={t('Back')} />
            </Button>
          }
        >
          {t('This task doesn’t exist or was permanently deleted.')}
        </EmptyState>
      </Panel>
    </div>
  )
}
