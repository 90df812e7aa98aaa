import { Ban, Coffee, Undo2 } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { useRef } from 'react'
import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { fullHour } from '@stint/core/time/calendar.ts'
import {
  draggedEntry,
  draggedSpan,
  draggedTimes,
  pressedSpan,
} from '@stint/core/reports/day-timeline.ts'
import type { DayBlock, DayTimeline } from '@stint/core/reports/day-timeline.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { GapRow } from '@stint/core/record/decided-gaps.ts'
import { entryProblem } from '@stint/core/record/entry-edit.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { inLane, NowLine, placed, SessionMarks, TipText } from '#ui/chart/marks.tsx'
import { placeLabels } from '#ui/chart/place-labels.ts'
import { timeScale } from '#ui/chart/time-scale.ts'
import { classNames } from '#ui/class-names.ts'
import { HATCHED } from '#ui/hatched.ts'
import { Icon } from '#ui/icon.tsx'
import { useRequestHandler } from '#ui/request.ts'
import { RichText } from '#ui/rich-text.tsx'
import { Dot } from '#ui/row.tsx'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { showToast } from '#ui/toast.tsx'
import { openEditor, sessionRequest } from '#hooks/requests.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { placeIn, useDayDrag } from './use-day-drag.ts'
import type { DayDrag } from './use-day-drag.ts'
import type { DecidedGaps } from './use-decided-gaps.ts'

/**
 * The timeline of a day: the sessions on a rail, each as long as it was, with its label beside it.
 * Every session is a button that opens its editor, and every gap has its actions. With a pointer,
 * sessions can be moved and resized, and empty time can be pressed or dragged over to add a session.
 * The editor offers the same by keyboard.
 */
