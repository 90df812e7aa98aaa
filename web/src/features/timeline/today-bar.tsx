import { memo, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
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
import { inLane, NowLine, placed, SessionMarks, TipText } from '#ui/chart/marks.tsx'
import { placeAfter } from '#ui/chart/place-after.ts'
import { labelStep, percent, percentScale } from '#ui/chart/time-scale.ts'
import { classNames } from '#ui/class-names.ts'
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
 * Today in one bar: the worked hours, the sessions in the colours of their tasks, the gaps and the
 * current time. A press on a session edits it, and a press or a drag over free time fills that. The bar is one
 * stop of the Tab key; arrow keys move between its sessions and gaps. `beside` stands beside its heading.
 */
export function TodayBar({ beside }: { beside?: ReactNode }) {
  const { status, input: given } = useReport()
  const input = useMinuteInput(useTickingInput(given))
  return (
    <section aria-label={t('Today')} className="flex flex-col gap-1.5">
      <header className="flex h-6 items-center justify-between gap-4 text-xs text-quiet">
        <h2>{t('Today')}</h2>
        {beside}
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
  const { day, date, shown, hours, blocks } = timeline
  const whole = shown[0] ?? day
  const scale = percentScale(whole)
  const [step, wideStep] = [4, 10].map((most) => labelStep(hours.length - 1, most))
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
          return (
            part && (
              <TipText name={part.block?.taskName ?? t('Untracked')} figures={aboutOf(part)} />
            )
          )
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
                    ...spanOn(part.interval),
                    ...(part.block && inLane('across', part.block)),
                    ...(part.block && {
                      color: tint(colors.get(part.block.entry.taskId) ?? 'slate'),
                    }),
                  }}
                  className={
                    part.block
                      ? 'absolute min-w-0.5 cursor-pointer rounded-[3px] focus-visible:z-10'
                      : 'absolute inset-y-1.5 min-w-0.5 rounded-[3px] border border-dashed border-edge hover:bg-surface focus-visible:z-10'
                  }
                >
                  {part.block && (
                    <SessionMarks
                      axis="across"
                      interval={part.interval}
                      pauses={part.block.pauses}
                    />
                  )}
                </button>
              ))}
            </div>
          )}
          {dragged && (
            <span
              aria-hidden="true"
              style={spanOn(dragged)}
              className="pointer-events-none absolute inset-y-0 z-20 rounded-[3px] border border-accent bg-accent-soft/80"
            />
          )}
          <NowLine axis="across" at={percent(scale.at(now))} />
        </div>
      </Tips>
      <div aria-hidden="true" className="figures relative h-4 text-xs text-quiet">
        {dragged ? (
          <span className="text-ink">{aboutOf({ interval: dragged })}</span>
        ) : (
          hours.slice(0, -1).map(({ at, hour }) => (
            <span
              key={at}
              style={{ insetInlineStart: percent(scale.at(at)) }}
              className={classNames(
                'absolute',
                hour % (step ?? 1) !== 0 && 'max-md:hidden',
                hour % (wideStep ?? 1) !== 0 && 'md:hidden',
              )}
            >
              {hourLabel(hour, hourCycle)}
            </span>
          ))
        )}
      </div>
    </div>
  )

  function spanOn({ start, end }: Interval) {
    return placed('across', percent(scale.at(start)), percent(scale.at(end) - scale.at(start)))
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
    const at = scale.moment(100 * placeIn(event.currentTarget, event, 'across'))
    const span = pressedSpan(timeline, at, commands.now())
    if (span) add(span)
  }

  /** Returns the dragged time within the free time in which the drag began. */
  function spanOf({ from, to }: DayDrag): Interval | null {
    const [start = 0, end = 0] = [from, to].map((place) => scale.moment(100 * place))
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
