import { Download, Printer } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { ComponentProps } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { intervalOfDates, lastDay } from '@stint/core/time/calendar.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import {
  exportedDayTotals,
  exportedTotals,
  exportFileName,
} from '@stint/core/transfer/export-range.ts'
import type { ExportRange } from '@stint/core/transfer/export-range.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import { Icon } from '#ui/icon.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Button, buttonClasses } from '#ui/button.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { showToast } from '#ui/toast.tsx'
import { DateField } from '#hooks/date-field.tsx'
import { useFormats } from '#hooks/use-formats.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { csvForm, keepCsvForm } from '#hooks/csv-form.ts'
import { CsvChoices } from './csv-choices.tsx'
import { exportFile } from './export-file.ts'
import type { ExportFormat } from './export-file.ts'
import { useEverything } from './use-everything.ts'
import { HistoryNotice } from './history-notice.tsx'
import { Section } from './section.tsx'
import { useExportDates } from './use-export-dates.ts'
import { useRecord } from './use-record.ts'

const RANGES: readonly { value: ExportRange; label: string }[] = [
  { value: 'all', label: t('All time') },
  { value: 'week', label: t('This week') },
  { value: 'month', label: t('This month') },
  { value: 'year', label: t('This year') },
  { value: 'custom', label: t('Custom range') },
]

const FORMATS = {
  csv: {
    label: 'CSV', // not translated: a name
    extension: 'csv',
    type: 'text/csv',
    about: t('For spreadsheets: one row per session. It can be imported again.'),
  },
  'by-day': {
    label: t('CSV by day'),
    extension: 'csv',
    type: 'text/csv',
    about: t('For spreadsheets: one row per session and day. Daily sums match your reports.'),
  },
  json: {
    label: 'JSON', // not translated: a name
    extension: 'json',
    type: 'application/json',
    about: t(
      'Everything, including deleted tasks and pauses. Another Stint can restore it exactly.',
    ),
  },
  ics: {
    label: 'ICS', // not translated: a name
    extension: 'ics',
    type: 'text/calendar',
    about: t('For calendars: one event per session.'),
  },
} as const
type Format = keyof typeof FORMATS

/** How sessions at the edges of the range are exported. */
const WHOLE = t('Sessions that start in the range are exported in full.')
const EDGES: Readonly<Record<ExportFormat, string>> = {
  csv: WHOLE,
  'as-in-report': t(
    'Sessions are cut at the edges of the range. The sum is the total of the report. The column Cut says where.',
  ),
  'by-day': t('Sessions are split at the end of each day and of the range.'),
  json: WHOLE,
  ics: WHOLE,
}

