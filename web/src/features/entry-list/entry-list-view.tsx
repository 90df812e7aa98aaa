import { memo, useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type {
  Dispatch,
  FocusEvent,
  KeyboardEvent,
  MouseEvent,
  ReactNode,
  SetStateAction,
} from 'react'
import { flushSync } from 'react-dom'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { EntryList, ListedDay } from '@stint/core/reports/entry-list.ts'
import { dayLabel } from '@stint/core/reports/day-timeline.ts'
import { dateOfDay, dayNumber, localDate, spokenDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { FigureButton } from '#ui/chart-section.tsx'
import { classNames } from '#ui/class-names.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { EntryRow } from './entry-row.tsx'
import {
  heightOf,
  slicesBetween,
  topOfDay,
  useHeights,
  useShownPart,
  withRow,
} from './list-layout.ts'
import { allOf, extended, NOTHING_SELECTED, toggled } from './selection.ts'
import type { Selection } from './selection.ts'
import { useBilling } from './use-billing.ts'
import { useMatchingTimer } from './use-matching-timer.ts'

/**
 * The sessions of a list under their days. Only the rows near the window are drawn, and the active
 * one, so that it keeps the focus. Arrow keys move through the rows, with Shift they select a range,
 * Ctrl or Cmd and A selects all, Escape none, and Delete deletes.
 */
export const EntryListView = memo(function EntryListView({
  list,
  filter,
  today,
  overlapping,
  isFiltered,
  selection,
  setSelection,
  onTag,
  onDelete,
  onExplain,
}: {
  list: EntryList
  filter: SessionFilter
  /** An instant of today. Must not change within the day. */
  today: number
  /** The ids of the sessions that overlap another one. */
  overlapping: ReadonlySet<string>
  /** Days of a row or two weigh less than the rows. */
  isFiltered: boolean
  selection: Selection
  setSelection: Dispatch<SetStateAction<Selection>>
  /** Must keep its reference. */
  onTag: (tag: string) => void
  onDelete: () => void
  onExplain: ExplainDay
}) {
  const { entries, days } = list
  const { allTasks, colors } = useTasks()
  const tasks = useMemo(() => new Map(allTasks.map((task) => [task.id, task])), [allTasks])
  const billingOf = useBilling()
  const heights = useHeights()
  const area = useRef<HTMLDivElement>(null)
  const { top, bottom } = useShownPart(area)
  // The active row, and where it was in the list, if it is removed.
  const [last, setLast] = useState({ id: '', index: 0 })
  const hasFocus = useRef(false)
  const active = useMemo(() => {
    const { id, index } = last
    if (id === '' || entries[index]?.id === id) return Math.min(index, entries.length - 1)
    const known = entries.findIndex((entry) => entry.id === id)
    return known < 0 ? Math.min(index, entries.length - 1) : known
  }, [entries, last])

  const shown = useRef({ entries, active })

  useLayoutEffect(() => {
    shown.current = { entries, active }
    // The focused row was removed: the row in its place gets the focus.
    if (hasFocus.current && document.activeElement === document.body) focusRow(active, 'input')
  })

  const select = useCallback(
    (index: number, isRange: boolean) =>
      setSelection((known) => {
        const { entries, active } = shown.current
        const { id = '' } = entries[index] ?? {}
        return isRange ? extended(known, entries, active, index) : toggled(known, id)
      }),
    [setSelection],
  )
  const slices = withRow(slicesBetween(list, heights, top, bottom), list, active)

  function setActive(index: number) {
    setLast({ id: entries[index]?.id ?? '', index })
  }

  function focusRow(index: number, control: 'input' | 'button') {
    area.current?.querySelector<HTMLElement>(`[data-row="${index}"] ${control}`)?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, shiftKey, target } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (event.altKey || !(target instanceof HTMLElement) || !target.closest('[data-row]')) return
    const next = isCommand ? undefined : nextRow(key, active, entries.length)
    if (next !== undefined) {
      flushSync(() => {
        if (shiftKey) setSelection((known) => extended(known, entries, active, next))
        setActive(next)
      })
      focusRow(next, target.matches('input') ? 'input' : 'button')
    } else if (isCommand && key.toLowerCase() === 'a') setSelection(allOf(entries))
    else if (key === 'Escape' && selection.ids.size > 0) setSelection(NOTHING_SELECTED)
    else if (key === 'Delete' && selection.ids.size > 0) onDelete()
    else return
    event.preventDefault()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens in, the rows are the controls
    <div
      ref={area}
      style={{ height: `${heightOf(list, heights)}rem` }}
      onKeyDown={onKeyDown}
      onMouseDown={keepText}
      onFocus={({ target }: FocusEvent) => {
        hasFocus.current = true
        const row = target.closest<HTMLElement>('[data-row]')?.dataset['row']
        if (row !== undefined) setActive(Number(row))
      }}
      onBlur={({ relatedTarget }: FocusEvent) => {
        hasFocus.current = relatedTarget === null
      }}
      className="relative overflow-clip rounded-b-panel"
    >
      {slices.map((slice) => {
        const day = days[slice.day]
        if (!day) return null
        return (
          <Day
            key={day.day}
            day={day}
            filter={filter}
            today={today}
            top={topOfDay(list, slice.day, heights)}
            height={heights.heading + day.count * heights.row}
            heading={heights.heading}
            isActive={active >= day.first && active < day.first + day.count}
            isFiltered={isFiltered}
            onExplain={onExplain}
          >
            {slice.rows.map((index) => {
              const entry = entries[index]
              if (!entry) return null
              return (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  index={index}
                  top={(index - day.first) * heights.row}
                  height={heights.row}
                  place={index - day.first + 1}
                  places={day.count}
                  taskName={nameInReports(tasks.get(entry.taskId))}
                  color={colors.get(entry.taskId)}
                  canContinue={tasks.get(entry.taskId)?.isActive === true}
                  overlaps={overlapping.has(entry.id)}
                  billing={billingOf(entry)}
                  isSelected={selection.ids.has(entry.id)}
                  isActive={index === active}
                  onSelect={select}
                  onTag={onTag}
                />
              )
            })}
          </Day>
        )
      })}
    </div>
  )
})

/** The work of a day, with that of the running session. */
function DayTotal({
  day,
  filter,
  label,
  isActive,
  onExplain,
}: {
  day: ListedDay
  filter: SessionFilter
  label: string
  isActive: boolean
  onExplain: ExplainDay
}) {
  const dayRule = useDayRule()
  const { duration } = useFormats()
  const timer = useMatchingTimer(filter)
  const isOfDay = timer !== null && dayNumber(localDate(timer.startedAt, dayRule)) === day.day
  const live = isOfDay ? timer : null
  const seconds = day.seconds + (live?.durationSeconds ?? 0)
  return (
    <FigureButton
      title={exactDuration(seconds)}
      tabIndex={isActive ? 0 : -1}
      onExplain={() => onExplain(day, label, live)}
    >
      {duration(seconds)}
    </FigureButton>
  )
}

/** Explains the total of a day, of which the running session may be a part. */
type ExplainDay = (day: ListedDay, label: string, live: TimeEntry | null) => void

/** A day with its total and those of its rows that are drawn. */
function Day({
  day,
  filter,
  today,
  top,
  height,
  heading,
  isActive,
  isFiltered,
  onExplain,
  children,
}: {
  day: ListedDay
  filter: SessionFilter
  today: number
  /** Where it is in the list, in rem. */
  top: number
  height: number
  /** The height of its heading, in rem. */
  heading: number
  isActive: boolean
  isFiltered: boolean
  onExplain: ExplainDay
  children: ReactNode
}) {
  const id = useId()
  const dayRule = useDayRule()
  const date = dateOfDay(day.day)
  const label = dayLabel(date, today, dayRule)
  return (
    <section
      aria-labelledby={id}
      style={{ top: `${top}rem`, height: `${height}rem` }}
      className="absolute inset-x-0"
    >
      <header
        style={{ height: `${heading}rem` }}
        className={classNames(
          'flex items-center justify-between gap-4 border-t border-line px-4 text-sm',
          // As large as a thumb needs.
          'max-md:[&>button]:relative max-md:[&>button]:after:absolute max-md:[&>button]:after:-inset-x-3 max-md:[&>button]:after:-inset-y-2',
          isFiltered ? 'text-quiet' : 'bg-wash',
        )}
      >
        <h2 id={id} title={spokenDate(date)} className="font-semibold">
          {label}
        </h2>
        <DayTotal
          day={day}
          filter={filter}
          isActive={isActive}
          onExplain={onExplain}
          label={label}
        />
      </header>
      <ul className="relative">{children}</ul>
    </section>
  )
}

/** A range that is selected with Shift must not select text. */
function keepText(event: MouseEvent) {
  if (event.shiftKey) event.preventDefault()
}

/** Returns the row that a key moves to. */
function nextRow(key: string, row: number, rows: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(row + 1, rows - 1)
    case 'ArrowUp':
      return Math.max(row - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return rows - 1
    default:
      return undefined
  }
}
