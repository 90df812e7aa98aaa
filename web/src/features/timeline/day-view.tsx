import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { useRef } from 'react'
import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { timeInRange, fullHour } from '@stint/core/time/calendar.ts'
import {
  draggedEntry,
  draggedSpan,
  draggedTimes,
  pressedSpan,
} from '@stint/core/reports/day-timeline.ts'
import type { DayBlock, DayTimeline } from '@stint/core/reports/day-timeline.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { entryProblem } from '@stint/core/record/entry-edit.ts'
import { clipIntervals, intervalsBetween } from '@stint/core/time/instant.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { classNames } from '#ui/class-names.ts'
import { useRequestHandler } from '#ui/request.ts'
import { RichText } from '#ui/rich-text.tsx'
import { tint } from '#ui/tint.ts'
import { showToast } from '#ui/toast.tsx'
import { openEditor } from '#hooks/requests.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { HATCHED } from '#ui/hatched.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { sessionRequest } from '#hooks/requests.ts'
import { placeIn, useDayDrag } from './use-day-drag.ts'
import type { DayDrag } from './use-day-drag.ts'

/**
 * The timeline of a day. Every session is a button that opens its editor. With a pointer, sessions can
 * be moved and resized, and empty time can be clicked or dragged to add a session. The editor offers
 * the same by keyboard.
 */
export function DayView({
  timeline,
  gaps,
  breaks,
  dayRule,
  label,
  onAdd,
  taskId,
}: {
  timeline: DayTimeline
  /** Untracked time. */
  gaps: readonly Interval[]
  /** Time marked as a break. */
  breaks: readonly Interval[]
  dayRule: DayRule
  label: string
  /** Opens the editor for empty time. */
  onAdd: (span: Interval) => void
  /** The task of the page. The sessions of other tasks are muted. */
  taskId?: string | undefined
}) {
  const { hourCycle } = useSettings()
  const formats = useFormats()
  const { colors } = useTasks()
  const commands = useRecordCommands()
  const area = useRef<HTMLDivElement>(null)
  const { shown, hours, blocks, nowAt } = timeline
  const length = shown.end - shown.start
  const { drag, onPointerDown } = useDayDrag(area, drop)
  const dragged = drag && spanOf(drag)

  return (
    <div
      style={{ height: `${(length / HOUR) * 3}rem` }}
      className="relative mt-2 mb-3 ms-12 text-xs select-none"
    >
      {hours.map(({ at, hour }) => (
        <div
          key={at}
          style={{ top: percent(at) }}
          className="pointer-events-none absolute inset-x-0 border-t border-line"
        >
          <span className="figures absolute end-full me-2 -translate-y-1/2 whitespace-nowrap text-quiet">
            {fullHour(hour, hourCycle)}
          </span>
        </div>
      ))}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- by keyboard there are the gaps and 'Add to this day' */}
      <div
        ref={area}
        onPointerDown={onPointerDown}
        onClick={press}
        className="absolute inset-0 cursor-cell"
      >
        {breaks.map(({ start, end }) => (
          <Span key={start} style={placed({ start, end })} className={`text-line ${HATCHED}`} />
        ))}
        <ul aria-label={label}>
          {parts(blocks, gaps).map((part) =>
            part.kind === 'gap' ? (
              <li key={part.start} style={placed(part.place)} className={PLACED}>
                <Gap place={part.place} onFill={() => onAdd(part.gap)}>
                  {t('{times}, {duration} untracked', {
                    times: times(part.gap),
                    duration: formats.duration(seconds(part.gap)),
                  })}
                </Gap>
              </li>
            ) : (
              <li
                key={part.block.entry.id}
                style={{ ...placed(part.block.drawn), ...lane(part.block) }}
                className={PLACED}
              >
                <Block
                  block={part.block}
                  color={
                    taskId === undefined || part.block.entry.taskId === taskId
                      ? colors.get(part.block.entry.taskId)
                      : undefined
                  }
                  duration={formats.duration(part.block.seconds)}
                  isDragged={drag?.entryId === part.block.entry.id}
                  isOfAll={taskId === undefined}
                />
              </li>
            ),
          )}
        </ul>
        {dragged && (
          <Span
            style={placed(dragged)}
            className="figures z-20 border border-accent bg-accent-soft/80 px-2 text-ink"
          >
            {times(dragged)} · {formats.duration(seconds(dragged))}
          </Span>
        )}
        {nowAt !== null && (
          <span
            data-day-now=""
            style={{ top: percent(nowAt) }}
            className="pointer-events-none absolute inset-x-0 z-10 h-[1.5px] -translate-y-1/2 bg-ink before:absolute before:top-1/2 before:-start-[3px] before:size-[7px] before:-translate-y-1/2 before:rounded-full before:bg-ink"
          />
        )}
      </div>
    </div>
  )

  function percent(at: number): string {
    return `${Math.round(((at - shown.start) / length) * 1e6) / 1e4}%`
  }

  function placed({ start, end }: Interval): CSSProperties {
    const share = (Math.min(end, shown.end) - Math.max(start, shown.start)) / length
    return { top: percent(Math.max(start, shown.start)), height: `${share * 100}%` }
  }

  function times({ start, end }: Interval): string {
    return `${timeInRange(start, dayRule.timeZone, hourCycle)} – ${timeInRange(end, dayRule.timeZone, hourCycle)}`
  }

  function press(event: MouseEvent) {
    if (event.target instanceof Element && event.target.closest('button')) return
    const at = shown.start + placeIn(event.currentTarget, event, 'down') * length
    const span = pressedSpan(timeline, at, commands.now())
    if (span) onAdd(span)
  }

  function spanOf({ entryId, part, from, to }: DayDrag): Interval | null {
    const now = commands.now()
    const [start, end] = [shown.start + from * length, shown.start + to * length]
    if (entryId === null) return draggedSpan(timeline, start, end, now)
    const entry = entryOf(entryId)
    return entry ? draggedTimes(entry, part, end - start, now) : null
  }

  function drop(dropped: DayDrag) {
    const span = spanOf(dropped)
    if (!span) return
    const entry = entryOf(dropped.entryId)
    if (!entry) {
      onAdd(span)
      return
    }
    if (span.start === entry.startedAt && span.end === entry.endedAt) return
    const now = commands.now()
    const change = draggedEntry(entry, dropped.part, span, now)
    const problem = entryProblem(change.after, now)
    if (problem) showToast({ text: problem.message })
    else {
      const message = t('Session changed to {times}', { times: times(span) })
      void commands.change({ entries: [change] }, message)
    }
  }

  function entryOf(entryId: string | null) {
    return blocks.find(({ entry }) => entry.id === entryId)?.entry
  }
}

