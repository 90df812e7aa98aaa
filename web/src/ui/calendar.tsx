import { Popover } from '@base-ui/react/popover'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import type { RefObject } from 'react'
import { DayPicker } from 'react-day-picker'
import { LANGUAGE, t } from '@stint/core/text.ts'
import { Button } from './button.tsx'
import { ICON_BUTTON } from './icon-button.tsx'
import { Icon } from './icon.tsx'

/**
 * A calendar below a field, open while it is mounted. Arrow keys move by days and weeks, Page Up and
 * Page Down by months, with Shift by years. Weeks that begin on Monday have their number by ISO 8601.
 * Dates are 'YYYY-MM-DD'.
 */
export function CalendarPopover({
  anchor,
  date,
  today,
  max,
  weekStart,
  onPick,
  onClose,
}: {
  /** The field with its button. */
  anchor: RefObject<HTMLElement | null>
  /** The chosen date, or ''. */
  date: string
  today: string
  max: string | undefined
  weekStart: number
  onPick: (date: string) => void
  onClose: () => void
}) {
  const popup = useRef<HTMLDivElement>(null)
  const last = max === undefined ? undefined : dayOf(max)
  const pick = (date: string) => {
    onPick(date)
    onClose()
  }
  return (
    <Popover.Root
      open
      onOpenChange={(_, { event, reason }) => {
        // The button closes it itself.
        const isOfField = event.target instanceof Node && anchor.current?.contains(event.target)
        if (reason !== 'outside-press' || !isOfField) onClose()
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          // Most fields are in dialogs, which stay where they are while the page behind them scrolls.
          positionMethod="fixed"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50"
        >
          <Popover.Popup
            ref={popup}
            aria-label={t('Calendar')}
            initialFocus={() => popup.current?.querySelector<HTMLElement>('td [tabindex="0"]')}
            finalFocus={() => anchor.current?.querySelector('button')}
            className="animate-appear rounded-panel border border-line bg-raised p-3 text-ink shadow-float outline-none"
          >
            <DayPicker
              mode="single"
              required
              navLayout="around"
              showOutsideDays
              fixedWeeks
              weekStartsOn={isWeekday(weekStart) ? weekStart : 0}
              ISOWeek={weekStart === 1}
              showWeekNumber={weekStart === 1}
              today={dayOf(today)}
              selected={date === '' ? undefined : dayOf(date)}
              defaultMonth={dayOf(date || today)}
              onSelect={(day) => pick(dateOf(day))}
              {...(last && { disabled: { after: last }, endMonth: last })}
              formatters={FORMATTERS}
              labels={LABELS}
              classNames={CLASSES}
              components={COMPONENTS}
            />
            <Button
              variant="quiet"
              size="small"
              className="mt-1 w-full text-accent hover:text-accent"
              onClick={() => pick(today)}
            >
              {t('Today')}
            </Button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Dates of English are written as elsewhere in Stint. */
const LOCALE = LANGUAGE === 'en' ? 'en-GB' : LANGUAGE
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric' })
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'long' })
const SHORT_WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'short' })
const SPOKEN = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full' })

const FORMATTERS = {
  formatCaption: (month: Date) => MONTH.format(month),
  formatWeekNumber: String,
  formatWeekdayName: (day: Date) => SHORT_WEEKDAY.format(day).replace('.', '').slice(0, 2),
}

const LABELS = {
  labelGrid: (month: Date) => MONTH.format(month),
  labelNav: () => t('Calendar'),
  labelNext: () => t('Next month'),
  labelPrevious: () => t('Previous month'),
  labelWeekday: (day: Date) => WEEKDAY.format(day),
  labelDayButton: (day: Date) => SPOKEN.format(day),
  labelWeekNumber: (number: number) => t('calendar|Week {number}', { number }),
  labelWeekNumberHeader: () => t('Week'),
}

const COMPONENTS = {
  Chevron: ({ orientation }: { orientation?: string }) => (
    <Icon of={orientation === 'left' ? ChevronLeft : ChevronRight} className="size-4" />
  ),
}

const CLASSES = {
  months: 'flex',
  month: 'grid grid-cols-[auto_1fr_auto] items-center gap-y-2',
  month_caption: 'text-center text-sm font-semibold text-ink',
  button_previous: ICON_BUTTON,
  button_next: ICON_BUTTON,
  month_grid: 'col-span-3 border-collapse',
  weekday: 'size-10 pb-1 text-center text-xs font-normal text-quiet md:w-9 md:h-6',
  week_number: 'figures w-6 text-center text-xs font-normal text-quiet',
  day: 'group p-0 text-center',
  day_button:
    'figures size-10 max-[22rem]:size-9 rounded-control text-sm text-ink transition-colors duration-80 hover:not-disabled:bg-wash group-data-outside:text-quiet group-data-today:font-semibold group-data-today:text-accent group-data-selected:bg-accent group-data-selected:text-on-accent group-data-selected:hover:bg-accent-strong disabled:cursor-not-allowed disabled:opacity-40 md:size-9',
}

function isWeekday(day: number): day is 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  return Number.isInteger(day) && day >= 0 && day <= 6
}

/** Returns the date as the day that a clock of this machine shows then. */
function dayOf(date: string): Date {
  return new Date(`${date}T00:00:00`)
}

function dateOf(day: Date): string {
  const midnight = Date.UTC(day.getFullYear(), day.getMonth(), day.getDate())
  return new Date(midnight).toISOString().slice(0, 10)
}
