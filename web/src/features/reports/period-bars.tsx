import { memo, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { daysBetween, formatDates } from '@stint/core/time/calendar.ts'
import { exactDuration, spokenDuration } from '@stint/core/time/duration.ts'
import type { BarPart } from '@stint/core/reports/bar-parts.ts'
import type { Bar, PeriodBars as Bars } from '@stint/core/reports/period-bars.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { Quiet } from '#ui/quiet.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { classNames } from '#ui/class-names.ts'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { useFormats } from '#hooks/use-formats.ts'
import { HATCHED } from '#ui/hatched.ts'
import { otherTasks } from './task-breakdown-grid.tsx'
import { withRunning } from './with-running.ts'

/**
 * The bars of a period. A bar's width is relative to the longest, with a minimum of 8 %; it has an
 * hours label only above one hour. The parts of a bar have tooltips: by pointer, by touch, and by arrow
 * keys on the focused bar. A pure component; without `onPress` it is a static picture.
 */
export function PeriodBars({
  bars,
  color,
  parts = [],
  liveTaskId = null,
  onPress,
}: {
  bars: readonly Bar[]
  /** The colour of the task, where the bars are of one. */
  color?: TaskColor | undefined
  /** The tasks of each bar, where they are of all. */
  parts?: readonly (readonly BarPart[])[]
  /** The task whose running timer is part of the current bar. */
  liveTaskId?: string | null
  /** Called with `isGlance` for the first touch of a bar or a part, which shows its tooltip. */
  onPress?: ((bar: Bar, isGlance: boolean) => void) | undefined
}) {
  const touched = useRef<string | null>(null)

  function press(bar: Bar, { target, nativeEvent }: MouseEvent) {
    const part = target instanceof Element ? target.closest('[data-tip]') : null
    const key = part?.getAttribute('data-tip') ?? null
    const isTouch = 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch'
    const isGlance = isTouch && key !== touched.current
    touched.current = key
    onPress?.(bar, isGlance)
  }

  return (
    <Tips
      renderTip={(key) => {
        const [bar, part] = key.split('-').map(Number)
        const whole = bars[bar ?? -1]
        if (!whole) return null
        const ofPart = parts[bar ?? -1]?.[part ?? -1]
        return ofPart ? (
          <PartTip part={ofPart} dates={whole.dates} isLive={isLive(ofPart, whole)} />
        ) : (
          <BarTip bar={whole} isLive={liveTaskId !== null && whole.isCurrent} />
        )
      }}
    >
      <ul className="flex flex-col">
        {bars.map((bar, index) => (
          <BarRow
            key={bar.label}
            place={index}
            color={color === undefined ? 'var(--color-edge)' : tint(color)}
            segments={parts[index]?.map((part) => segmentOf(part, bar)) ?? null}
            description={(parts[index] ?? []).map(spokenPart).join('; ')}
            label={bar.label}
            days={secondaryLabel(bar)}
            isDay={daysBetween(bar.from, bar.to) === 1}
            spoken={spokenBar(bar)}
            widthPercent={rounded(bar.widthPercent)}
            neighbourPercent={neighbourPercent(bar)}
            neighbourComesFirst={bar.neighbour?.from === bar.from}
            hoursLabel={bar.hoursLabel}
            isCurrent={bar.isCurrent}
            isFuture={bar.isFuture}
            onPress={onPress && ((event) => press(bar, event))}
          />
        ))}
      </ul>
    </Tips>
  )

  function isLive({ taskIds }: BarPart, { isCurrent }: Bar): boolean {
    return isCurrent && liveTaskId !== null && taskIds.includes(liveTaskId)
  }
}

/**
 * The days of a month that are not in its five weeks: '30–31 Aug: 3h 20m, shown with next month's first
 * week'. The caller provides the figure, and the link around its words.
 */
export function LeftoverLine({
  leftover,
  figure,
  nextMonth,
}: {
  leftover: NonNullable<Bars['leftover']>
  figure?: ReactNode
  nextMonth?: (words: string) => ReactNode
}) {
  const { duration } = useFormats()
  return (
    <Quiet>
      <RichText
        text={t(
          "{dates}: <figure>{duration}</figure>, shown with <link>next month's first week</link>",
          { dates: leftover.dates, duration: duration(leftover.seconds) },
        )}
        tags={{
          figure: (words) => figure ?? words,
          link: (words) => nextMonth?.(words) ?? words,
        }}
      />
    </Quiet>
  )
}

interface BarRowProps {
  place: number
  /** The CSS colour of what is not a task's of its own. */
  color: string
  /** The tasks of the bar; null where it is of one. */
  segments: readonly Segment[] | null
  /** The tasks of the bar and their shares, as a text. */
  description: string
  label: string
  days: string | null
  /** True when the bar is one day. */
  isDay: boolean
  spoken: string
  widthPercent: number
  /** The share of the adjacent month, in percent of the bar. */
  neighbourPercent: number
  neighbourComesFirst: boolean
  hoursLabel: string | null
  isCurrent: boolean
  isFuture: boolean
  onPress: ((event: MouseEvent) => void) | undefined
}

/** A part of a bar: its CSS colour, null for the other tasks, and its width in percent of the bar. */
interface Segment {
  readonly color: string | null
  readonly percent: number
}

/**
 * Memoised by its values, so that a running timer re-renders only its own bar, and not every second.
 */
const BarRow = memo(
  function BarRow({ spoken, description, onPress, ...row }: BarRowProps) {
    const { place } = row
    const words = <BarPicture {...row} />
    const classes = classNames(
      'grid h-11 w-full items-center gap-3 rounded-control px-2 text-start md:h-9',
      labelWidth(row),
      row.isCurrent && 'bg-wash',
    )
    return (
      <li className="-mx-2 break-inside-avoid" aria-current={row.isCurrent ? 'date' : undefined}>
        {onPress ? (
          <button
            type="button"
            data-tip={place}
            aria-label={spoken}
            // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- every role has it in ARIA 1.3
            aria-description={description || undefined}
            onClick={onPress}
            className={classNames(classes, 'transition-colors duration-80 hover:bg-wash')}
          >
            {words}
          </button>
        ) : (
          <div data-tip={place} className={classes}>
            <span className="sr-only">{spoken}</span>
            {words}
          </div>
        )}
      </li>
    )
  },
  ({ onPress: onPressA, ...a }, { onPress: onPressB, ...b }) =>
    (onPressA === undefined) === (onPressB === undefined) &&
    JSON.stringify(a) === JSON.stringify(b),
)

/** Returns the width for a month's name, a day's name and date, or a week's name and dates. */
function labelWidth({ days, isDay }: Pick<BarRowProps, 'days' | 'isDay'>): string {
  if (days === null) return 'grid-cols-[2.5rem_minmax(0,1fr)]'
  return isDay
    ? 'grid-cols-[3.25rem_minmax(0,1fr)] md:grid-cols-[5.5rem_minmax(0,1fr)]'
    : 'grid-cols-[6rem_minmax(0,1fr)] md:grid-cols-[10.5rem_minmax(0,1fr)]'
}

type Picture = Omit<BarRowProps, 'spoken' | 'description' | 'onPress'>

function BarPicture(row: Picture) {
  const { label, days, widthPercent, hoursLabel, isCurrent, isFuture } = row
  return (
    <>
      <span
        aria-hidden="true"
        className="flex min-w-0 flex-col leading-tight md:flex-row md:items-baseline md:gap-2"
      >
        <span className={classNames('text-sm', isCurrent ? 'font-semibold' : 'text-quiet')}>
          {label}
        </span>{' '}
        {days !== null && (
          <span className="figures truncate text-xs whitespace-nowrap text-quiet">{days}</span>
        )}
      </span>{' '}
      <span aria-hidden="true" className="flex h-full items-center border-s border-edge pe-11">
        <span className="relative flex h-full w-full items-center">
          {isFuture && widthPercent === 0 && (
            <span className={classNames(HATCHED, 'h-3 w-full text-line')} />
          )}
          <span
            data-bar=""
            data-tip-anchor=""
            style={{ width: `${widthPercent}%` }}
            className="flex h-3 gap-px origin-left animate-grow overflow-hidden rounded-e-[3px] transition-[width] duration-160 ease-out"
          >
            <BarFill {...row} />
          </span>
          {hoursLabel !== null && (
            <span
              className={classNames(
                'figures absolute text-xs whitespace-nowrap',
                isCurrent ? 'font-semibold' : 'text-quiet',
              )}
              style={{ insetInlineStart: `calc(${widthPercent}% + 0.5rem)` }}
            >
              {hoursLabel}
            </span>
          )}
        </span>
      </span>
    </>
  )
}

/** The part of the adjacent month is hatched, at its end of the bar. */
function BarFill({ place, color, segments, neighbourPercent, neighbourComesFirst }: Picture) {
  return (
    <>
      {neighbourPercent > 0 && (
        <span
          className={classNames(HATCHED, !neighbourComesFirst && 'order-last')}
          style={{ width: `${neighbourPercent}%`, color }}
        />
      )}
      {segments === null ? (
        <span className="flex-1" style={{ backgroundColor: color }} />
      ) : (
        segments.map((segment, index) => (
          <span
            // The parts have no identity but their place.
            key={index}
            data-part=""
            data-tip={`${place}-${index}`}
            style={{ flexGrow: segment.percent, backgroundColor: segment.color ?? color }}
            className="min-w-[2px] basis-0"
          />
        ))
      )}
    </>
  )
}

function segmentOf({ color, seconds }: BarPart, bar: Bar): Segment {
  return { color: color && tint(color), percent: rounded((100 * seconds) / bar.seconds) }
}

/** Returns the task's name, or '3 other tasks'. */
export function nameOfPart({ name, taskIds }: BarPart): string {
  return name ?? otherTasks(taskIds.length)
}

/** Returns 'Write report 73%, 1 hour 5 minutes'. */
function spokenPart(part: BarPart): string {
  return `${nameOfPart(part)} ${part.percentLabel}, ${spokenDuration(part.seconds)}`
}

function PartTip({ part, dates, isLive }: { part: BarPart; dates: string; isLive: boolean }) {
  return (
    <>
      <span dir="auto" className="block font-semibold break-words">
        {nameOfPart(part)}
      </span>
      <span className="figures block">
        {withRunning(`${exactDuration(part.seconds)} · ${part.percentLabel}`, isLive)}
      </span>
      <span className="figures block text-quiet">{dates}</span>
    </>
  )
}

function BarTip({ bar, isLive }: { bar: Bar; isLive: boolean }) {
  return (
    <>
      <span className="block font-semibold">{bar.dates}</span>
      <span className="figures block">{withRunning(exactDuration(bar.seconds), isLive)}</span>
      {bar.neighbour && (
        <span className="figures block text-quiet">
          {t('{duration} of it in {month} ({dates})', {
            duration: exactDuration(bar.neighbour.seconds),
            month: bar.neighbour.month,
            dates: bar.neighbour.dates,
          })}
        </span>
      )}
    </>
  )
}

/** Returns the date beside 'Sun', the dates beside 'Week 1', and null beside a month. */
function secondaryLabel(bar: Bar): string | null {
  return daysBetween(bar.from, bar.to) > 7 ? null : formatDates(bar)
}

/**
 * Returns the accessible label, which starts with the visible text: 'Week 5 1–7 Mar 2.0h: 2 hours, 1
 * hour of it in March (1–7 Mar)'.
 */
function spokenBar(bar: Bar): string {
  const { label, dates, hoursLabel, seconds, neighbour } = bar
  const days = secondaryLabel(bar)
  const seen = [label, days, hoursLabel].filter((part) => part !== null).join(' ')
  const total = spokenDuration(seconds)
  const worked = neighbour
    ? t('{total}, {duration} of it in {month} ({dates})', {
        total,
        duration: spokenDuration(neighbour.seconds),
        month: neighbour.month,
        dates: neighbour.dates,
      })
    : total
  return days === null ? `${seen}: ${dates}, ${worked}` : `${seen}: ${worked}`
}

function neighbourPercent({ seconds, neighbour }: Bar): number {
  return neighbour && seconds > 0 ? rounded((100 * neighbour.seconds) / seconds) : 0
}

/**
 * Rounds to 0.01 percent, less than a pixel, so that a running timer does not re-render the bar every
 * second.
 */
function rounded(percent: number): number {
  return Math.round(percent * 100) / 100
}
