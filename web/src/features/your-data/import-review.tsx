import { useMemo, useState } from 'react'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { recogniseImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportFormat, ImportOptions } from '@stint/core/transfer/entry-import.ts'
import { guessMapping } from '@stint/core/transfer/import-columns.ts'
import type { ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { DATE_ORDERS } from '@stint/core/transfer/import-times.ts'
import type { DateOrder } from '@stint/core/transfer/import-times.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useConnection } from '#hooks/use-connection.ts'
import { ColumnMappingForm } from './column-mapping.tsx'
import { PlanView } from './import-plan.tsx'
import { Progress } from './progress.tsx'
import { usePlan } from './use-plan.ts'
import { useRecord } from './use-record.ts'

const FORMATS: Readonly<Record<ImportFormat, string>> = {
  toggl: t('Toggl Track, detailed report'),
  clockify: t('Clockify, detailed report'),
  harvest: t('Harvest, detailed time report'),
  'stint-csv': t('Stint, CSV'),
  'stint-json': t('Stint, JSON'),
  columns: t('Other table'),
  unknown: t('Unknown'),
}

const ORDERS: Readonly<Record<DateOrder, string>> = {
  ymd: t('Year, month, day'),
  dmy: t('Day, month, year'),
  mdy: t('Month, day, year'),
}

/** The number of sessions that one write saves. */
const SLICE = 5000

type Stage =
  | { readonly kind: 'review' }
  | { readonly kind: 'saving'; readonly done: number; readonly steps: number }
  | { readonly kind: 'saved'; readonly sessions: number; readonly seconds: number }
  | { readonly kind: 'undone' }
  | { readonly kind: 'failed' }

/** Previews a file with the options for reading it, then imports it as one step that can be undone. */
export function ImportReview({
  source,
  onClose,
}: {
  source: { readonly name: string; readonly text: string }
  onClose: () => void
}) {
  const { entries, tasks } = useRecord()
  const { newId, now, changeMany } = useRecordCommands()
  const ownZone = useDayRule().timeZone
  const { text, name } = source
  // The record as it was when the file was chosen, so that imported sessions are not their own
  // duplicates.
  const [existing] = useState({ entries, tasks })
  const [startedAt] = useState(now)
  const recognised = useMemo(() => recogniseImport(text), [text])
  const [format, setFormat] = useState(recognised.format)
  const [mapping, setMapping] = useState(
    () => recognised.mapping ?? guessMapping(recognised.firstRows[0] ?? []),
  )
  const [timeZone, setTimeZone] = useState(ownZone)
  const [dateOrder, setDateOrder] = useState<DateOrder | null>(null)
  const [stage, setStage] = useState<Stage>({ kind: 'review' })
  const options = useMemo(
    (): ImportOptions => ({
      existing,
      newId,
      now: startedAt,
      format,
      timeZone,
      mapping,
      ...(dateOrder !== null && { dateOrder }),
    }),
    [existing, newId, startedAt, format, timeZone, mapping, dateOrder],
  )
  const { plan, progress } = usePlan(text, options)
  async function save({ changes, tasks: newTasks, restored, totalSeconds }: ImportPlan) {
    const tasksBack = restored.map((taskId) => ({ taskId, changes: { isActive: true } }))
    const slices = [
      { newTasks, tasks: tasksBack },
      ...sliced(changes).map((some) => ({ entries: some })),
    ]
    const sessions = changes.length
    setStage({ kind: 'saving', done: 0, steps: slices.length })
    try {
      const message = t('{count, plural, one {# session imported} other {# sessions imported}}', {
        count: sessions,
      })
      await changeMany(slices, message, {
        onProgress: (done) => setStage({ kind: 'saving', done, steps: slices.length }),
        onUndone: () => setStage({ kind: 'undone' }),
      })
      setStage({ kind: 'saved', sessions, seconds: totalSeconds })
    } catch {
      setStage({ kind: 'failed' })
    }
  }

  const isTable = recognised.firstRows.length > 0
  const knowsOffsets = format === 'stint-json' || format === 'stint-csv'
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {/* The pressed button disappears at each step, so the heading takes the focus. */}
        <h3
          key={stage.kind}
          ref={takeFocus}
          tabIndex={-1}
          dir="auto"
          className="min-w-0 text-sm font-semibold wrap-anywhere"
        >
          {name}
        </h3>
        {stage.kind === 'review' && (
          <Button variant="quiet" size="small" onClick={onClose}>
            {t('Cancel')}
          </Button>
        )}
      </header>
      {stage.kind !== 'review' ? (
        <Outcome stage={stage} onClose={onClose} />
      ) : format === 'unknown' ? (
        <Banner>{recognised.why}</Banner>
      ) : (
        <>
          <div className="grid gap-3 md:grid-cols-3">
            <SelectField
              label={t('File type')}
              value={format}
              disabled={!isTable}
              onChange={(event) =>
                setFormat(event.target.value === 'columns' ? 'columns' : recognised.format)
              }
            >
              <option value={recognised.format}>{FORMATS[recognised.format]}</option>
              {isTable && recognised.format !== 'columns' && (
                <option value="columns">{FORMATS.columns}</option>
              )}
            </SelectField>
            {!knowsOffsets && (
              <SelectField
                label={t('Time zone')}
                value={timeZone}
                onChange={(event) => setTimeZone(event.target.value)}
              >
                {zonesWith(ownZone).map((each) => (
                  <option key={each} value={each}>
                    {each.replaceAll('_', ' ')}
                  </option>
                ))}
              </SelectField>
            )}
            {(dateOrder !== null || plan?.isDateOrderAmbiguous === true) && (
              <SelectField
                label={t('Date format')}
                value={dateOrder ?? plan?.dateOrder ?? 'ymd'}
                onChange={(event) =>
                  setDateOrder(DATE_ORDERS.find((order) => order === event.target.value) ?? null)
                }
              >
                {DATE_ORDERS.map((order) => (
                  <option key={order} value={order}>
                    {ORDERS[order]}
                  </option>
                ))}
              </SelectField>
            )}
          </div>
          {format === 'columns' && (
            <ColumnMappingForm
              rows={recognised.firstRows}
              mapping={mapping}
              onChange={setMapping}
            />
          )}
          {plan === null ? (
            <Progress label={t('Reading the file')} value={progress} />
          ) : (
            <>
              <PlanView plan={plan} />
              <div className="flex flex-wrap items-center gap-3">
                <Button
                  variant="primary"
                  disabled={plan.changes.length === 0}
                  onClick={() => void save(plan)}
                >
                  {t('{count, plural, one {Import # session} other {Import # sessions}}', {
                    count: plan.changes.length,
                  })}
                </Button>
                <span className="text-sm text-quiet">{t('Nothing is saved yet.')}</span>
              </div>
            </>
          )}
        </>
      )}
    </div>
  )
}