const HOUR = 3_600_000
const PLACED = 'absolute inset-x-0 px-px'

function seconds({ start, end }: Interval): number {
  return (end - start) / 1000
}

function lane({ lane, lanes }: DayBlock): CSSProperties {
  return { left: `${(lane / lanes) * 100}%`, right: `${((lanes - lane - 1) / lanes) * 100}%` }
}

type Part =
  | { readonly kind: 'block'; readonly block: DayBlock; readonly start: number }
  | {
      readonly kind: 'gap'
      readonly gap: Interval
      /** The interval where the gap is drawn. */
      readonly place: Interval
      readonly start: number
    }

/** Returns sessions and gaps in the order of the day, which is also the tab order. */
function parts(blocks: readonly DayBlock[], gaps: readonly Interval[]): Part[] {
  const drawn = blocks.map((block) => block.drawn).toSorted((a, b) => a.start - b.start)
  return [
    ...blocks.map((block): Part => ({ kind: 'block', block, start: block.interval.start })),
    ...gaps.map((gap): Part => {
      // A very short session is drawn longer, into the gap, so that it can be clicked.
      const free = intervalsBetween(drawn, gap)
      const place = free.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a), NOWHERE)
      return { kind: 'gap', gap, place, start: gap.start }
    }),
  ]
    .filter((part) => part.kind === 'block' || part.place !== NOWHERE)
    .toSorted((a, b) => a.start - b.start)
}

const NOWHERE: Interval = { start: 0, end: 0 }

