import { grouped } from '@stint/core/grouped.ts'
import { t } from '@stint/core/text.ts'
import { isCalendarDate, monthAndYear } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { ImportOverlaps } from '@stint/core/transfer/import-overlaps.ts'
import type {
  Difference,
  DifferenceKind,
  ImportStatement,
} from '@stint/core/transfer/import-statement.ts'
import { DataTable } from '#ui/data-table.tsx'

/** How often the statement speaks of time: before an import, and of one that is done. */
type Tense = 'planned' | 'done'

const NAMES: Readonly<Record<DifferenceKind, (rows: number) => string>> = {
  rounding: () => t('Rounded durations and parts of a second'),
  durations: (rows) =>
    t(
      '{rows, plural, one {Another duration beside the times of # row} other {Other durations beside the times of # rows}}',
      { rows },
    ),
  breaks: (rows) => t('{rows, plural, one {Breaks of # row} other {Breaks of # rows}}', { rows }),
  noWork: (rows) =>
    t(
      '{rows, plural, one {# row that is a break or a day off} other {# rows that are breaks or days off}}',
      { rows },
    ),
  repeats: (rows) =>
    t('{rows, plural, one {# row that repeats another} other {# rows that repeat others}}', {
      rows,
    }),
  known: (rows) =>
    t('{rows, plural, one {# row imported before} other {# rows imported before}}', { rows }),
  likely: (rows) =>
    t(
      '{rows, plural, one {# row at the times of another task} other {# rows at the times of other tasks}}',
      { rows },
    ),
  skipped: (rows) => t('{rows, plural, one {# skipped row} other {# skipped rows}}', { rows }),
}

/** Returns a duration with its hours grouped: '1,204h 35m'. */
export function longDuration(seconds: number): string {
  return exactDuration(seconds).replace(/^\d{4,}(?=h)/, (hours) => grouped(Number(hours)))
}

function signedDuration(seconds: number): string {
  if (seconds === 0) return longDuration(0)
  return `${seconds < 0 ? '−' : '+'}${longDuration(Math.abs(seconds))}`
}

/** Shows what the file says and what is counted, in all and by month, with every difference named. */
export function StatementView({
  statement,
  tense,
  of,
}: {
  statement: ImportStatement
  tense: Tense
  /** The file of a receipt, to tell it from others. */
  of?: string
}) {
  const { statedSeconds, countedSeconds, differences, months, fileTotalSeconds } = statement
  const stated = longDuration(statedSeconds)
  const counted = longDuration(countedSeconds)
  const label = of ? t('Proof of the time in {name}', { name: of }) : t('Proof of the time')
  return (
    <section aria-label={label} className="flex flex-col gap-3 text-sm">
      <p className="figures font-semibold">
        {tense === 'planned'
          ? t('The file says {stated}. Stint will count {counted}.', { stated, counted })
          : t('The file said {stated}. Stint counts {counted}.', { stated, counted })}
      </p>
      {differences.length > 0 ? (
        <ul className="grid grid-cols-[max-content_1fr] gap-x-3 gap-y-1">
          {differences.map((difference) => (
            <DifferenceRow key={difference.kind} difference={difference} />
          ))}
        </ul>
      ) : (
        <p className="text-quiet">{t('They agree to the second.')}</p>
      )}
      {fileTotalSeconds !== null && (
        <p className="figures text-quiet">{totalSentence(fileTotalSeconds, statedSeconds)}</p>
      )}
      {months.length > 1 && (
        <details>
          <summary className="w-fit cursor-pointer py-1.5">{t('By month')}</summary>
          <DataTable
            caption={t('What the file says and what is counted, by month')}
            columns={[
              { name: t('Month'), isFigure: false },
              { name: t('The file says'), isFigure: true },
              { name: t('Counted'), isFigure: true },
              { name: t('Difference'), isFigure: true },
            ]}
            rows={months.map((each) => [
              nameOfMonth(each.month),
              longDuration(each.statedSeconds),
              longDuration(each.countedSeconds),
              signedDuration(each.countedSeconds - each.statedSeconds),
            ])}
            sum={[t('In all'), stated, counted, signedDuration(countedSeconds - statedSeconds)]}
          />
        </details>
      )}
    </section>
  )
}

function DifferenceRow({ difference: { kind, seconds, rows } }: { difference: Difference }) {
  return (
    <li className="col-span-2 grid grid-cols-subgrid">
      <span className="figures text-end">{signedDuration(seconds)}</span>
      <span className="min-w-0">{NAMES[kind](rows)}</span>
    </li>
  )
}

function totalSentence(fileTotal: number, statedSeconds: number): string {
  const total = longDuration(fileTotal)
  // A total in hundredths of hours is rounded.
  if (Math.abs(fileTotal - statedSeconds) <= 60) {
    return t('The file’s own total, {total}, agrees with its rows.', { total })
  }
  const rows = longDuration(statedSeconds)
  return t('The file’s own total is {total}, but its rows add up to {rows}.', { total, rows })
}

function nameOfMonth(month: string | null): string {
  const first = `${month}-01`
  return isCalendarDate(first) ? monthAndYear(first) : t('Without a date')
}

/** Says how much of what is imported counts more than once; null if nothing does. */
export function overlapSentences({ each, record }: ImportOverlaps): string[] {
  const sentences: string[] = []
  if (each.sessions > 0) {
    sentences.push(
      t(
        '{count, plural, one {# session overlaps another one of the file} other {# sessions of the file overlap each other}}: {duration} in all.',
        { count: each.sessions, duration: longDuration(each.seconds) },
      ),
    )
  }
  if (record.sessions > 0) {
    sentences.push(
      t(
        '{count, plural, one {# session overlaps sessions that you have} other {# sessions overlap sessions that you have}}: {duration} in all.',
        { count: record.sessions, duration: longDuration(record.seconds) },
      ),
    )
  }
  return sentences
}
