import { classNames } from '#ui/class-names.ts'
import { HATCHED } from '#ui/hatched.ts'

/** What was planned, around the bar. */
export const OUTLINE = 'rounded-e-[3px] border border-s-0 border-edge'

/** A part of a bar: its CSS colour, null for that of the bar, and its width in percent of the bar. */
export interface Segment {
  readonly color: string | null
  readonly percent: number
}

export interface DividedBarProps {
  /** The number of the bar, from which its parts have the keys of their tooltips: '3-0', '3-1'. */
  readonly place: number
  /** The CSS colour of what has none of its own. */
  readonly color: string
  /** Null for a bar of one part. */
  readonly segments: readonly Segment[] | null
  /** In percent of the space of a bar, as are all widths but those of parts. */
  readonly widthPercent: number
  /** The share of the adjacent period, in percent of the bar. It is hatched. */
  readonly neighbourPercent: number
  readonly neighbourComesFirst: boolean
  /** The width of the bar of the period before, which stands behind, and whether it is longer than drawn. */
  readonly ghostPercent: number
  readonly isGhostCut: boolean
  /** The width of the outline around the bar, 0 without one. */
  readonly plannedPercent: number
  readonly hoursLabel: string | null
  readonly isCurrent: boolean
  readonly isFuture: boolean
}

/** A horizontal bar of parts, with its label after it. Decorative: the row around it says the same. */
export function DividedBar(bar: DividedBarProps) {
  const { widthPercent, ghostPercent, isGhostCut, plannedPercent } = bar
  const { hoursLabel, isCurrent, isFuture } = bar
  return (
    <span aria-hidden="true" className="flex h-full items-center border-s border-edge pe-14">
      <span className="relative flex h-full w-full items-center">
        {ghostPercent > 0 && (
          <span
            data-ghost=""
            style={{ width: `${ghostPercent}%` }}
            className={classNames(
              'absolute h-5 rounded-e-[3px]',
              isGhostCut
                ? 'bg-linear-to-r from-line from-90% to-transparent rtl:bg-linear-to-l'
                : 'bg-line',
            )}
          />
        )}
        {plannedPercent > 0 && (
          <span
            data-planned=""
            style={{ width: `${plannedPercent}%` }}
            className={classNames(OUTLINE, 'absolute h-6')}
          />
        )}
        {isFuture && widthPercent + ghostPercent + plannedPercent === 0 && (
          <span className={classNames(HATCHED, 'h-3 w-full text-line')} />
        )}
        <span
          data-bar=""
          data-tip-anchor=""
          style={{ width: `${widthPercent}%` }}
          className="relative flex h-3 gap-px origin-left animate-grow overflow-hidden rounded-e-[3px] transition-[width] duration-160 ease-out"
        >
          <BarFill {...bar} />
        </span>
        {hoursLabel !== null && (
          <span
            className={classNames(
              'figures absolute text-xs whitespace-nowrap',
              isCurrent ? 'font-semibold' : 'text-quiet',
            )}
            style={{ insetInlineStart: `calc(${labelPercent(bar)}% + 0.5rem)` }}
          >
            {hoursLabel}
          </span>
        )}
      </span>
    </span>
  )
}

/**
 * Returns where the label stands: after its bar, or after those behind it that are a little longer. No outline runs
 * through it, also on a phone, where it has a sixth of the space.
 */
function labelPercent({ widthPercent, ghostPercent, plannedPercent }: DividedBarProps): number {
  return [
    { behind: ghostPercent, room: 12 },
    { behind: plannedPercent, room: 20 },
  ]
    .toSorted((a, b) => a.behind - b.behind)
    .reduce(
      (end, { behind, room }) => (behind > end && behind < end + room ? behind : end),
      widthPercent,
    )
}

/** The part of the adjacent month is hatched, at its end of the bar. */
function BarFill({
  place,
  color,
  segments,
  neighbourPercent,
  neighbourComesFirst,
}: DividedBarProps) {
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