export function DayView({
  timeline,
  gaps,
  dayRule,
  label,
  durations,
  onAdd,
  decide,
  taskId,
  renderLayer,
}: {
  timeline: DayTimeline
  /** Untracked time, and what was decided about it. */
  gaps: readonly GapRow[]
  dayRule: DayRule
  label: string
  /** The work of each block as it is shown, which add up to the day's total. */
  durations: readonly string[]
  /** Opens the editor for empty time. */
  onAdd: (span: Interval) => void
  decide: Pick<DecidedGaps, 'decide' | 'remove'>
  /** The task of the page. The sessions of other tasks are muted. */
  taskId?: string | undefined
  /** Renders what is drawn on the axis besides sessions and gaps; gets the place of an instant, in rem. */
  renderLayer?: (at: (instant: number) => number) => ReactNode
}) {
  const { hourCycle } = useSettings()
  const formats = useFormats()
  const { colors } = useTasks()
  const commands = useRecordCommands()
  const area = useRef<HTMLDivElement>(null)
  const { shown, hours, blocks, nowAt } = timeline
  const shownHours = shown.reduce((sum, { start, end }) => sum + (end - start) / HOUR, 0)
  const hourLength = Math.min(MAX_HOUR, Math.max(MIN_HOUR, DAY_LENGTH / shownHours))
  const scale = timeScale(shown, hourLength, FOLD)
  const parts = withLabels(blocks, gaps, scale)
  const { drag, onPointerDown } = useDayDrag(area, drop)
  const dragged = drag && spanOf(drag)

  return (
    <Tips
      hideOnPress
      className="ms-12 mt-2 mb-3 text-xs select-none"
      renderTip={(key) => {
        const block = blocks.find(({ entry }) => entry.id === key)
        if (!block || drag) return null
        const figures = `${timesOf(block)} · ${exactDuration(block.seconds)}`
        return <TipText name={block.taskName} figures={figures} />
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- by keyboard there are the gaps and 'Add to this day' */}
      <div
        ref={area}
        onPointerDown={onPointerDown}
        onClick={press}
        style={{ height: rem(scale.length) }}
        className="@container relative cursor-cell [--beside:calc(100cqi-var(--rail)-0.75rem)] [--rail:clamp(3.5rem,15cqi,9rem)]"
      >
        {hours.map(({ at, hour }) => (
          <div
            key={at}
            style={{ top: rem(scale.at(at)) }}
            className="pointer-events-none absolute inset-x-0 border-t border-line"
          >
            <span className="figures absolute end-full me-2 -translate-y-1/2 whitespace-nowrap text-quiet">
              {fullHour(hour, hourCycle)}
            </span>
          </div>
        ))}
        {shown.slice(1).map(({ start }) => (
          <span
            key={start}
            aria-hidden="true"
            style={placed('down', rem(scale.at(start) - FOLD), rem(FOLD))}
            className="pointer-events-none absolute -start-8 w-4 bg-[radial-gradient(circle,var(--color-edge)_1px,transparent_1.5px)] bg-size-[100%_0.5rem]"
          />
        ))}
        {renderLayer?.(scale.at)}
        <ul aria-label={label}>
          {parts.map((part) =>
            part.row ? (
              <Gap
                key={part.start}
                row={part.row}
                place={part}
                times={timesIn(part.row.interval)}
                duration={formats.duration(seconds(part.row.interval))}
                onFill={onAdd}
                {...decide}
              />
            ) : (
              <li key={part.block.entry.id}>
                <Session
                  block={part.block}
                  place={part}
                  color={
                    taskId === undefined || part.block.entry.taskId === taskId
                      ? colors.get(part.block.entry.taskId)
                      : undefined
                  }
                  times={timesOf(part.block)}
                  duration={durations[blocks.indexOf(part.block)] ?? ''}
                  isDragged={drag?.entryId === part.block.entry.id}
                  isOfAll={taskId === undefined}
                />
              </li>
            ),
          )}
        </ul>
        {dragged && (
          <div
            aria-hidden="true"
            data-dragged=""
            style={placed('down', rem(scale.at(dragged.start)), rem(lengthOf(dragged)))}
            className="figures pointer-events-none absolute inset-x-0 z-30 overflow-hidden rounded-control border border-accent bg-accent-soft/80 px-2 leading-6 text-ink"
          >
            {timesIn(dragged)} · {formats.duration(seconds(dragged))}
          </div>
        )}
        {nowAt !== null && <NowLine axis="down" at={rem(scale.at(nowAt))} />}
      </div>
    </Tips>
  )

  function lengthOf({ start, end }: Interval): number {
    return scale.at(end) - scale.at(start)
  }

  function timesIn({ start, end }: Interval): string {
    const [from, to] = [start, end].map((at) => formats.timeInRange(at, dayRule.timeZone))
    return `${from} – ${to}`
  }

  function press(event: MouseEvent) {
    if (event.target instanceof Element && event.target.closest('button')) return
    const at = scale.moment(placeIn(event.currentTarget, event, 'down') * scale.length)
    const span = pressedSpan(timeline, at, commands.now())
    if (span) onAdd(span)
  }

  function spanOf({ entryId, part, from, to }: DayDrag): Interval | null {
    const now = commands.now()
    const [start = 0, end = 0] = [from, to].map((place) => scale.moment(place * scale.length))
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
      const message = t('Session changed to {times}', { times: timesIn(span) })
      void commands.change({ entries: [change] }, message)
    }
  }

  function entryOf(entryId: string | null) {
    return blocks.find(({ entry }) => entry.id === entryId)?.entry
  }
}

const HOUR = 3_600_000

/** Lengths on the axis, in rem. */
const DAY_LENGTH = 36
const MIN_HOUR = 3
const MAX_HOUR = 6
const FOLD = 2
const LABEL = 1.5
/** A label of a session this long has two lines on phones. */
const TALL_LABEL = 2.5
/** How far a label may be from its session or gap. */
const MAX_SHIFT = 3
/** A session this long can be resized by its edges. */
const MIN_RESIZED = 1.25

function rem(length: number): string {
  return `${Math.round(length * 1e4) / 1e4}rem`
}

function seconds({ start, end }: Interval): number {
  return (end - start) / 1000
}

function timesOf({ isLive, startTime: start, endTime }: DayBlock): string {
  return isLive ? t('{start} – now', { start }) : `${start} – ${endTime}`
}

/** Where a session or a gap and its label are on the axis, in rem. */
interface Place {
  readonly start: number
  readonly length: number
  readonly height: number
  /** The start of the label; null if it has no room. */
  readonly label: number | null
}

type Part = Place &
  (
    | { readonly block: DayBlock; readonly row?: undefined }
    | { readonly row: GapRow; readonly block?: undefined }
  )

