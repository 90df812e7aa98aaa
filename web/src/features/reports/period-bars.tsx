import { memo, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { exactDuration, spokenDuration } from '@stint/core/time/duration.ts'
import type { BarUnit } from '@stint/core/time/period.ts'
import type { BarPart } from '@stint/core/reports/bar-parts.ts'
import type { Bar, GhostBar, PeriodBars as Bars } from '@stint/core/reports/period-bars.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { DividedBar } from '#ui/chart/divided-bar.tsx'
import type { DividedBarProps, Segment } from '#ui/chart/divided-bar.tsx'
import { TipText } from '#ui/chart/marks.tsx'
import { Quiet } from '#ui/quiet.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { classNames } from '#ui/class-names.ts'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { useFormats } from '#hooks/use-formats.ts'
import { otherTasks } from './task-breakdown-grid.tsx'
import { withRunning } from './with-running.ts'

/**
 * The bars of a period. A bar's width is relative to the longest, with a minimum of 8 %; it has an
 * hours label only above one hour. The parts of a bar have tooltips: by pointer, by touch, and by arrow
 * keys on the focused bar. A pure component; without `onPress` it is a static picture.
 */
export function PeriodBars({
  bars,
  ghosts = [],
  color,
  parts = [],
  liveTaskId = null,
  onPress,
}: {
  bars: readonly Bar[]
  /** The same bars of the period before, behind these. */
  ghosts?: readonly GhostBar[]
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
          <PartTip part={ofPart} bar={whole} isLive={isLive(ofPart, whole)} />
        ) : (
          <BarTip
            bar={whole}
            ghost={ghosts[bar ?? -1]}
            isLive={liveTaskId !== null && whole.isCurrent}
          />
        )
      }}
    >
      <ul className="flex flex-col">
        {bars.map((bar, index) => (
          <BarRow
            key={bar.from}
            place={index}
            color={color === undefined ? 'var(--color-edge)' : tint(color)}
            segments={parts[index]?.map((part) => segmentOf(part, bar)) ?? null}
            description={[
              ...(parts[index] ?? []).map(spokenPart),
              ...ghosts.slice(index, index + 1).flatMap(spokenGhost),
              ...(bar.planned ? [plannedText(spokenDuration(bar.planned.seconds))] : []),
            ].join('; ')}
            ghostPercent={rounded(ghosts[index]?.widthPercent ?? 0)}
            isGhostCut={ghosts[index]?.isCut === true}
            plannedPercent={rounded(bar.planned?.widthPercent ?? 0)}
            label={bar.label}
            beside={bar.beside}
            unit={bar.unit}
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

interface BarRowProps extends DividedBarProps {
  /** The tasks of the bar and their shares, as a text. */
  description: string
  label: string
  beside: string | null
  unit: BarUnit
  spoken: string
  onPress: ((event: MouseEvent) => void) | undefined
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

/**
 * Returns the width for a month's name or a year, a day's or a month's name and what is beside it, or a
 * week's name and dates.
 */
function labelWidth({ beside, unit }: Pick<BarRowProps, 'beside' | 'unit'>): string {
  if (beside === null) return 'grid-cols-[2.5rem_minmax(0,1fr)]'
  return unit === 'week'
    ? 'grid-cols-[7rem_minmax(0,1fr)] md:grid-cols-[10.5rem_minmax(0,1fr)]'
    : 'grid-cols-[3.25rem_minmax(0,1fr)] md:grid-cols-[5.5rem_minmax(0,1fr)]'
}

type Picture = Omit<BarRowProps, 'spoken' | 'description' | 'onPress'>

function BarPicture(row: Picture) {
  const { label, beside, isCurrent } = row
  return (
    <>
      <span
        aria-hidden="true"
        className="flex min-w-0 flex-col leading-tight md:flex-row md:items-baseline md:gap-2"
      >
        <span className={classNames('text-sm', isCurrent ? 'font-semibold' : 'text-quiet')}>
          {label}
        </span>{' '}
        {beside !== null && (
          <span className="figures truncate text-xs whitespace-nowrap text-quiet">{beside}</span>
        )}
      </span>{' '}
      <DividedBar {...row} />
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

function PartTip({ part, bar, isLive }: { part: BarPart; bar: Bar; isLive: boolean }) {
  const { dates, seconds, planned } = bar
  return (
    <TipText
      name={nameOfPart(part)}
      figures={withRunning(`${exactDuration(part.seconds)} · ${part.percentLabel}`, isLive)}
      quiet={[
        planned ? `${dates}: ${exactDuration(seconds)}` : dates,
        planned && plannedText(exactDuration(planned.seconds)),
      ]}
    />
  )
}

/** Returns '8 Nov 2026: 2 hours', nothing without work. */
function spokenGhost({ dates, seconds }: GhostBar): string[] {
  return seconds > 0 ? [`${dates}: ${spokenDuration(seconds)}`] : []
}

function plannedText(duration: string): string {
  return t('Planned: {duration}', { duration })
}

function BarTip({
  bar,
  ghost,
  isLive,
}: {
  bar: Bar
  ghost: GhostBar | undefined
  isLive: boolean
}) {
  const { dates, seconds, neighbour, planned } = bar
  return (
    <TipText
      name={dates}
      figures={withRunning(exactDuration(seconds), isLive)}
      quiet={[
        neighbour &&
          t('{duration} of it in {month} ({dates})', {
            duration: exactDuration(neighbour.seconds),
            month: neighbour.month,
            dates: neighbour.dates,
          }),
        ghost && ghost.seconds > 0 && `${ghost.dates}: ${exactDuration(ghost.seconds)}`,
        planned && plannedText(exactDuration(planned.seconds)),
      ]}
    />
  )
}

/**
 * Returns the accessible label, which starts with the visible text: 'Week 5 1–7 Mar 2.0h: 2 hours, 1
 * hour of it in March (1–7 Mar)'.
 */
function spokenBar(bar: Bar): string {
  const { unit, label, beside, dates, hoursLabel, seconds, neighbour } = bar
  const seen = [label, beside, hoursLabel].filter((part) => part !== null).join(' ')
  const total = spokenDuration(seconds)
  const worked = neighbour
    ? t('{total}, {duration} of it in {month} ({dates})', {
        total,
        duration: spokenDuration(neighbour.seconds),
        month: neighbour.month,
        dates: neighbour.dates,
      })
    : total
  const isNamed = unit === 'day' || unit === 'week'
  return isNamed ? `${seen}: ${worked}` : `${seen}: ${dates}, ${worked}`
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
