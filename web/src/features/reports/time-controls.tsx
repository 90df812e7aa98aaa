import { CalendarSearch, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { t } from '@stint/core/text.ts'
import { periodLabel } from '@stint/core/time/period.ts'
import type { PeriodView } from '@stint/core/time/period.ts'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { DatePicker } from './date-picker.tsx'
import type { ShownPeriod } from './use-period.ts'

/**
 * Time Controls: previous and next, the period's label, a button to the current period, and the views.
 * The keys of `aria-keyshortcuts` press the buttons (features/keyboard).
 */
export function TimeControls({ shown }: { shown: ShownPeriod }) {
  const { period, isCurrent, step, show, showCurrent, goTo } = shown
  const [isPicking, setIsPicking] = useState(false)
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
      <div className="md:ms-auto print:hidden">
        <Segmented label={t('View')} options={VIEWS} value={period.view} onChange={show} />
      </div>
    </section>
  )
}

const VIEWS: readonly { value: PeriodView; label: string }[] = [
  { value: 'weekly', label: t('Weekly') },
  { value: 'monthly', label: t('Monthly') },
  { value: 'yearly', label: t('Yearly') },
]

/** Not 'This Week', as that is the label of a figure. */
const CURRENT: Record<PeriodView, string> = {
  weekly: t('Current week'),
  monthly: t('Current month'),
  yearly: t('Current year'),
}