/** The result of the import, and how many changes are unsynced. */
function Outcome({
  stage,
  onClose,
}: {
  stage: Exclude<Stage, { kind: 'review' }>
  onClose: () => void
}) {
  const { online, unsaved, minutesLeft } = useConnection()
  if (stage.kind === 'saving') {
    return <Progress label={t('Saving on this device')} value={stage.done / stage.steps} />
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <output aria-label={t('Outcome')} className="figures text-sm">
        {stage.kind === 'saved' &&
          t(
            '{count, plural, one {# session imported, {duration}.} other {# sessions imported, {duration}.}}',
            { count: stage.sessions, duration: exactDuration(stage.seconds) },
          )}
        {stage.kind === 'undone' && t('Import undone.')}
        {stage.kind === 'failed' &&
          t('Some sessions couldn’t be saved. Import the same file again to add the rest.')}
      </output>
      {unsaved > 0 && (
        <p className="figures text-sm text-quiet">{sendingText(online, unsaved, minutesLeft)}</p>
      )}
      <Button onClick={onClose}>{t('Import another file')}</Button>
    </div>
  )
}

function sendingText(online: boolean, count: number, minutes: number | null): string {
  if (!online) {
    return t('You’re offline. {count, number} waiting to sync. They are kept on this device.', {
      count,
    })
  }
  if (minutes === null) return t('{count, number} waiting to sync.', { count })
  return t(
    '{count, number} waiting to sync. The server limits the rate: about {minutes, plural, one {# minute} other {# minutes}} left. Keep Stint open. If you close it, syncing continues next time.',
    { count, minutes },
  )
}

function sliced<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / SLICE) }, (_, index) =>
    list.slice(index * SLICE, (index + 1) * SLICE),
  )
}

function zonesWith(own: string): string[] {
  return [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}