/** Returns sessions and gaps with their labels, in the order of the day, which is also the tab order. */
function withLabels(
  blocks: readonly DayBlock[],
  gaps: readonly GapRow[],
  scale: ReturnType<typeof timeScale>,
): Part[] {
  const parts = [
    ...blocks.map((block) => ({ block, interval: block.interval })),
    ...gaps.map((row) => ({ row, interval: row.interval })),
  ]
    .toSorted((a, b) => a.interval.start - b.interval.start)
    .map(({ interval, ...part }) => {
      const start = scale.at(interval.start)
      const length = scale.at(interval.end) - start
      const height = 'block' in part && length >= TALL_LABEL ? TALL_LABEL : LABEL
      return { ...part, start, length, height, weight: interval.end - interval.start }
    })
  const labels = placeLabels(
    parts.map(({ start, length, height, weight, ...part }) => {
      // Beside the start of a long session, and beside the middle of all else.
      const isMiddle = 'row' in part || length < height
      return { at: isMiddle ? start + (length - height) / 2 : start, height, weight }
    }),
    scale.length,
    MAX_SHIFT,
  )
  return parts.map((part, index) => ({ ...part, label: labels[index] ?? null }))
}

/** The style of a label: beside the rail. Its texts stand over the lines of the hours and of the current time. */
const BESIDE = 'absolute z-20 flex w-(--beside) items-center gap-x-2 @xl:gap-x-3'

