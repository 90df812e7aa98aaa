import type { ReactNode } from 'react'
import { isCategorised } from '@stint/core/record/task.ts'
import { grouped } from '@stint/core/grouped.ts'
import { t } from '@stint/core/text.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { writeCsv } from '@stint/core/csv.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { delimiterOf } from '@stint/core/transfer/csv-form.ts'
import { Badge } from '#ui/badge.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'
import { saveFile } from '#ui/save-file.ts'
import { csvForm } from '#hooks/csv-form.ts'
import { FileRows, Listed, More } from './import-list.tsx'
import { overlapSentences, StatementView } from './import-statement.tsx'

/** The maximum number of listed tasks and rows. The downloaded list has all rows. */
export const MAX_LISTED = 200

/** Shows what an import will do: the totals, the tasks, and the skipped rows with reasons. */
export function PlanView({ plan, questions }: { plan: ImportPlan; questions: ReactNode }) {
  const { changes, tasks, totals, totalSeconds, duplicates, problems, notices, statement } = plan
  return (
    <div className="flex flex-col gap-4">
      <dl
        aria-label={t('What would be imported')}
        className="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line md:grid-cols-5"
      >
        <Figure label={t('Sessions')} value={grouped(changes.length)} />
        <Figure label={t('Time')} value={exactDuration(totalSeconds)} />
        <Figure label={t('New tasks')} value={grouped(tasks.length)} />
        <Figure label={t('Already imported')} value={grouped(duplicates)} />
        <Figure label={t('Skipped')} value={grouped(problems.length)} />
      </dl>
      <StatementView statement={statement} tense="planned" />
      {[...overlapSentences(plan.overlaps), ...notices].map((notice) => (
        <Banner key={notice} tone="notice">
          {notice}
        </Banner>
      ))}
      {questions}
      {totals.length > 0 && (
        <Listed title={t('By task')}>
          {totals
            .slice(0, MAX_LISTED)
            .map(({ taskId, name, category, isNew, entries, seconds }) => (
              <li key={taskId} className="flex items-center gap-3 px-4 py-2">
                <Name text={name} className="flex-1" />
                {isCategorised({ category }) && (
                  <span dir="auto" className="name max-w-2/5 text-xs text-quiet">
                    {category}
                  </span>
                )}
                {isNew && <Badge tone="plain">{t('New')}</Badge>}
                <span className="figures w-28 shrink-0 text-end text-quiet max-md:hidden">
                  {t('{count, plural, one {# session} other {# sessions}}', { count: entries })}
                </span>
                <span className="figures min-w-18 shrink-0 text-end md:w-28">
                  {exactDuration(seconds)}
                </span>
              </li>
            ))}
          {totals.length > MAX_LISTED && <More count={totals.length - MAX_LISTED} />}
        </Listed>
      )}
      {problems.length > 0 && (
        <>
          <Listed title={t('Skipped')}>
            <FileRows rows={problems.slice(0, MAX_LISTED)} />
            {problems.length > MAX_LISTED && <More count={problems.length - MAX_LISTED} />}
          </Listed>
          <Button size="small" className="self-start" onClick={() => saveProblems(plan)}>
            {t('Download this list')}
          </Button>
        </>
      )}
    </div>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col gap-0.5 bg-surface px-4 py-3 max-md:first:col-span-2">
      <dt className="text-xs text-quiet">{label}</dt>
      <dd className="figures text-base font-semibold">{value}</dd>
    </div>
  )
}

function saveProblems({ problems }: ImportPlan): void {
  const rows = problems.map(({ line, why, text }) => [String(line), why, text])
  // not translated: the headings of a file
  const csv = writeCsv([['Line', 'Why', 'Row'], ...rows], delimiterOf(csvForm()))
  saveFile('stint-not-imported.csv', 'text/csv;charset=utf-8', `\uFEFF${csv}`)
}
