import { memo } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { daysBetween, formatDates } from '@stint/core/time/calendar.ts'
import { exactDuration, spokenDuration } from '@stint/core/time/duration.ts'
import type { Bar, PeriodBars as Bars } from '@stint/core/reports/period-bars.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { Quiet } from '#ui/quiet.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { classNames } from '#ui/class-names.ts'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { useFormats } from '#features/settings/api.ts'
import { HATCHED } from './hatched.ts'
import { withRunning } from './with-running.ts'

/**
 * The bars of a period. A bar's width is relative to the longest, with a minimum of 8 %; it has an
 * hours label only above one hour. A pure component; without `onExplain` it is a static picture.
 */
export function PeriodBars({
  bars,
  color = null,
  isLive = false,
  onExplain,
}: {
  bars: readonly Bar[]
  /** The colour of the task; null for all tasks, which are drawn in the text colour. */
  color?: TaskColor | null
  /** True when the running timer is part of the current bar. */
  isLive?: boolean
  /** Opens the sessions of a bar. */
  onExplain?: ((bar: Bar) => void) | undefined
}) {
  return (
    <Tips
      hideOnPress={onExplain !== undefined}
      renderTip={(key) => {
        const bar = bars[Number(key)]
        return bar && <BarTip bar={bar} isLive={isLive && bar.isCurrent} />
      }}
    >
      <ul className="flex flex-col">
        {bars.map((bar, index) => (
          <BarRow
            key={bar.label}
            place={index}
            color={color === null ? inkOf(bar) : tint(color)}
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
            onPress={onExplain && (() => onExplain(bar))}
          />
        ))}
      </ul>
    </Tips>
  )
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
  /** A CSS colour. */
  color: string
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
  onPress: (() => void) | undefined
}

/**
 * Memoised by its values, so that a running timer re-renders only its own bar, and not every second.
 */
const BarRow = memo(
  function BarRow({ place, spoken, onPress, ...row }: BarRowProps) {
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
            aria-haspopup="dialog"
            aria-label={spoken}
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

function BarPicture(row: Omit<BarRowProps, 'place' | 'spoken' | 'onPress'>) {
  const { color, label, days, widthPercent, hoursLabel, isCurrent, isFuture } = row
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
            style={{ width: `${widthPercent}%`, color }}
            className="flex h-3 origin-left animate-grow overflow-hidden rounded-e-[3px] transition-[width] duration-160 ease-out"
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
function BarFill({
  neighbourPercent,
  neighbourComesFirst,
}: Pick<BarRowProps, 'neighbourPercent' | 'neighbourComesFirst'>) {
  return (
    <>
      {neighbourPercent > 0 && (
        <span
          className={classNames(HATCHED, !neighbourComesFirst && 'order-last')}
          style={{ width: `${neighbourPercent}%` }}
        />
      )}
      <span className="flex-1 bg-current" />
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

/** Returns the colour for all tasks together. The current period is darker. */
function inkOf({ isCurrent }: Bar): string {
  return isCurrent ? 'var(--color-ink)' : 'var(--color-edge)'
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
