import { t } from '@stint/core/text.ts'
import {
  addDays,
  addMonths,
  formatWeekdayAndDate,
  monthAndYear,
  shortWeekdayName,
  startOfMonth,
  startOfWeek,
  weekday,
  weekdayName,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { memo, useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

import { classNames } from '#ui/class-names.ts'
import { tint } from '#ui/tint.ts'

/** How a day is drawn, and what is said of it. */
export interface DayMark {
  readonly tint: string
  /** Half a day is half as wide. */
  readonly isWhole: boolean
  readonly text: string
}

interface Props {
  year: number
  weekStart: number
  today: CalendarDate
  marks: ReadonlyMap<CalendarDate, DayMark>
  /** Null: nothing is selected. */
  selected: DateRange | null
  onSelect: (dates: DateRange | null) => void
  /** Called when the selection is made: the button is released, or Enter is pressed. */
  onChoose: () => void
}

const STEPS: Readonly<Record<string, (date: CalendarDate) => CalendarDate>> = {
  ArrowLeft: (date) => addDays(date, -1),
  ArrowRight: (date) => addDays(date, 1),
  ArrowUp: (date) => addDays(date, -7),
  ArrowDown: (date) => addDays(date, 7),
  PageUp: (date) => addMonths(date, -1),
  PageDown: (date) => addMonths(date, 1),
}

/**
 * The twelve months of a year. Days are selected by drawing over them with a mouse, by a press on the first and one on
 * the last, or by keys: arrows move by days and weeks, Page Up and Page Down by months, with Shift they extend, Enter
 * chooses, Escape selects none. One day is a stop of the Tab key.
 */
export function YearGrid(props: Props) {
  const { year, weekStart, today, marks, selected, onSelect, onChoose } = props
  const first: CalendarDate = `${year}-01-01`
  const last: CalendarDate = `${year}-12-31`
  const grid = useRef<HTMLDivElement>(null)
  // Where the selection began, and the day that the keys move.
  const [anchor, setAnchor] = useState<CalendarDate | null>(null)
  const [moved, setMoved] = useState<CalendarDate | null>(null)
  const [draws, setDraws] = useState(false)
  const active = moved !== null && isOf(moved) ? moved : isOf(today) ? today : first

  function isOf(date: CalendarDate): boolean {
    return date >= first && date <= last
  }

  function select(from: CalendarDate, to: CalendarDate) {
    setAnchor(from)
    setMoved(to)
    onSelect(from < to ? rangeOf(from, to) : rangeOf(to, from))
  }

  // A release outside of the grid ends the drawing too.
  useEffect(() => {
    if (!draws) return undefined
    const end = () => {
      setDraws(false)
      onChoose()
    }
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
    return () => {
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
    }
  }, [draws, onChoose])

  /** Begins to draw. A finger that moves scrolls instead: it presses the first day, then the last. */
  function press(event: PointerEvent) {
    const date = dateAt(event)
    if (date === null || event.button !== 0 || event.pointerType !== 'mouse') return
    focusOn(date)
    select(event.shiftKey && anchor !== null ? anchor : date, date)
    setDraws(true)
  }

  /** A press with a finger, a pen, a key or a screen reader. */
  function tap(date: CalendarDate) {
    if (selected === null || isOneDay(selected)) {
      select(selected && anchor !== null ? anchor : date, date)
    } else if (date < selected.from || date >= selected.to) select(date, date)
    onChoose()
  }

  function pressKey(event: KeyboardEvent) {
    if (event.key === 'Escape' && selected) {
      event.stopPropagation()
      setAnchor(null)
      return onSelect(null)
    }
    const step = STEPS[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const from = dateAt(event) ?? active
    const next = step(from)
    if (!isOf(next)) return
    if (event.shiftKey) select(anchor ?? from, next)
    else {
      setAnchor(null)
      setMoved(next)
      onSelect(null)
    }
    focusOn(next)
  }

  function focusOn(date: CalendarDate) {
    grid.current?.querySelector<HTMLElement>(`[data-date="${date}"]`)?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles events of its days, and is none itself
    <div
      ref={grid}
      onPointerDown={press}
      onPointerOver={(event) => {
        const date = draws ? dateAt(event) : null
        if (date !== null && anchor !== null) select(anchor, date)
      }}
      onKeyDown={pressKey}
      className="grid grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] gap-x-6 gap-y-5 select-none"
    >
      {Array.from({ length: 12 }, (_, index) => {
        const month = addMonths(first, index)
        const after = addMonths(month, 1)
        return (
          <Month
            key={month}
            month={month}
            weekStart={weekStart}
            today={today >= month && today < after ? today : null}
            active={active >= month && active < after ? active : null}
            marks={marks}
            selectedFrom={
              selected && selected.from < after && selected.to > month ? selected.from : null
            }
            selectedTo={
              selected && selected.from < after && selected.to > month ? selected.to : null
            }
            onTap={tap}
          />
        )
      })}
    </div>
  )
}

function rangeOf(from: CalendarDate, last: CalendarDate): DateRange {
  return { from, to: addDays(last, 1) }
}

function isOneDay({ from, to }: DateRange): boolean {
  return addDays(from, 1) === to
}

function dateAt({ target }: { target: EventTarget }): CalendarDate | null {
  const date = target instanceof Element ? target.closest<HTMLElement>('[data-date]') : null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written below
  return (date?.dataset['date'] as CalendarDate | undefined) ?? null
}

/** Drawn anew only when something of the month changes. */
const Month = memo(function Month({
  month,
  weekStart,
  today,
  active,
  marks,
  selectedFrom,
  selectedTo,
  onTap,
}: {
  month: CalendarDate
  weekStart: number
  today: CalendarDate | null
  active: CalendarDate | null
  marks: Props['marks']
  selectedFrom: CalendarDate | null
  selectedTo: CalendarDate | null
  onTap: (date: CalendarDate) => void
}) {
  const begin = startOfWeek(month, weekStart)
  const weeks = [0, 1, 2, 3, 4, 5]
    .map((week) => addDays(begin, week * 7))
    .filter((week) => week < addMonths(month, 1))
  const days = [0, 1, 2, 3, 4, 5, 6]
  return (
    <table
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the pattern of ARIA for calendars
      role="grid"
      aria-label={monthAndYear(month)}
      aria-multiselectable
      className="w-full table-fixed border-collapse self-start"
    >
      <caption className="pb-1 text-start text-sm font-semibold">{monthAndYear(month)}</caption>
      <thead>
        <tr>
          {days.map((day) => (
            <th
              key={day}
              scope="col"
              abbr={weekdayName(addDays(begin, day))}
              className="h-6 text-center text-xs font-normal text-quiet"
            >
              {shortWeekdayName(addDays(begin, day)).replace('.', '').slice(0, 2)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week}>
            {days.map((day) => {
              const date = addDays(week, day)
              if (startOfMonth(date) !== month) return <td key={day} aria-hidden />
              const isSelected =
                selectedFrom !== null &&
                selectedTo !== null &&
                date >= selectedFrom &&
                date < selectedTo
              return (
                <td key={day} aria-selected={isSelected} className="p-px">
                  <DayButton
                    date={date}
                    mark={marks.get(date)}
                    isToday={date === today}
                    isActive={date === active}
                    isSelected={isSelected}
                    onTap={onTap}
                  />
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
})

function DayButton({
  date,
  mark,
  isToday,
  isActive,
  isSelected,
  onTap,
}: {
  date: CalendarDate
  mark: DayMark | undefined
  isToday: boolean
  isActive: boolean
  isSelected: boolean
  onTap: (date: CalendarDate) => void
}) {
  const isWeekend = weekday(date) % 6 === 0
  const name = [formatWeekdayAndDate(date, true), ...(isToday ? [t('Today')] : []), mark?.text]
  return (
    <button
      type="button"
      data-date={date}
      tabIndex={isActive ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      aria-label={name.filter(Boolean).join(', ')}
      title={mark?.text}
      onClick={({ nativeEvent }) => {
        if (!isMousePress(nativeEvent)) onTap(date)
      }}
      style={
        mark && !isSelected
          ? { backgroundColor: `color-mix(in oklab, ${tint(mark.tint)} 18%, transparent)` }
          : undefined
      }
      className={classNames(
        'figures relative h-10 w-full overflow-hidden rounded-square text-sm md:h-8',
        isSelected
          ? 'bg-accent text-on-accent'
          : isWeekend && !mark
            ? 'text-quiet hoverable:hover:bg-wash'
            : 'text-ink hoverable:hover:bg-wash',
        isToday && 'font-semibold underline decoration-2 underline-offset-4',
      )}
    >
      {Number(date.slice(8))}
      {mark && (
        <span
          aria-hidden
          style={{ backgroundColor: tint(mark.tint) }}
          className={classNames('absolute bottom-0 start-0 h-1', mark.isWhole ? 'w-full' : 'w-1/2')}
        />
      )}
    </button>
  )
}

/** A mouse has selected the day when it was pressed. Enter and screen readers click without a pointer. */
function isMousePress(event: MouseEvent): boolean {
  return 'pointerType' in event && event.pointerType === 'mouse'
}