/** Exports the record as a file or a printable report. */
export function ExportSection() {
  const id = useId()
  const record = useRecord()
  const { entries } = record
  const { range, dates, first, last, problem, choose, chooseDays } = useExportDates()
  const dayRule = useDayRule()
  const { duration } = useFormats()
  const { timer } = useTimer()
  const everything = useEverything()
  const [format, setFormat] = useState<Format>('csv')
  const [part, setPart] = useState<'whole' | 'report'>('whole')
  const [form, setForm] = useState(csvForm)
  const [isBusy, setIsBusy] = useState(false)
  const { from, to } = dates ?? { from: null, to: null }
  const days = useMemo(() => (from === null || to === null ? null : { from, to }), [from, to])
  const interval = useMemo(() => days && intervalOfDates(days, dayRule), [days, dayRule])
  const isCsv = format === 'csv' || format === 'by-day'
  const file = format === 'csv' && days && part === 'report' ? 'as-in-report' : format
  const isCut = file === 'as-in-report' || file === 'by-day'
  const { count, seconds } = useMemo(
    () => (isCut ? exportedDayTotals(entries, dayRule, days) : exportedTotals(entries, interval)),
    [isCut, entries, interval, dayRule, days],
  )
  const isEmpty = count.begun + count.earlier === 0
  const isReady = record.status === 'ready' && dates !== undefined && !isEmpty

  async function download() {
    if (dates === undefined) return
    setIsBusy(true)
    try {
      const input = { entries, tasks: record.tasks, ...(interval && { range: interval }) }
      const { extension, type } = FORMATS[format]
      const name = exportFileName(dates, extension, isCut ? file : undefined)
      const all = format === 'json' && !interval ? everything() : input
      const text = await exportFile(file, all, dayRule, form)
      saveFile(name, `${type};charset=utf-8`, text)
      showToast({ text: t('Downloaded {name}', { name }) })
    } catch {
      showToast({ text: t('The file couldn’t be created. Try again.'), tone: 'danger' })
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Section
      id="export"
      title={t('Export')}
      about={t('Download all or part of your data at any time.')}
    >
      <HistoryNotice record={record} />
      <div className="divide-y divide-line border-y border-line">
        <LabelledRow label={t('Range')} controlId={id}>
          <Select
            id={id}
            className="w-40 md:w-60"
            value={range}
            onChange={(event) => {
              const picked = RANGES.find(({ value }) => value === event.target.value)
              if (picked) choose(picked.value)
            }}
          >
            {RANGES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </LabelledRow>
        {range === 'custom' && (
          <div className="grid grid-cols-2 gap-3 py-2.5 md:ms-auto md:w-88">
            <DateField
              label={t('From')}
              value={first}
              onChange={(date) => chooseDays(date, last)}
            />
            <DateField
              label={t('To')}
              value={last}
              error={problem}
              onChange={(date) => chooseDays(first, date)}
            />
          </div>
        )}
        <LabelledRow label={t('Format')} hint={FORMATS[format].about} wide>
          <Choice
            label={t('Format')}
            options={FORMAT_OPTIONS}
            value={format}
            onChange={setFormat}
          />
        </LabelledRow>
        {dates !== null && (
          <LabelledRow label={t('Sessions at the edges of the range')} hint={EDGES[file]} wide>
            {format === 'csv' && (
              <Choice
                label={t('Sessions at the edges of the range')}
                options={PARTS}
                value={part}
                onChange={setPart}
              />
            )}
          </LabelledRow>
        )}
        {isCsv && (
          <CsvChoices
            form={form}
            onChange={(next) => {
              setForm(next)
              keepCsvForm(next)
            }}
          />
        )}
        <LabelledRow
          wide
          label={
            <output aria-label={t('To export')} className="figures">
              {record.status === 'ready' &&
                dates !== undefined &&
                (!isEmpty
                  ? `${sessionCountText(count)}, ${duration(seconds)}`
                  : isCut
                    ? t('No sessions in this range.')
                    : t('No sessions start in this range.'))}
            </output>
          }
          hint={
            timer.status === 'idle'
              ? undefined
              : t('A running timer is included once it is stopped.')
          }
        >
          {dates !== undefined && record.status === 'ready' && (
            <Link to={printPath(dates)} className={buttonClasses()}>
              <Icon of={Printer} />
              {t('Printable report')}
            </Link>
          )}
          <Button
            variant="primary"
            busy={isBusy}
            disabled={!isReady}
            onClick={() => void download()}
          >
            <Icon of={Download} />
            {t('Download')}
          </Button>
        </LabelledRow>
      </div>
    </Section>
  )
}

/** A choice as wide as the fields of the other rows, or wider if it must be. */
function Choice<Value extends string>(props: ComponentProps<typeof Segmented<Value>>) {
  return (
    <div className="grow *:flex *:*:grow *:*:whitespace-nowrap md:min-w-60">
      <Segmented {...props} />
    </div>
  )
}

const FORMAT_OPTIONS: readonly { value: Format; label: string }[] = [
  { value: 'csv', label: FORMATS.csv.label },
  { value: 'by-day', label: FORMATS['by-day'].label },
  { value: 'json', label: FORMATS.json.label },
  { value: 'ics', label: FORMATS.ics.label },
]

const PARTS = [
  { value: 'whole', label: t('Whole sessions') },
  { value: 'report', label: t('As in the report') },
] as const

function printPath(dates: DateRange | null): string {
  if (dates === null) return '/data/print'
  const days = new URLSearchParams({ from: dates.from, to: lastDay(dates) })
  return `/data/print?${days.toString()}`
}