function Session({
  block,
  place: { start, length, height, label },
  color,
  times,
  duration,
  isDragged,
  isOfAll,
}: {
  block: DayBlock
  place: Place
  /** Undefined when the page is about another task. */
  color: string | undefined
  times: string
  duration: string
  isDragged: boolean
  /** Whether the timeline is that of all tasks, where requested sessions are shown. */
  isOfAll: boolean
}) {
  const element = useRef<HTMLButtonElement>(null)
  const { entry, taskName, isLive, interval, pauses, lane, lanes } = block
  const isResized = !isLive && length >= MIN_RESIZED
  useRequestHandler(sessionRequest, isOfAll ? entry.id : '', () => {
    element.current?.scrollIntoView({ block: 'center' })
    // The editor gives the focus back to it.
    element.current?.focus({ preventScroll: true })
    openEditor({ kind: 'edit', entryId: entry.id })
  })
  const beside: CSSProperties = {
    top: rem((label ?? start) - start),
    minHeight: rem(height),
    insetInlineStart: `calc(var(--rail) * ${(lanes - lane) / lanes} + 0.75rem)`,
  }
  return (
    <div
      style={placed('down', rem(start), rem(length))}
      className="pointer-events-none absolute start-0 w-(--rail)"
    >
      <button
        ref={element}
        type="button"
        data-entry={isLive ? '' : entry.id}
        data-tip={entry.id}
        style={{
          ...inLane('down', { lane, lanes }),
          color: color === undefined ? 'var(--color-line)' : tint(color),
        }}
        onClick={() => openEditor(isLive ? { kind: 'timer' } : { kind: 'edit', entryId: entry.id })}
        className={classNames(
          'group pointer-events-auto absolute h-full min-h-0.5 border-s border-surface text-start',
          !isLive && 'cursor-grab',
          isDragged && 'opacity-40',
        )}
      >
        <SessionMarks axis="down" interval={interval} pauses={pauses} />
        <span
          style={beside}
          className={classNames(
            label === null ? 'sr-only' : BESIDE,
            'leading-4',
            height === TALL_LABEL && '@max-xl:flex-wrap @max-xl:content-center',
            color === undefined ? 'text-quiet' : 'text-ink',
          )}
        >
          <Dot tintName={color} />
          <RichText
            text={t('<verb>Edit </verb><session>…</session>')}
            tags={{
              verb: (words) => <span className="sr-only">{words}</span>,
              session: () => (
                <>
                  <span className="flex min-w-0 flex-1">
                    <span
                      dir="auto"
                      className="name bg-surface font-semibold group-hover:underline"
                    >
                      {taskName}
                    </span>
                  </span>
                  <span className="sr-only">, </span>
                  <span
                    className={classNames(
                      'figures bg-surface whitespace-nowrap text-quiet @xl:w-44',
                      height === TALL_LABEL
                        ? '@max-xl:order-last @max-xl:basis-full'
                        : '@max-xl:sr-only',
                    )}
                  >
                    {times}
                  </span>
                  <span className="sr-only">, </span>
                  <span className="figures bg-surface whitespace-nowrap @xl:-ms-3 @xl:min-w-24 @xl:text-end">
                    {duration}
                  </span>
                </>
              ),
            }}
          />
        </span>
        {isResized && interval.start === entry.startedAt && <Edge edge="start" className="top-0" />}
        {isResized && interval.end === entry.endedAt && <Edge edge="end" className="bottom-0" />}
      </button>
    </div>
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

/** Untracked time and its actions, or what was decided about it. */
function Gap({
  row: { interval, decided },
  place: { start, length, height, label },
  times,
  duration,
  onFill,
  decide,
  remove,
}: {
  row: GapRow
  place: Place
  times: string
  duration: string
  onFill: (gap: Interval) => void
} & Pick<DecidedGaps, 'decide' | 'remove'>) {
  const top = label ?? start
  const box = (
    <span
      aria-hidden="true"
      style={placed('down', rem(start - top), rem(length))}
      className={classNames(
        'absolute end-[calc(100%+0.75rem)] w-(--rail)',
        decided?.decision === 'break' && `text-line ${HATCHED}`,
        !decided && 'rounded-[3px] border border-dashed border-edge group-hover:bg-wash',
      )}
    />
  )
  const act = (icon: LucideIcon, words: string, run: () => void) => (
    <Action icon={icon} words={words} times={times} onPress={run} />
  )
  return (
    <li
      tabIndex={-1}
      style={{
        top: rem(top),
        minHeight: rem(height),
        insetInlineStart: 'calc(var(--rail) + 0.75rem)',
      }}
      className={classNames(BESIDE, 'group/gap figures rounded-control text-quiet')}
    >
      {decided ? (
        <>
          {box}
          <span className="name min-w-0 bg-surface">
            <RichText
              text={
                decided.decision === 'break'
                  ? t('<times>{times} · </times>{duration} · break', { times, duration })
                  : t('<times>{times} · </times>{duration} · ignored', { times, duration })
              }
              tags={{ times: wide }}
            />
          </span>
          <span className="print:hidden">{act(Undo2, t('Undo'), () => void remove(decided))}</span>
        </>
      ) : (
        <>
          <button
            type="button"
            onClick={() => onFill(interval)}
            className={classNames(
              'group min-w-0 rounded-control leading-6 hover:text-ink',
              label === null && 'text-transparent',
            )}
          >
            {box}
            <span className="name block">
              <RichText
                text={t(
                  '<verb>Fill </verb><times>{times}, </times>{duration}<what> untracked</what>',
                  {
                    times,
                    duration,
                  },
                )}
                tags={{
                  verb: (words) => <span className="sr-only">{words}</span>,
                  times: wide,
                  what: (words) => <span className="@max-[16rem]:sr-only">{words}</span>,
                }}
              />
            </span>
          </button>
          {label !== null && (
            <span className="flex shrink-0 hoverable:not-group-focus-within/gap:not-group-hover/gap:opacity-0 print:hidden">
              {act(Coffee, t('Mark as break'), () => void decide(interval, 'break'))}
              {act(Ban, t('Ignore'), () => void decide(interval, 'ignored'))}
            </span>
          )}
        </>
      )}
    </li>
  )
}

/** Narrow screens have no room for it. */
function wide(words: string) {
  return <span className="@max-xl:sr-only">{words}</span>
}

/** An action on a gap: an icon on narrow screens. */
function Action({
  icon,
  words,
  times,
  onPress,
}: {
  icon: LucideIcon
  words: string
  times: string
  onPress: () => void
}) {
  return (
    <button
      type="button"
      title={words}
      onClick={(event) => {
        // The button may be replaced by another, so the focus moves to its row first.
        event.currentTarget.closest('li')?.focus()
        onPress()
      }}
      className="inline-flex h-6 min-w-7 items-center justify-center gap-1 rounded-control px-1.5 hover:bg-wash hover:text-ink"
    >
      <Icon of={icon} className="size-3.5" />
      {wide(words)}
      <span className="sr-only"> {times}</span>
    </button>
  )
}
