import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import type { Finding } from '@stint/core/record/data-health.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { moveEntry } from '@stint/core/record/entry-edit.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { Select } from '#ui/select.tsx'
import { openEditor } from '#hooks/requests.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useSettings, useDayRule } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { KINDS } from './health-words.ts'
import { MAY_BE_RIGHT } from '@stint/core/record/accepted-findings.ts'

/** The maximum number of sessions shown for a finding; an unknown task may have thousands. */
const MAX_LISTED = 3

type ApplyFix = (finding: Finding, changes: readonly EntryChange[], message: string) => void

/** A finding: its sessions, the problem, and the fixes. */
export function FindingRow({
  finding,
  rightLabel = t('Keep as is'),
  onFix,
  onAccept,
}: {
  finding: Finding
  rightLabel?: string
  onFix: ApplyFix
  /** Dismisses the finding as correct. */
  onAccept: (finding: Finding) => void
}) {
  const { kind, entries, taskNames, seconds, fixes } = finding
  const { newId, now } = useRecordCommands()
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <ul className="flex flex-col gap-1">
        {entries.slice(0, MAX_LISTED).map((entry, index) => (
          <SessionLine key={entry.id} entry={entry} taskName={taskNames[index] ?? ''} />
        ))}
        {entries.length > MAX_LISTED && (
          <li className="figures ps-5.5 text-sm text-quiet">
            {t('and {count, number} more', { count: entries.length - MAX_LISTED })}
          </li>
        )}
      </ul>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2 ps-5.5">
        <span className="figures me-auto text-sm text-quiet max-md:basis-full">
          {KINDS[kind].amount(seconds)}
        </span>
        {fixes.map((fix) => (
          <Button
            key={fix.label}
            size="small"
            onClick={() => onFix(finding, fix.changes(newId, now()), fix.label)}
          >
            {fix.label}
          </Button>
        ))}
        {MAY_BE_RIGHT.has(kind) && (
          <Button variant="quiet" size="small" onClick={() => onAccept(finding)}>
            {rightLabel}
          </Button>
        )}
        {kind === 'unknown-task' && <MoveAll finding={finding} onFix={onFix} />}
      </div>
    </li>
  )
}

function SessionLine({ entry, taskName }: { entry: TimeEntry; taskName: string }) {
  const { colors } = useTasks()
  const dayRule = useDayRule()
  const { now } = useRecordCommands()
  const { hourCycle } = useSettings()
  const when = `${sessionDay(entry.startedAt, now(), dayRule)}, ${sessionTimes(entry, dayRule.timeZone, hourCycle)}`
  return (
    <li className="flex items-center gap-3">
      <Dot tintName={colors.get(entry.taskId)} />
      <div className="flex min-w-0 flex-1 flex-col gap-x-4 md:flex-row md:items-baseline">
        <Name text={taskName} className="text-sm md:flex-1" />
        <span className="figures text-sm text-quiet">{when}</span>
      </div>
      <span className="figures shrink-0 text-end text-sm md:w-24">
        {exactDuration(entry.durationSeconds)}
      </span>
      <IconButton
        icon={Pencil}
        label={t('Edit {session}', { session: when })}
        className="-me-2"
        onClick={() => openEditor({ kind: 'edit', entryId: entry.id })}
      />
    </li>
  )
}

/** Moves all sessions of a missing task to an existing one. */
function MoveAll({ finding, onFix }: { finding: Finding; onFix: ApplyFix }) {
  const { tasks } = useTasks()
  const { now } = useRecordCommands()
  const [picked, setPicked] = useState('')
  const task = tasks.find(({ id }) => id === picked) ?? tasks[0]
  if (!task) return <span className="text-sm text-quiet">{t('Add a task first.')}</span>
  return (
    <>
      <Select
        aria-label={t('Task to move them to')}
        className="w-44"
        value={task.id}
        onChange={(event) => setPicked(event.target.value)}
      >
        {tasks.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Button
        size="small"
        onClick={() => {
          const moved = finding.entries.map((entry) => moveEntry(entry, task.id, now()))
          const message = t(
            '{count, plural, one {# session moved to {task}} other {# sessions moved to {task}}}',
            { count: moved.length, task: task.name },
          )
          onFix(finding, moved, message)
        }}
      >
        {t('Move sessions')}
      </Button>
    </>
  )
}
