import { ArchiveRestore } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from '#ui/navigation.tsx'
import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'
import { Panel } from '#ui/row.tsx'
import { showToast } from '#ui/toast.tsx'
import { useFormats } from '#hooks/use-formats.ts'
import { useTaskTimes } from './use-task-times.ts'
import { useTaskCommands } from './use-task-commands.ts'

/** The deleted tasks in a collapsed section, each with a Restore button. */
export function ArchivedTasks({ tasks }: { tasks: readonly Task[] }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  if (tasks.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <Button
        variant="quiet"
        size="small"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="-ms-2.5 self-start"
      >
        {open ? t('Hide archived tasks') : t('Archived tasks ({count})', { count: tasks.length })}
      </Button>
      <div id={id} hidden={!open}>
        {open && <ArchivedList tasks={tasks} />}
      </div>
    </section>
  )
}

function ArchivedList({ tasks }: { tasks: readonly Task[] }) {
  const { restore } = useTaskCommands()
  const { duration } = useFormats()
  const times = useTaskTimes()
  return (
    <Panel>
      <ul aria-label={t('Archived tasks')}>
        {tasks.map(({ id, name }) => (
          <li
            key={id}
            className="lazy-row flex min-h-14 items-center gap-3 border-t border-line px-4 text-sm first:border-t-0 md:min-h-11"
          >
            <Link to={`/tasks/${id}`} className="min-w-0 flex-1 py-3 text-quiet hover:text-ink">
              <Name text={name} />
            </Link>
            <span className="figures shrink-0 text-quiet">{duration(times.get(id) ?? 0)}</span>
            <Button
              size="small"
              aria-label={t('Restore {task}', { task: name })}
              onClick={() => {
                void restore(id)
                showToast({ text: t('Task restored') })
              }}
            >
              <Icon of={ArchiveRestore} />
              {t('Restore')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