function Block({
  block,
  color,
  duration,
  isDragged,
  isOfAll,
}: {
  block: DayBlock
  /** Undefined when the page is about another task. */
  color: string | undefined
  duration: string
  isDragged: boolean
  /** Whether the timeline is that of all tasks, where requested sessions are shown. */
  isOfAll: boolean
}) {
  const element = useRef<HTMLButtonElement>(null)
  const { entry, taskName, isLive, interval, drawn, pauses, startTime, endTime } = block
  const share = (start: number, end: number) =>
    `${((end - start) / (drawn.end - drawn.start)) * 100}%`
  // A block that is drawn below a short one may begin later than its session.
  const from = Math.max(interval.start, drawn.start)
  const startsHere = interval.start === entry.startedAt
  const endsHere = interval.end === entry.endedAt
  // There is room for one line of text. The button's title and label contain all of it.
  const isLow = drawn.end - drawn.start < 0.8 * HOUR
  useRequestHandler(sessionRequest, isOfAll ? entry.id : '', () => {
    element.current?.scrollIntoView({ block: 'center' })
    // The editor gives the focus back to it.
    element.current?.focus({ preventScroll: true })
    openEditor({ kind: 'edit', entryId: entry.id })
  })
  return (
    <button
      ref={element}
      type="button"
      data-entry={isLive ? '' : entry.id}
      title={`${taskName}, ${exactDuration(block.seconds)}`}
      style={{ color: color === undefined ? 'var(--color-edge)' : tint(color) }}
      onClick={() => openEditor(isLive ? { kind: 'timer' } : { kind: 'edit', entryId: entry.id })}
      className={classNames(
        'relative flex size-full overflow-hidden pe-2 ps-3 text-start leading-4',
        startsHere && 'rounded-t-control',
        endsHere && 'rounded-b-control',
        color === undefined
          ? 'bg-wash'
          : 'bg-[color-mix(in_oklab,currentColor_18%,var(--color-surface))]',
        !isLive && 'cursor-grab',
        isDragged && 'opacity-40',
      )}
    >
      <span
        aria-hidden="true"
        style={{
          top: share(drawn.start, from),
          height: share(from, Math.max(from, interval.end)),
        }}
        className="absolute start-0 min-h-1 w-1 bg-current"
      />
      {clipIntervals(pauses, from, drawn.end).map(({ start, end }) => (
        <span
          key={start}
          aria-hidden="true"
          data-mark="pause"
          style={{ top: share(drawn.start, start), height: share(start, end) }}
          className={classNames('absolute inset-x-0 opacity-60', HATCHED)}
        />
      ))}
      <span
        className={classNames(
          'relative flex min-w-0 flex-1 content-start items-start gap-x-2 py-1',
          isLow ? '*:shrink-0' : 'flex-wrap',
          color === undefined ? 'text-quiet' : 'text-ink',
        )}
      >
        <RichText
          text={t('<verb>Edit </verb><session>…</session>')}
          tags={{
            verb: (words) => <span className="sr-only">{words}</span>,
            session: () => (
              <>
                <span dir="auto" className="name max-w-full min-w-0 font-semibold">
                  {taskName}
                </span>
                <span className="sr-only">, </span>
                <span className="figures whitespace-nowrap">
                  {isLive ? t('{start} – now', { start: startTime }) : `${startTime} – ${endTime}`},{' '}
                  {duration}
                </span>
              </>
            ),
          }}
        />
      </span>
      {!isLive && startsHere && <Edge edge="start" className="top-0" />}
      {!isLive && endsHere && <Edge edge="end" className="bottom-0" />}
    </button>
  )
}

function Edge({ edge, className }: { edge: 'start' | 'end'; className: string }) {
  return (
    <span
      aria-hidden="true"
      data-edge={edge}
      className={classNames('absolute inset-x-0 h-1.5 cursor-ns-resize', className)}
    />
  )
}

function Gap({
  place: { start, end },
  onFill,
  children,
}: {
  place: Interval
  onFill: () => void
  children: ReactNode
}) {
  // A gap lower than a line of text shows its text only to assistive technology.
  const isTall = end - start >= HOUR / 3
  return (
    <button
      type="button"
      onClick={onFill}
      className="figures flex size-full items-center overflow-hidden rounded-control border border-dashed border-edge ps-3 leading-4 text-quiet hover:bg-wash hover:text-ink"
    >
      <RichText
        text={t('<verb>Fill </verb><gap>…</gap>')}
        tags={{
          verb: (words) => <span className="sr-only">{words}</span>,
          gap: () => <span className={isTall ? 'name' : 'sr-only'}>{children}</span>,
        }}
      />
    </button>
  )
}

function Span({
  style,
  className,
  children,
}: {
  style: CSSProperties
  className: string
  children?: ReactNode
}) {
  return (
    <div
      aria-hidden="true"
      style={style}
      className={classNames(
        'pointer-events-none absolute inset-x-0 overflow-hidden rounded-control leading-6',
        className,
      )}
    >
      {children}
    </div>
  )
}
