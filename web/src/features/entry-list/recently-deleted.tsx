import { ArchiveRestore } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { recentlyDeleted } from '@stint/core/record/recently-deleted.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useRecord } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Name } from '#ui/name.tsx'
import { Dot, Panel } from '#ui/row.tsx'

/** A longer history is not searched for deleted sessions until they are asked for. */
const MAX_SEARCHED = 5_000

/** The sessions deleted within the last 30 days, in a collapsed section, each with a Restore button. */
export function RecentlyDeleted() {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const { view, clock } = useRecord()
  // Another list whenever a session is deleted or restored.
  const { entries } = useEntries()
  const isSearched = isOpen || entries.length <= MAX_SEARCHED
  const deleted = useMemo(
    () => (isSearched && entries ? recentlyDeleted(view.entries.all(), clock.now()) : []),
    [isSearched, entries, view, clock],
  )
  if (isSearched && !isOpen && deleted.length === 0) return null
  return (
    <section className="flex flex-col gap-2 print:hidden">
      <Button
        variant="quiet"
        size="small"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="-ms-2.5 self-start"
      >
        {isOpen ? t('Hide recently deleted') : t('Recently deleted')}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <DeletedList deleted={deleted} />}
      </div>
    </section>
  )
}

function DeletedList({ deleted }: { deleted: readonly TimeEntry[] }) {
  if (deleted.length === 0)
    return <p className="text-sm text-quiet">{t('Nothing was deleted in the last 30 days.')}</p>
  return (
    <Panel>
      <ul aria-label={t('Recently deleted')}>
        {deleted.map((entry) => (
          <DeletedRow key={entry.id} entry={entry} />
        ))}
      </ul>
    </Panel>
  )
}

function DeletedRow({ entry }: { entry: TimeEntry }) {
  const { change, now } = useRecordCommands()
  const { allTasks, colors } = useTasks()
  const { hourCycle } = useSettings()
  const dayRule = useDayRule()
  const { duration } = useFormats()
  const name = nameInReports(allTasks.find(({ id }) => id === entry.taskId))
  const day = sessionDay(entry.startedAt, now(), dayRule)
  const times = `${day}, ${sessionTimes(entry, dayRule.timeZone, hourCycle)}`
  const restored = () => ({ ...entry, deletedAt: null, updatedAt: now() })
  return (
    <li className="lazy-row flex min-h-14 items-center gap-3 border-t border-line px-4 py-1 text-sm first:border-t-0">
      <Dot tintName={colors.get(entry.taskId)} />
      <span className="flex min-w-0 flex-1 flex-col">
        <Name text={name} />
        <span className="figures text-xs text-quiet">
          {times} · {duration(entry.durationSeconds)}
        </span>
      </span>
      <Button
        size="small"
        aria-label={t('Restore {session}', { session: `${name}, ${times}` })}
        onClick={() =>
          void change({ entries: [{ before: entry, after: restored() }] }, t('Session restored'))
        }
      >
        <Icon of={ArchiveRestore} />
        {t('Restore')}
      </Button>
    </li>
  )
}
