import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration, spokenDuration } from '@stint/core/time/duration.ts'
import type { Counted } from '@stint/core/reports/group-breakdown.ts'
import type { TaskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { TipText } from '#ui/chart/marks.tsx'
import { Squares } from '#ui/chart/squares.tsx'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { withRunning } from './with-running.ts'

/** What a square or a row of the legend represents. */
export interface BreakdownPart {
  readonly key: string
  readonly name: string
  /** The sessions that it counts. */
  readonly counted: Counted
  readonly seconds: number
  /** Undefined for what the breakdown does not name. */
  readonly color: TaskColor | undefined
  readonly percentLabel: string
}

/** A page that has more of a part. */
export interface PartLink {
  readonly path: string
  readonly title: string
  /** The title with the name of the part. */
  readonly label: string
}

/**
 * Task Breakdown: 100 squares in the colours of the tasks, in rows of 25 on phones and 50 on wider
 * screens, and the legend. A pure component; without the callbacks it is a static picture.
 */
export function TaskBreakdownGrid({
  parts,
  squares,
  durations,
  onExplain,
  linkOf,
  isLive = () => false,
}: {
  parts: readonly BreakdownPart[]
  squares: TaskBreakdown['squares']
  /** The time of each part as it is shown. */
  durations: readonly string[]
  /** Opens the sessions of a part. */
  onExplain?: ((part: BreakdownPart) => void) | undefined
  /** Returns the page of a part; null without one. */
  linkOf?: ((part: BreakdownPart) => PartLink | null) | undefined
  /** Returns whether the running timer is part of the figure. */
  isLive?: ((part: BreakdownPart) => boolean) | undefined
}) {
  const [active, setActive] = useState<number | null>(null)

  return (
    <div className="flex flex-col gap-5">
      <Tips
        hideOnPress={onExplain !== undefined}
        renderTip={(key) => {
          const part = parts[Number(key)]
          if (!part) return null
          const figures = `${exactDuration(part.seconds)} · ${part.percentLabel}`
          return <TipText name={part.name} figures={withRunning(figures, isLive(part))} />
        }}
      >
        <Squares
          colors={squares.map((row) => colorOf(parts[row ?? -1]))}
          rows={squares}
          summary={summaryOf(parts)}
          active={active}
          onActivate={setActive}
          onPress={
            onExplain &&
            ((index) => {
              const part = parts[index]
              if (part) onExplain(part)
            })
          }
        />
      </Tips>
      {parts.length > 0 && (
        <ul className="text-sm lg:columns-2 lg:gap-x-10">
          {parts.map((part, index) => (
            <LegendRow
              key={part.key}
              part={part}
              duration={durations[index] ?? ''}
              index={index}
              link={linkOf?.(part) ?? null}
              isLive={isLive(part)}
              isActive={index === active}
              onActivate={setActive}
              onExplain={onExplain}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Returns the CSS colour of a square; null without one. */
function colorOf(part: BreakdownPart | undefined): string | null {
  return part?.color === undefined ? null : tint(part.color)
}

/** Returns the rows of the legend: the tasks by time, then the remaining ones as one row. */
export function breakdownParts({ rows, rest }: TaskBreakdown): BreakdownPart[] {
  const parts = rows.map(({ taskId, ...row }): BreakdownPart => {
    return { key: taskId, counted: { taskIds: [taskId] }, ...row }
  })
  if (!rest) return parts
  const { taskIds, ...others } = rest
  return [...parts, { ...others, ...REST, counted: { taskIds }, name: otherTasks(taskIds.length) }]
}

/** Returns '3 other tasks'. */
export function otherTasks(count: number): string {
  return t('{count, plural, one {{count} other task} other {{count} other tasks}}', { count })
}

/** A part for what the breakdown does not name. No other key has a space at its start. */
export const REST = { key: ' rest', color: undefined } as const

/** Returns the accessible label: the picture in one sentence. */
function summaryOf(parts: readonly BreakdownPart[]): string {
  if (parts.length === 0) return t('Task Breakdown: no task data')
  const shares = parts.map(
    ({ name, percentLabel, seconds }) => `${name} ${percentLabel}, ${spokenDuration(seconds)}`,
  )
  return t('Task Breakdown: {shares}', { shares: shares.join('; ') })
}

interface LegendRowProps {
  part: BreakdownPart
  duration: string
  index: number
  link: PartLink | null
  isLive: boolean
  isActive: boolean
  onActivate: (row: number | null) => void
  onExplain: ((part: BreakdownPart) => void) | undefined
}

function LegendRow(props: LegendRowProps) {
  const { part, duration, index, link, isLive, isActive, onActivate, onExplain } = props
  const highlight = {
    onPointerEnter: () => onActivate(index),
    onPointerLeave: () => onActivate(null),
    onFocus: () => onActivate(index),
    onBlur: () => onActivate(null),
  }
  const words = (
    <>
      <Dot tintName={part.color} />
      <Name text={part.name} className="flex-1" />
      <span className="figures w-20 shrink-0 text-end whitespace-nowrap text-quiet">
        {duration}
      </span>
      <span className="figures min-w-10 shrink-0 text-end whitespace-nowrap">
        {part.percentLabel}
      </span>
    </>
  )
  return (
    <li
      className={classNames(
        '-mx-2 flex h-11 break-inside-avoid items-center rounded-control md:h-9',
        isActive && 'bg-wash',
      )}
    >
      {onExplain ? (
        <button
          {...highlight}
          type="button"
          aria-haspopup="dialog"
          title={withRunning(exactDuration(part.seconds), isLive)}
          onClick={() => onExplain(part)}
          className="flex h-full min-w-0 flex-1 items-center gap-2.5 rounded-control ps-2 text-start md:pe-1"
        >
          {words}
        </button>
      ) : (
        <span className="flex min-w-0 flex-1 items-center gap-2.5 px-2">{words}</span>
      )}
      {onExplain && <LegendLink link={link} />}
    </li>
  )
}

/** The link to the page of a part, or an empty space of the same width. */
function LegendLink({ link }: { link: PartLink | null }) {
  if (link === null) return <span className="w-9 shrink-0" />
  return (
    <Link
      to={link.path}
      title={link.title}
      aria-label={link.label}
      className="inline-flex h-11 w-9 shrink-0 items-center justify-center rounded-control text-quiet hover:text-ink md:h-8 print:hidden"
    >
      <Icon of={ArrowUpRight} />
    </Link>
  )
}
