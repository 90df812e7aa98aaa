import { useState } from 'react'
import { rangePresets, readRange } from '@stint/core/time/range-presets.ts'
import { t } from '@stint/core/text.ts'
import { dateOfDay, localDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { periodLabel } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { trackedTime } from '@stint/core/reports/report-input.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { isDayFirst } from './day-order.ts'

/** Asks for the days of a report: one of the presets, or any range, typed as people write it. */
export function RangePicker({
  input,
  period,
  onPick,
  onClose,
}: {
  input: ReportInput
  /** The period that is shown. */
  period: Period
  onPick: (period: Period) => void
  onClose: () => void
}) {
  const [{ today, firstDay }] = useState(() => daysOf(input))
  const { weekStart } = input
  return (
    <Dialog open title={t('Choose a range')} onClose={onClose}>
      <TypedRange
        read={(text) => readRange(text, firstDay, { today, weekStart, isDayFirst: isDayFirst() })}
        onPick={onPick}
      />
      <ul className="grid grid-cols-2 gap-2">
        {rangePresets(today, firstDay, weekStart).map(({ label, period: preset }) => (
          <li key={label} className="contents">
            <button
              type="button"
              aria-pressed={isSame(preset, period)}
              onClick={() => onPick(preset)}
              className={classNames(
                'flex min-h-11 flex-col rounded-control border px-3 py-1.5 text-start transition-colors duration-80 hover:border-edge hover:bg-wash',
                isSame(preset, period) ? 'border-edge bg-wash' : 'border-line',
              )}
            >
              <span className="text-sm font-semibold text-ink">{label}</span>{' '}
              <span className="figures text-xs">{periodLabel(preset)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** The field that reads days as people type them, and says how it understands them. */
function TypedRange({
  read,
  onPick,
}: {
  read: (text: string) => ReturnType<typeof readRange>
  onPick: (period: Period) => void
}) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const understood = read(text)
  return (
    <form
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (understood.kind === 'range') onPick(understood.period)
        else setProblem(understood.message)
      }}
    >
      <TextField
        label={t('From – to')}
        data-autofocus=""
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        placeholder={t('3–17 Nov, last quarter, since Monday')}
        value={text}
        error={problem}
        onChange={({ target }) => {
          setText(target.value)
          setProblem(null)
        }}
      />
      <div className="flex min-h-11 items-center justify-between gap-3 md:min-h-9">
        <output className="figures text-sm text-ink">
          {understood.kind === 'range' && periodLabel(understood.period)}
        </output>
        <Button type="submit" variant="primary">
          {t('Show')}
        </Button>
      </div>
    </form>
  )
}

/** Returns the viewer's today and the first day of the history. */
function daysOf(input: ReportInput): { today: CalendarDate; firstDay: CalendarDate } {
  const { worked } = trackedTime(input)
  const today = localDate(input.now, input.dayRule)
  return {
    today,
    firstDay: worked.entries.length > 0 ? dateOfDay(worked.days.firstDay) : today,
  }
}

function isSame(a: Period, b: Period): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
