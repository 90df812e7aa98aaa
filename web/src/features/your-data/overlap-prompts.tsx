import { checkHealth } from '@stint/core/record/data-health.ts'
import type { Finding } from '@stint/core/record/data-health.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { useEffect, useId, useState } from 'react'

import { Button } from '#ui/button.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { forgetOverlaps, MIN_MILLISECONDS } from '@stint/core/device/overlap-pairs.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { FindingRow } from './finding-row.tsx'
import { useAcceptedFindings } from '#hooks/use-accepted-findings.ts'

/**
 * Asks about overlapping sessions on the device that noticed them first. Without an answer, all count. Several overlaps
 * are one line until they are asked for, so that they do not push the timer away.
 */
export function OverlapPrompts() {
  const record = useRecord()
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  const { now, change } = useRecordCommands()
  const { isAccepted, accept } = useAcceptedFindings()
  const pairs = useValue('overlaps')?.pairs ?? []
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const listId = useId()

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
  const isOne = findings.length === 1
  const duration = exactDuration(findings.reduce((sum, { seconds }) => sum + seconds, 0))
  const count = new Set(findings.flatMap((each) => each.entries.map((entry) => entry.id))).size
  return (
    <section
      aria-labelledby={id}
      className="flex animate-appear flex-col gap-2 rounded-panel border border-line bg-surface py-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5">
        <h2 id={id} className="text-sm font-semibold">
          {isOne
            ? t('Two sessions overlap')
            : t('{count, number} sessions overlap, {duration} counted twice', { count, duration })}
        </h2>
        {!isOne && (
          <div className="flex gap-1 max-md:-ms-2.5 md:-me-2">
            <Button
              variant="quiet"
              size="small"
              aria-expanded={isOpen}
              aria-controls={listId}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? t('Hide') : t('Review')}
            </Button>
            <Button size="small" onClick={() => void accept(...findings)}>
              {t('Keep all')}
            </Button>
          </div>
        )}
      </div>
      {isOne && (
        <p className="px-5 text-sm text-quiet">
          {t('These sessions overlap by {duration}. Both count unless you trim one.', { duration })}
        </p>
      )}
      {(isOne || isOpen) && (
        <ul id={listId} className="divide-y divide-line px-1">
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
      )}
    </section>
  )
}

/** Returns whether the sessions overlap by a second. Duplicates have a kind of their own. */
function isShared({ kind, seconds }: Finding): boolean {
  return kind === 'overlap' && seconds * 1000 >= MIN_MILLISECONDS
}
