import { memo, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { hourLabel } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { clipIntervals } from '@stint/core/time/instant.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { gapRows } from '@stint/core/record/decided-gaps.ts'
import { untrackedGaps } from '@stint/core/reports/day-gaps.ts'
import {
  draggedSpan,
  freeTimeAt,
  pressedSpan,
  todayTimeline,
} from '@stint/core/reports/day-timeline.ts'
import type { DayBlock } from '@stint/core/reports/day-timeline.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { tint } from '#ui/tint.ts'
import { Tips } from '#ui/tips.tsx'
import { openEditor } from '#hooks/requests.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { DAY_TIMELINE } from '#hooks/use-day.ts'
import { useMinuteInput, useReport } from '#hooks/use-report.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { placeIn, useDayDrag } from './use-day-drag.ts'
import type { DayDrag } from './use-day-drag.ts'
import { useDecidedGaps } from './use-decided-gaps.ts'
import { useTickingInput } from './use-ticking-input.ts'

/**
 * Today in one bar: every hour, the sessions in the colours of their tasks, the gaps and the current
 * time. A press on a session edits it, and a press or a drag over free time fills that. The bar is one
 * stop of the Tab key; arrow keys move between its sessions and gaps.
 */
export function TodayBar() {
  const { status, input: given } = useReport()
  const input = useMinuteInput(useTickingInput(given))
  return (
    <section aria-label={t('Today')} className="flex flex-col gap-1.5">
      <header className="flex h-6 items-center justify-between gap-4 text-xs text-quiet">
        <h2>{t('Today')}</h2>
        <Link
          to={`/reports#${DAY_TIMELINE}`}
          className="-me-1 inline-flex h-11 items-center rounded-control px-1 hover:text-ink md:h-6"
        >
          {t('Day Timeline')}
        </Link>
      </header>
      {status === 'ready' ? <Bar input={input} /> : <Skeleton className="h-8 w-full" />}
    </section>
  )
}

/** Memoised, as the input is the same until the minute changes. */
const Bar = memo(function Bar({ input }: { input: ReportInput }) {
  const { dayRule, now } = input
  const { hourCycle } = useSettings()
  const formats = useFormats()
  const { colors } = useTasks()
  const commands = useRecordCommands()
  const { decided } = useDecidedGaps()
  const timeline = useMemo(() => todayTimeline(input), [input])
  const { day, date, hours, blocks } = timeline
  const length = day.end - day.start
  const parts = useMemo(() => {
    const gaps = untrackedGaps(input.entries, input.live, date, dayRule, now)
    return partsOf(
      blocks,
      gapRows(gaps, decided).flatMap((row) => (row.decided ? [] : [row.interval])),
    )
  }, [input, date, dayRule, now, blocks, decided])
  const [focusable, setFocusable] = useState(0)
  const place = Math.min(focusable, parts.length - 1)
  const area = useRef<HTMLDivElement>(null)
  const { drag, onPointerDown } = useDayDrag(area, drop, 'across')
  const dragged = drag && spanOf(drag)

  return (
    <div className="flex flex-col gap-1">
      <Tips
        hideOnPress
        renderTip={(key) => {
          const part = parts[Number(key)]
          return part && <Tip name={part.block?.taskName ?? t('Untracked')} about={aboutOf(part)} />
        }}
      >
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- by keyboard there are the gaps and the day timeline */}
        <div
          ref={area}
          onPointerDown={onPointerDown}
          onClick={press}
          className="relative h-8 cursor-cell rounded-control bg-wash select-none"
        >
          {parts.length > 0 && (
            <div
              role="toolbar"
              aria-label={t('Sessions and gaps of today')}
              tabIndex={-1}
              onKeyDown={onKeyDown}
            >
              {parts.map((part, index) => (
                <button
                  key={part.key}
                  type="button"
                  // A drag begins on free time only, not on a session.
                  data-entry={part.block ? '' : undefined}
                  data-tip={index}
                  tabIndex={index === place ? 0 : -1}
                  aria-label={labelOf(part)}
                  onFocus={() => setFocusable(index)}
                  onClick={() => open(part)}
                  style={{
                    ...placed(part.interval),
                    ...(part.block ? lane(part.block) : {}),
                    backgroundColor:
                      part.block && tint(colors.get(part.block.entry.taskId) ?? 'slate'),
                  }}
                  className={
                    part.block
                      ? 'absolute min-w-[3px] cursor-pointer rounded-[3px] focus-visible:z-10'
                      : 'absolute inset-y-1.5 min-w-[3px] rounded-[3px] border border-dashed border-edge hover:bg-surface focus-visible:z-10'
                  }
                >
                  {part.block?.pauses.map((pause) => (
                    <span
                      key={pause.start}
                      data-mark="pause"
                      style={within(pause, part.interval)}
                      className="absolute inset-y-0 bg-wash/60"
                    />
                  ))}
                </button>
              ))}
            </div>
          )}
          {dragged && (
            <span
              aria-hidden="true"
              style={placed(dragged)}
              className="pointer-events-none absolute inset-y-0 z-20 rounded-[3px] border border-accent bg-accent-soft/80"
            />
          )}
          <span
            aria-hidden="true"
            data-day-now=""
            style={{ insetInlineStart: placed({ start: now, end: now }).insetInlineStart }}
            className="pointer-events-none absolute -inset-y-1 z-10 w-[1.5px] -translate-x-1/2 bg-ink before:absolute before:-top-[3px] before:start-1/2 before:size-[5px] before:-translate-x-1/2 before:rounded-full before:bg-ink rtl:translate-x-1/2"
          />
        </div>
      </Tips>
      <div aria-hidden="true" className="figures relative h-4 text-xs text-quiet">
        {dragged ? (
          <span className="text-ink">{aboutOf({ interval: dragged })}</span>
        ) : (
          hours.slice(0, -1).map(({ at, hour }, index) => (
            <span
              key={at}
              style={placed({ start: at, end: at + 3 * HOUR })}
              className={index % 6 === 0 ? 'absolute' : 'absolute hidden md:block'}
            >
              {index % 3 === 0 && hourLabel(hour, hourCycle)}
            </span>
          ))
        )}
      </div>
    </div>
  )

  function placed(span: Interval): CSSProperties {
    return within(span, day)
  }

  function timesOf({ interval: { start, end }, block }: Pick<Part, 'interval' | 'block'>): string {
    if (block?.isLive) return t('{start} – now', { start: block.startTime })
    if (block) return `${block.startTime} – ${block.endTime}`
    const [from, to] = [start, end].map((at) => formats.timeInRange(at, dayRule.timeZone))
    return `${from} – ${to}`
  }

  function aboutOf(part: Pick<Part, 'interval' | 'block'>): string {
    const { start, end } = part.interval
    const seconds = part.block?.seconds ?? Math.floor((end - start) / 1000)
    return `${timesOf(part)} · ${part.block ? exactDuration(seconds) : formats.duration(seconds)}`
  }

  function labelOf(part: Part): string {
    const times = timesOf(part)
    return part.block ? `${part.block.taskName}, ${times}` : t('Fill {times}', { times })
  }

  function press(event: MouseEvent) {
    if (event.target instanceof Element && event.target.closest('button')) return
    const at = day.start + placeIn(event.currentTarget, event, 'across') * length
    const span = pressedSpan(timeline, at, commands.now())
    if (span) add(span)
  }

  /** Returns the dragged time within the free time in which the drag began. */
  function spanOf({ from, to }: DayDrag): Interval | null {
    const [start, end] = [day.start + from * length, day.start + to * length]
    const free = freeTimeAt(timeline, start)
    const span = draggedSpan(timeline, start, end, commands.now())
    return (free && span && clipIntervals([span], free.start, free.end)[0]) ?? null
  }

  function drop(dropped: DayDrag) {
    const span = spanOf(dropped)
    if (span) add(span)
  }

  function onKeyDown(event: KeyboardEvent) {
    const next = placeAfter(event.key, place, parts.length - 1)
    if (next === null) return
    event.preventDefault()
    setFocusable(next)
    area.current?.querySelector<HTMLElement>(`[data-tip="${next}"]`)?.focus()
  }
})

