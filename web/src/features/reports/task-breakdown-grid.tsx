import { ArrowUpRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration, spokenDuration } from '@stint/core/time/duration.ts'
import type { Counted } from '@stint/core/reports/group-breakdown.ts'
import type { TaskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { useFormats } from '#hooks/use-formats.ts'
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

/**
 * Task Breakdown: 100 squares in the colours of the tasks, in rows of 25 on phones and 50 on wider
 * screens, and the legend. A pure component; without the callbacks it is a static picture.
 */
export function TaskBreakdownGrid({
  parts,
  squares,
  onExplain,
  pathOf,
  isLive = () => false,
}: {
  parts: readonly BreakdownPart[]
  squares: TaskBreakdown['squares']
  /** Opens the sessions of a part. */
  onExplain?: ((part: BreakdownPart) => void) | undefined
  /** Returns the path of a task's analytics; null without one. */
  pathOf?: ((part: BreakdownPart) => string | null) | undefined
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
          return part && <PartTip part={part} isLive={isLive(part)} />
        }}
      >
        <Squares
          colors={squares.map((row) => parts[row ?? -1]?.color ?? null)}
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
              index={index}
              path={pathOf?.(part) ?? null}
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

interface SquaresProps {
  colors: readonly (TaskColor | null)[]
  rows: readonly (number | null)[]
  summary: string
  active: number | null
  onActivate: (row: number | null) => void
  onPress: ((row: number) => void) | undefined
}

/** The squares are one image to assistive technology. Arrow keys move between the tasks. */
const Squares = memo(function Squares({
  colors,
  rows,
  summary,
  active,
  onActivate,
  onPress,
}: SquaresProps) {
  const last = rows.reduce<number>((most, row) => Math.max(most, row ?? -1), -1)
  const isControl = onPress !== undefined && last >= 0

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = rowAfter(event.key, active, last)
    if (next !== null) onActivate(next)
    else if (event.key === 'Enter' && active !== null) onPress?.(active)
    else return
    event.preventDefault()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the legend's buttons do the same
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is made of elements, so there is no image file
      role="img"
      aria-label={summary}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move between the squares; the legend has the same content as text
      tabIndex={isControl ? 0 : undefined}
      className="-m-[1.5px] grid grid-cols-25 rounded-control md:-m-px md:grid-cols-50 lg:-m-[1.5px]"
      onKeyDown={isControl ? onKeyDown : undefined}
      onFocus={(event) => {
        if (isControl && event.currentTarget.matches(':focus-visible')) onActivate(0)
      }}
      onBlur={() => onActivate(null)}
      onPointerOver={(event) => onActivate(rowUnder(event.target))}
      onPointerLeave={() => onActivate(null)}
      onClick={(event) => {
        const row = rowUnder(event.target)
        if (row !== null) onPress?.(row)
      }}
    >
      {colors.map((color, square) => (
        <Square
          // Squares have no identity but their place.
          key={square}
          color={color}
          row={rows[square] ?? null}
          isDimmed={active !== null && rows[square] !== active}
          isPressable={onPress !== undefined}
        />
      ))}
    </div>
  )
}, sameSquares)

function sameSquares(a: SquaresProps, b: SquaresProps): boolean {
  return (
    a.summary === b.summary &&
    a.active === b.active &&
    (a.onPress === undefined) === (b.onPress === undefined) &&
    a.rows.every((row, square) => row === b.rows[square]) &&
    a.colors.every((color, square) => color === b.colors[square])
  )
}

/** The gap is padding inside the square, so that the pointer is always over a square. */
const Square = memo(function Square(props: {
  color: TaskColor | null
  row: number | null
  isDimmed: boolean
  isPressable: boolean
}) {
  const { color, row, isDimmed, isPressable } = props
  const style: CSSProperties = color === null ? {} : { backgroundColor: tint(color) }
  return (
    <span
      data-square={row ?? ''}
      data-tip={row ?? undefined}
      style={style}
      className={classNames(
        'aspect-square rounded-[3.5px] bg-empty bg-clip-content p-[1.5px] transition-opacity duration-80 md:p-px lg:p-[1.5px]',
        isDimmed && row !== null && 'opacity-25',
        isPressable && row !== null && 'cursor-pointer',
      )}
    />
  )
})

function rowUnder(target: EventTarget): number | null {
  const row = target instanceof Element ? target.getAttribute('data-square') : null
  return row === null || row === '' ? null : Number(row)
}

/** Returns the task that a key moves to; null for other keys. */
function rowAfter(key: string, active: number | null, last: number): number | null {
  const at = active ?? -1
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(at + 1, last)
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

function PartTip({ part, isLive }: { part: BreakdownPart; isLive: boolean }) {
  return (
    <>
      <span dir="auto" className="block font-semibold break-words">
        {part.name}
      </span>
      <span className="figures">
        {withRunning(`${exactDuration(part.seconds)} · ${part.percentLabel}`, isLive)}
      </span>
    </>
  )
}

interface LegendRowProps {
  part: BreakdownPart
  index: number
  path: string | null
  isLive: boolean
  isActive: boolean
  onActivate: (row: number | null) => void
  onExplain: ((part: BreakdownPart) => void) | undefined
}

function LegendRow({ part, index, path, isLive, isActive, onActivate, onExplain }: LegendRowProps) {
  const { duration } = useFormats()
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
        {duration(part.seconds)}
      </span>
      <span className="figures w-10 shrink-0 text-end">{part.percentLabel}</span>
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
      {onExplain && <LegendLink path={path} name={part.name} />}
    </li>
  )
}

/** The link to a task's analytics, or an empty space of the same width. */
function LegendLink({ path, name }: { path: string | null; name: string }) {
  if (path === null) return <span className="w-9 shrink-0" />
  return (
    <Link
      to={path}
      title={t('Open task analytics')}
      aria-label={t('Open task analytics of {task}', { task: name })}
      className="inline-flex h-11 w-9 shrink-0 items-center justify-center rounded-control text-quiet hover:text-ink md:h-8 print:hidden"
    >
      <Icon of={ArrowUpRight} />
    </Link>
  )
}
