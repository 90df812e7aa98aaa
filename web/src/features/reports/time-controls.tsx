import { CalendarRange, CalendarSearch, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { periodLabel } from '@stint/core/time/period.ts'
import type { Period, PeriodView } from '@stint/core/time/period.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { later } from '#ui/later.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { DatePicker } from './date-picker.tsx'
import type { ShownPeriod } from './use-period.ts'

const RangePicker = later(async () => (await import('#hooks/range-picker.tsx')).RangePicker)

/**
 * Time Controls: previous and next, the period's label, a button to the current period, the views, and
 * any range.
 * The keys of `aria-keyshortcuts` press the buttons (features/keyboard).
 */
export function TimeControls({
  input,
  shown,
  views,
  children,
}: {
  input: ReportInput
  shown: ShownPeriod
  /** The views to choose from, without ranges. All of them, and ranges, by default. */
  views?: readonly PeriodView[]
  /** What is said about the period. */
  children?: ReactNode
}) {
  const { period, isCurrent, step, show, open, showCurrent, goTo } = shown
  const [isPicking, setIsPicking] = useState(false)
  const [isChoosing, setIsChoosing] = useState(false)
  const isRange = period.view === 'range'
  return (
    <section
      aria-label={t('Time Controls')}
      className="flex flex-wrap items-center gap-x-4 gap-y-2"
    >
      <div className="-ms-2 flex min-w-0 items-center max-md:w-full">
        <IconButton
          icon={ChevronLeft}
          label={t('Previous')}
          aria-keyshortcuts="ArrowLeft"
          onClick={() => step(-1)}
          className="print:hidden"
        />
        <IconButton
          icon={ChevronRight}
          label={t('Next')}
          aria-keyshortcuts="ArrowRight"
          onClick={() => step(1)}
          className="print:hidden"
        />
        <output className="figures min-w-0 ps-2 text-base font-semibold text-balance md:whitespace-nowrap">
          {periodLabel(period)}
        </output>
        <IconButton
          icon={CalendarSearch}
          label={t('Go to date')}
          aria-haspopup="dialog"
          onClick={() => setIsPicking(true)}
          className="ms-1 print:hidden"
        />
        {isPicking && (
          <DatePicker
            first={period.from}
            onPick={(date) => {
              setIsPicking(false)
              goTo(date)
            }}
            onClose={() => setIsPicking(false)}
          />
        )}
      </div>
      {!isCurrent && (
        <Button
          variant="quiet"
          size="small"
          onClick={showCurrent}
          aria-keyshortcuts="T"
          className="max-md:order-last print:hidden"
        >
          {CURRENT[period.view]}
        </Button>
      )}
      <div className="flex flex-wrap items-center gap-2 md:ms-auto print:hidden">
        <Segmented
          label={t('View')}
          options={VIEWS.filter(({ value }) => views?.includes(value) ?? true)}
          value={period.view === 'range' ? null : period.view}
          onChange={show}
        />
        {!views && (
          <Button
            variant={isRange ? 'secondary' : 'quiet'}
            size="small"
            aria-haspopup="dialog"
            onClick={() => setIsChoosing(true)}
          >
            <Icon of={CalendarRange} />
            {t('Range')}
          </Button>
        )}
        {isChoosing && (
          <RangePicker
            input={input}
            period={period}
            onPick={(picked) => {
              setIsChoosing(false)
              open(picked)
            }}
            onClose={() => setIsChoosing(false)}
          />
        )}
      </div>
      {children && <div className="order-last w-full">{children}</div>}
    </section>
  )
}

const VIEWS: readonly { value: PeriodView; label: string }[] = [
  { value: 'weekly', label: t('Weekly') },
  { value: 'monthly', label: t('Monthly') },
  { value: 'yearly', label: t('Yearly') },
]

/** Not 'This Week', as that is the label of a figure. */
const CURRENT: Record<Period['view'], string> = {
  weekly: t('Current week'),
  monthly: t('Current month'),
  yearly: t('Current year'),
  range: t('Current range'),
}
