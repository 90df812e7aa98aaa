import { checkHealth } from '@stint/core/record/data-health.ts'
import type { Finding } from '@stint/core/record/data-health.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { useEffect, useId } from 'react'

import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { forgetOverlaps, MIN_MILLISECONDS } from '@stint/core/device/overlap-pairs.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { FindingRow } from './finding-row.tsx'
import { useAcceptedFindings } from './use-accepted-findings.ts'

/**
 * Asks about overlapping sessions on the device that noticed them first. Without an answer, both count.
 */
export function OverlapPrompts() {
  const record = useRecord()
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  const { now, change } = useRecordCommands()
  const { isAccepted, accept } = useAcceptedFindings()
  const pairs = useValue('overlaps')?.pairs ?? []
  const id = useId()

  const asked = pairs.map((pair) => {
    const both = entries.filter((entry) => pair.includes(entry.id))
    const findings = both.length < 2 ? [] : checkHealth(both, allTasks, now())
    const finding = findings.find((each) => isShared(each) && !isAccepted(each)) ?? null
    return { pair, finding }
  })
  const findings = asked.flatMap(({ finding }) => finding ?? [])
  const decided = asked.flatMap(({ pair, finding }) => (finding ? [] : [pair]))
  const decidedKey = decided.join(' ')
  useEffect(() => {
    const gone = decidedKey === '' ? [] : decidedKey.split(' ').map((pair) => pair.split(','))
    if (gone.length > 0) void record.takeIn((draft) => forgetOverlaps(draft, gone))
  }, [record, decidedKey])

  if (findings.length === 0) return null
  return (
    <section
      aria-labelledby={id}
      className="flex animate-appear flex-col gap-2 rounded-panel border border-line bg-surface py-5"
    >
      <div className="flex flex-col gap-1 px-5">
        <h2 id={id} className="text-sm font-semibold">
          {t('Two sessions overlap')}
        </h2>
        <p className="text-sm text-quiet">
          {t('These sessions overlap by {duration}. Both count unless you trim one.', {
            duration: exactDuration(findings.reduce((sum, { seconds }) => sum + seconds, 0)),
          })}
        </p>
      </div>
      <ul className="divide-y divide-line px-1">
        {findings.map((finding) => (
          <FindingRow
            key={finding.key}
            finding={finding}
            rightLabel={t('Keep both')}
            onFix={(_, changes, message) => void change({ entries: changes }, message)}
            onAccept={(each) => void accept(each)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Returns whether the sessions overlap by a second. Duplicates have a kind of their own. */
function isShared({ kind, seconds }: Finding): boolean {
  return kind === 'overlap' && seconds * 1000 >= MIN_MILLISECONDS
}
