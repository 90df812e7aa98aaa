import { MoveHorizontal } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '@stint/core/text.ts'
import { fullHour, hourLabel } from '@stint/core/time/calendar.ts'
import type { HourCycle } from '@stint/core/time/calendar.ts'
import { exactDuration, spokenDuration } from '@stint/core/time/duration.ts'
import type { ActivityDay, ActivitySession } from '@stint/core/reports/task-report.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { BACKDROP, Mark, NowLine, placed } from '#ui/chart/marks.tsx'
import { percent } from '#ui/chart/time-scale.ts'
import { placeAfter } from '#ui/chart/place-after.ts'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import type { EventDay } from '#hooks/pattern-events.tsx'
import { useSettings } from '#hooks/use-settings.ts'
import { HATCHED } from '#ui/hatched.ts'
import { marksOfDay } from './marks.ts'
import type { PatternMark } from './marks.ts'

/**
 * Daily Activity Pattern: seven days of 24 hours, with work in the task's colour and pauses hatched.
 * Arrow keys move between hours; phones scroll by swiping. A pure component; without `onExplain` it is
 * a static picture, exposed as one image to assistive technology.
 */
export function ActivityPattern({
  days,
  events = [],
  color,
  nowPercent = null,
  label = t('Daily Activity Pattern'),
  onExplain,
}: {
  days: readonly ActivityDay[]
  /** What was on in calendars on these days, behind the sessions. */
  events?: readonly EventDay[]
  color: TaskColor
  /** How much of today has passed, 0 to 100, for the line of the current time. */
  nowPercent?: number | null
  label?: string
  /** Opens the sessions of a day. */
  onExplain?: ((day: ActivityDay) => void) | undefined
}) {
  const { hourCycle } = useSettings()
  const isControl = onExplain !== undefined
  const scroller = useRef<HTMLDivElement>(null)
  const firstHour = firstHourOf(days)
  const [place, setPlace] = useState<Place | null>(null)
  const firstDay = days.findIndex((day) => day.sessions.length > 0)
  const focusable = place ?? { day: Math.max(0, firstDay), hour: firstHour }

  // A phone shows a third of the day, so it scrolls to the first hour with work.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    element.scrollLeft = ((firstHour - 1) / HOURS) * element.scrollWidth
  }, [firstHour])

  const move = (to: Place) => {
    setPlace(to)
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-tip="${to.day}-${to.hour}"]`)
    cell?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const day = days[focusable.day]
    const to = placeOfKey(event.key, focusable)
    if (to) move(to)
    else if ((event.key === 'Enter' || event.key === ' ') && day) onExplain?.(day)
    else return
    event.preventDefault()
  }

  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-1.5 text-xs text-quiet md:hidden print:hidden">
        <Icon of={MoveHorizontal} />
        {t('Swipe to see all 24 hours')}
      </p>
      <Tips
        hideOnPress={isControl}
        renderTip={(key) => {
          const [day, hour] = key.split('-').map(Number)
          const sessions = sessionsOfHour(days[day ?? -1], hour ?? -1)
          const said = eventsOf(days[day ?? -1])?.hours[hour ?? -1] ?? []
          return sessions.length + said.length > 0 ? (
            <CellTip sessions={sessions} events={said} />
          ) : null
        }}
      >
        <div
          ref={scroller}
          tabIndex={isControl ? undefined : 0}
          className="overflow-x-auto overscroll-x-contain pb-1"
        >
          <div
            {...(isControl
              ? { role: 'grid', 'aria-label': label, 'aria-readonly': true, onKeyDown }
              : { role: 'img', 'aria-label': `${label}: ${summaryOf(days)}` })}
            className="min-w-[46rem] text-xs text-quiet md:min-w-0"
          >
            <HourRow isControl={isControl} hourCycle={hourCycle} />
            {days.map((day, index) => (
              <DayRow
                key={day.label}
                drawing={drawingOf(day, eventsOf(day), hourCycle)}
                color={tint(color)}
                dayIndex={index}
                focusableHour={focusable.day === index ? focusable.hour : null}
                nowPercent={day.isToday ? nowPercent : null}
                onFocusHour={(hour) => setPlace({ day: index, hour })}
                onPress={onExplain && (() => onExplain(day))}
              />
            ))}
          </div>
        </div>
      </Tips>
      {days.some(hasPause) && <Key />}
    </div>
  )

  function eventsOf(day: ActivityDay | undefined): EventDay | undefined {
    return events.find(({ date }) => date === day?.date)
  }
}

const HOURS = 24

interface Place {
  readonly day: number
  readonly hour: number
}

/** Returns the earliest hour with a session; 8 without one. */
function firstHourOf(days: readonly ActivityDay[]): number {
  const worked = days.flatMap(({ cells }) => cells.filter(({ segments }) => segments.length > 0))
  return worked.length === 0 ? 8 : Math.min(...worked.map(({ hour }) => hour))
}

function placeOfKey(key: string, { day, hour }: Place): Place | null {
  const toHour = placeAfter(key, hour, HOURS - 1)
  const toDay = placeAfter(key, day, 6, 'down')
  if (toHour === null && toDay === null) return null
  return { day: toDay ?? day, hour: toHour ?? hour }
}

/** The hours '00' to '23'. Every third is visible. */
function HourRow({ isControl, hourCycle }: { isControl: boolean; hourCycle: HourCycle }) {
  return (
    <div role={isControl ? 'row' : undefined} className={classNames(ROW, 'h-6')}>
      <span role={isControl ? 'columnheader' : undefined} className={DAY_LABEL}>
        <span className="sr-only">{t('Day')}</span>
      </span>
      {Array.from({ length: HOURS }, (_, hour) => (
        <span key={hour} role={isControl ? 'columnheader' : undefined} className="figures relative">
          <span className={hour % 3 === 0 ? 'absolute start-0' : 'sr-only'}>
            {hourLabel(hour, hourCycle)}
          </span>
        </span>
      ))}
    </div>
  )
}

/** What is drawn for a day, and the accessible label of each of its hours. */
interface DayDrawing extends Pick<ActivityDay, 'label' | 'shortDate' | 'isToday' | 'isFuture'> {
  readonly marks: readonly PatternMark[]
  readonly events: readonly PatternMark[]
  readonly spokenHours: readonly string[]
}

function drawingOf(day: ActivityDay, events: EventDay | undefined, cycle: HourCycle): DayDrawing {
  const { label, shortDate, isToday, isFuture } = day
  const spokenHours = day.cells.map(({ hour }) =>
    [spokenHour(day, hour, cycle), ...(events?.hours[hour] ?? [])].join('; '),
  )
  const drawn = { marks: marksOfDay(day), events: events ? marksOfDay(events) : [] }
  return { label, shortDate, isToday, isFuture, ...drawn, spokenHours }
}

interface DayRowProps {
  drawing: DayDrawing
  /** A CSS colour. */
  color: string
  dayIndex: number
  focusableHour: number | null
  nowPercent: number | null
  onFocusHour: (hour: number) => void
  onPress: (() => void) | undefined
}

const DayRow = memo(
  function DayRow({
    drawing,
    color,
    dayIndex,
    focusableHour,
    nowPercent,
    onFocusHour,
    onPress,
  }: DayRowProps) {
    const { label, shortDate, isToday, isFuture, marks, events, spokenHours } = drawing
    const isControl = onPress !== undefined
    return (
      <div
        role={isControl ? 'row' : undefined}
        className={classNames(ROW, 'h-9 border-b border-line')}
      >
        <span
          role={isControl ? 'rowheader' : undefined}
          className={classNames(DAY_LABEL, isToday && 'font-semibold text-ink')}
        >
          {label}
          <span className="figures font-normal text-quiet">{shortDate}</span>
        </span>
        {Array.from({ length: HOURS }, (_, hour) => (
          <span
            key={hour}
            data-tip={`${dayIndex}-${hour}`}
            {...(isControl && {
              role: 'gridcell',
              'aria-label': spokenHours[hour],
              tabIndex: hour === focusableHour ? 0 : -1,
              onFocus: () => onFocusHour(hour),
              onClick: onPress,
            })}
            className={classNames(
              'relative border-s border-line last:border-e focus-visible:z-20 focus-visible:-outline-offset-1 focus-visible:outline-accent!',
              hour % 6 === 0 && 'border-s-edge/60',
              isControl && marks.length > 0 && 'cursor-pointer',
            )}
          />
        ))}
        <span
          aria-hidden="true"
          style={{ color }}
          className="pointer-events-none absolute inset-y-0 end-0 start-21 z-10"
        >
          {isFuture && <span className={classNames('absolute inset-0 text-line', HATCHED)} />}
          {events.map(({ id, startPercent, widthPercent }) => (
            <span
              key={id}
              data-event=""
              style={placed('across', percent(startPercent), percent(widthPercent))}
              className={classNames(BACKDROP, 'absolute inset-y-0.5 min-w-0.5')}
            />
          ))}
          <span className="absolute inset-x-0 inset-y-2">
            {marks.map(({ id, kind, startPercent, widthPercent }) => (
              <Mark key={id} kind={kind} axis="across" start={startPercent} length={widthPercent} />
            ))}
          </span>
          {nowPercent !== null && <NowLine axis="across" at={`${nowPercent}%`} />}
        </span>
      </div>
    )
  },
  ({ onPress: pressA, onFocusHour: _a, ...a }, { onPress: pressB, onFocusHour: _b, ...b }) =>
    (pressA === undefined) === (pressB === undefined) && JSON.stringify(a) === JSON.stringify(b),
)

/** The day's label stays in place while the hours scroll under it. */
const ROW = 'relative grid grid-cols-[5.25rem_repeat(24,minmax(0,1fr))]'
const DAY_LABEL = 'sticky start-0 z-30 flex items-center gap-1.5 whitespace-nowrap bg-surface pe-2'

function Key() {
  return (
    <p aria-hidden="true" className="flex gap-4 text-xs text-quiet">
      <span className="inline-flex items-center gap-1.5">
        <span className="h-2.5 w-4 rounded-[2px] bg-quiet" /> {t('Work')}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className={classNames(HATCHED, 'h-2.5 w-4 text-quiet')} /> {t('noun|Pause')}
      </span>
    </p>
  )
}

function CellTip({
  sessions,
  events,
}: {
  sessions: readonly ActivitySession[]
  events: readonly string[]
}) {
  const lines = sessions.map((session) => (
    <span key={session.entryId} className="figures block">
      <span className="font-semibold">
        {session.isLive
          ? t('{start} – now', { start: session.startTime })
          : `${session.startTime} – ${session.endTime}`}
      </span>{' '}
      {exactDuration(session.durationSeconds)}
    </span>
  ))
  return [
    ...lines,
    ...events.map((event) => (
      <span key={event} dir="auto" className="figures block break-words text-quiet">
        {event}
      </span>
    )),
  ]
}

function sessionsOfHour(day: ActivityDay | undefined, hour: number): ActivitySession[] {
  const ids = new Set(day?.cells[hour]?.segments.map((segment) => segment.entryId))
  return day?.sessions.filter((session) => ids.has(session.entryId)) ?? []
}

/** Returns the accessible label: the picture in one sentence. */
function summaryOf(days: readonly ActivityDay[]): string {
  const worked = days.filter((day) => day.sessions.length > 0)
  if (worked.length === 0) return t('no sessions')
  return worked
    .map((day) => `${day.spokenDate} ${joined(day.sessions.map(spokenSession))}`)
    .join('; ')
}

/** Returns 'a and b and c'. */
function joined(parts: readonly string[]): string {
  return parts.reduce((first, second) => t('{first} and {second}', { first, second }))
}

function spokenSession({ startTime: start, endTime, isLive }: ActivitySession): string {
  if (isLive) return t('{start} to now', { start })
  const [end = '', days] = endTime.split(' +')
  return days === undefined
    ? t('{start} to {end}', { start, end })
    : t('{start} to {end} plus {days}', { start, end, days })
}

/**
 * Returns the accessible label of an hour: 'Tuesday 17 November 2026, 14:00: 14:05 to 14:50, 45
 * minutes'.
 */
function spokenHour(day: ActivityDay, hour: number, cycle: HourCycle): string {
  const sessions = sessionsOfHour(day, hour).map(
    (session) => `${spokenSession(session)}, ${spokenDuration(session.durationSeconds)}`,
  )
  const isPause =
    sessions.length > 0 && day.cells[hour]?.segments.every((segment) => segment.kind === 'pause')
  const said = sessions.length === 0 ? t('nothing') : sessions.join('; ')
  const sessionsOrPause = isPause ? t('{sessions}, paused', { sessions: said }) : said
  return `${day.spokenDate}, ${fullHour(hour, cycle)}: ${sessionsOrPause}`
}

function hasPause(day: ActivityDay): boolean {
  return day.cells.some((cell) => cell.segments.some((segment) => segment.kind === 'pause'))
}
