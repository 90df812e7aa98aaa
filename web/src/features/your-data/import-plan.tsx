import type { ReactNode } from 'react'
import { grouped } from '@stint/core/grouped.ts'
import { t } from '@stint/core/text.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { writeCsv } from '@stint/core/csv.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Badge } from '#ui/badge.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Scroller } from '#ui/scroller.tsx'

/** The maximum number of listed tasks and rows. The downloaded list has all rows. */
export const MAX_LISTED = 200

/** Shows what an import will do: the totals, the tasks, and the skipped rows with reasons. */
export function PlanView({ plan }: { plan: ImportPlan }) {
  const { changes, tasks, totals, totalSeconds, duplicates, problems, notices } = plan
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
      {notices.map((notice) => (
        <Banner key={notice} tone="notice">
          {notice}
        </Banner>
      ))}
      {totals.length > 0 && (
        <Listed title={t('By task')}>
          {totals.slice(0, MAX_LISTED).map(({ taskId, name, isNew, entries, seconds }) => (
            <li key={taskId} className="flex items-center gap-3 px-4 py-2">
              <Name text={name} className="flex-1" />
              {isNew && <Badge tone="plain">{t('New')}</Badge>}
              <span className="figures shrink-0 text-quiet max-md:hidden">
                {t('{count, plural, one {# session} other {# sessions}}', { count: entries })}
              </span>
              <span className="figures w-28 shrink-0 text-end">{exactDuration(seconds)}</span>
            </li>
          ))}
          {totals.length > MAX_LISTED && <More count={totals.length - MAX_LISTED} />}
        </Listed>
      )}
      {problems.length > 0 && (
        <>
          <Listed title={t('Skipped')}>
            {problems.slice(0, MAX_LISTED).map(({ line, text, why }) => (
              <li key={`${line} ${why}`} className="flex flex-col px-4 py-2 md:flex-row md:gap-4">
                <span className="figures shrink-0 text-quiet md:w-20">
                  {t('Line {line}', { line })}
                </span>
                <span className="min-w-0 flex-1">
                  {why}
                  <span dir="auto" className="block truncate text-quiet" title={text}>
                    {text}
                  </span>
                </span>
              </li>
            ))}
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

/** A list with a title. */
export function Listed({
  title,
  level: Heading = 'h4',
  children,
}: {
  title: string
  level?: 'h3' | 'h4'
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <Heading className="font-semibold">{title}</Heading>
      <Scroller
        label={title}
        className="max-h-72 overflow-y-auto rounded-panel border border-line bg-surface"
      >
        <ul className="divide-y divide-line">{children}</ul>
      </Scroller>
    </div>
  )
}

/** Says how many items of a list are not shown. */
export function More({ count }: { count: number }) {
  return (
    <li className="figures px-4 py-2 text-quiet">{t('and {count, number} more', { count })}</li>
  )
}

function saveProblems({ problems }: ImportPlan): void {
  const rows = problems.map(({ line, why, text }) => [String(line), why, text])
  // not translated: the headings of a file
  const csv = writeCsv([['Line', 'Why', 'Row'], ...rows])
  saveFile('stint-not-imported.csv', 'text/csv;charset=utf-8', `\uFEFF${csv}`)
}