const HOUR = 3_600_000

/** Returns the place of a time on the axis of another. */
function within({ start, end }: Interval, whole: Interval): CSSProperties {
  const percent = (time: number) => `${Math.round((time / (whole.end - whole.start)) * 1e6) / 1e4}%`
  return { insetInlineStart: percent(start - whole.start), width: percent(end - start) }
}

/** Opens the editor for a session or a gap. */
function open({ block, interval }: Part) {
  if (!block) add(interval)
  else if (block.isLive) openEditor({ kind: 'timer' })
  else openEditor({ kind: 'edit', entryId: block.entry.id })
}

/** Opens the editor for free time. */
function add({ start, end }: Interval) {
  openEditor({ kind: 'add', startedAt: start, endedAt: end })
}

/** A session, or a gap between two. */
interface Part {
  readonly key: string
  readonly interval: Interval
  /** The session; missing for a gap. */
  readonly block?: DayBlock | undefined
}

/** Returns the sessions and the gaps in the order of the day. */
function partsOf(blocks: readonly DayBlock[], gaps: readonly Interval[]): Part[] {
  return [
    ...blocks.map((block) => ({ key: block.entry.id, interval: block.interval, block })),
    ...gaps.map((interval) => ({ key: `gap ${interval.start}`, interval })),
  ].toSorted((a, b) => a.interval.start - b.interval.start)
}

/** Sessions that overlap share the height. */
function lane({ lane, lanes }: DayBlock): CSSProperties {
  return { top: `${(lane / lanes) * 100}%`, bottom: `${((lanes - lane - 1) / lanes) * 100}%` }
}

function placeAfter(key: string, place: number, last: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(place + 1, last)
    case 'ArrowLeft':
      return Math.max(place - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

function Tip({ name, about }: { name: string; about: string }) {
  return (
    <>
      <span dir="auto" className="block font-semibold break-words">
        {name}
      </span>
      <span className="figures block">{about}</span>
    </>
  )
}
