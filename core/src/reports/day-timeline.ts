/**
 * The sessions of one day as they are drawn along an axis, side by side where two of them overlap.
 * The axis is elapsed time: a day has 23, 24 or 25 hours, an hour that the clock shows twice is
 * drawn twice, and no two moments share a place. A session is drawn when it was, as long as it was.
 */
import { t } from '#text.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'
import {
  addDays,
  timeInRange,
  endClockTime,
  formatWeekdayAndDate,
  instantOfClock,
  intervalOfDates,
  localDate,
  wallClockStretches,
} from '#time/calendar.ts'
import type { CalendarDate } from '#time/calendar.ts'
import { editEntry, shiftEntry } from '#record/entry-edit.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { clipIntervals, intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import type { ReportInput } from './report-input.ts'
import { trackedTime } from './report-input.ts'
import { nameInReports } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { entriesTouching } from './worked-days.ts'
import { secondsWorkedWithin, workedUntil } from './worked-time.ts'

export interface DayTimeline {
  readonly date: CalendarDate
  /** The whole day in the viewer's zone. */
  readonly day: Interval
  /** The hours to show, in order: full hours of the clock. Long empty time between them is left out. */
  readonly shown: readonly Interval[]
  /** The full hours within `shown`, the ends included. */
  readonly hours: readonly HourMark[]
  /** In the order of their start. Overlapping ones have lanes of their own. */
  readonly blocks: readonly DayBlock[]
  /** Now, if the day is today. */
  readonly nowAt: number | null
}

export interface HourMark {
  readonly at: number
  /** The hour on the clock, 0 … 23. */
  readonly hour: number
}

/** A session, or the part of it that lies on the day. */
export interface DayBlock {
  readonly entry: TimeEntry
  readonly taskName: string
  readonly isLive: boolean
  /** The part of the session on this day. */
  readonly interval: Interval
  /** The known pauses within `interval`. */
  readonly pauses: readonly Interval[]
  /** The start of the whole session, as '23:10'; its end is '00:40 +1', for example. */
  readonly startTime: string
  readonly endTime: string
  /** Whole seconds of work that count on this day. */
  readonly seconds: number
  /** 0 … lanes − 1, counted from the left. */
  readonly lane: number
  readonly lanes: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How much is shown before and after each session, at least. */
const AROUND = HOUR
/** How much of a day is shown at least. */
const MIN_SHOWN = 4 * HOUR
/** Empty time that is left out between two shown stretches is at least this long. */
const MIN_FOLDED = 2 * HOUR
/** The hours that are shown of an empty day. */
const FIRST_HOUR = 8
const LAST_HOUR = 18
/** Presses and drags snap to multiples of this. */
const SNAP = 5 * MINUTE
/** The length of the span that a press on empty time selects. */
const PRESSED = 30 * MINUTE

/**
 * Returns the sessions of the day, of all tasks, the running timer included. The hours around them
 * are shown, or the whole day.
 */
export function dayTimeline(
  input: ReportInput,
  date: CalendarDate,
  showsWholeDay = false,
): DayTimeline {
  const { dayRule, now } = input
  const day = intervalOfDates({ from: date, to: addDays(date, 1) }, dayRule)
  const blocks = blocksOf(input, day)
  const nowAt = localDate(now, dayRule) === date ? now : null
  const marks = hourMarks(day, dayRule)
  const shown = showsWholeDay
    ? [day]
    : shownOf(blocks, nowAt, marks, { day, usual: usualHours(date, day, dayRule) })
  const hours = marks.filter(({ at }) => shown.some(({ start, end }) => at >= start && at <= end))
  return { date, day, shown, hours, blocks, nowAt }
}

/** Returns today as it is drawn in one bar: from the first of the hours around its sessions to the last. */
export function todayTimeline(input: ReportInput): DayTimeline {
  const timeline = dayTimeline(input, localDate(input.now, input.dayRule))
  const start = timeline.shown[0]?.start ?? timeline.day.start
  const end = timeline.shown.at(-1)?.end ?? timeline.day.end
  const hours = hourMarks(timeline.day, input.dayRule).filter(({ at }) => at >= start && at <= end)
  return { ...timeline, shown: [{ start, end }], hours }
}

/** 'Today', 'Yesterday', 'Thu 19 Nov', 'Wed 19 Nov 2025'. */
export function dayLabel(date: CalendarDate, now: number, dayRule: DayRule): string {
  const today = localDate(now, dayRule)
  if (date === today) return t('Today')
  if (date === addDays(today, -1)) return t('Yesterday')
  return formatWeekdayAndDate(date, date.slice(0, 4) !== today.slice(0, 4))
}

/**
 * Returns the span that a press on empty time selects: half an hour from the multiple of five
 * minutes that was hit, as far as it is free and has passed. Null if all of it is in the future.
 */
export function pressedSpan(timeline: DayTimeline, at: number, now: number): Interval | null {
  const free = freeTimeAt(timeline, at)
  if (!free) return null
  const start = Math.max(free.start, Math.floor(at / SNAP) * SNAP)
  return passed({ start, end: Math.min(free.end, start + PRESSED) }, now)
}

/**
 * Returns the span of a drag over empty time, in either direction, at least five minutes long. Null
 * if all of it is in the future.
 */
export function draggedSpan(
  { day }: DayTimeline,
  from: number,
  to: number,
  now: number,
): Interval | null {
  const start = Math.max(day.start, snapped(Math.min(from, to)))
  const end = Math.min(day.end, Math.max(start + SNAP, snapped(Math.max(from, to))))
  return passed({ start, end }, now)
}

/** Returns the free time around a moment of the day: from one session to the next. */
export function freeTimeAt({ blocks, day }: DayTimeline, at: number): Interval | null {
  const busy = blocks.map(({ interval }) => interval)
  return intervalsBetween(busy, day).find(({ start, end }) => at >= start && at < end) ?? null
}

/** Which part of a session is dragged: the whole, or one of its ends. */
export type DragPart = 'all' | 'start' | 'end'

/**
 * Returns the times of a session that is dragged by so many milliseconds: snapped to five minutes,
 * at least five minutes long, and ended by now.
 */
export function draggedTimes(
  { startedAt, endedAt }: Pick<TimeEntry, 'startedAt' | 'endedAt'>,
  part: DragPart,
  by: number,
  now: number,
): Interval {
  const latest = Math.floor(now / MINUTE) * MINUTE
  switch (part) {
    case 'all': {
      const shift = Math.min(snapped(startedAt + by) - startedAt, Math.max(0, latest - endedAt))
      return { start: startedAt + shift, end: endedAt + shift }
    }
    case 'start':
      return { start: Math.min(snapped(startedAt + by), endedAt - SNAP), end: endedAt }
    case 'end':
      return {
        start: startedAt,
        end: Math.max(startedAt + SNAP, Math.min(snapped(endedAt + by), latest)),
      }
  }
}

/**
 * Returns the session at the times it was dragged to. Its pauses move along when it is moved as a
 * whole.
 */
export function draggedEntry(
  entry: TimeEntry,
  part: DragPart,
  { start, end }: Interval,
  now: number,
): EntryChange {
  if (part !== 'all') return editEntry(entry, { startedAt: start, endedAt: end }, now)
  return shiftEntry(entry, start - entry.startedAt, now)
}

/** Rounds to the nearest five minutes. */
function snapped(at: number): number {
  return Math.round(at / SNAP) * SNAP
}

/** Cuts the interval at the last full minute: an entry cannot end in the future. */
function passed({ start, end }: Interval, now: number): Interval | null {
  const until = Math.min(end, Math.floor(now / MINUTE) * MINUTE)
  return until > start ? { start, end: until } : null
}

function blocksOf(input: ReportInput, day: Interval): DayBlock[] {
  const { tasks, dayRule, hourCycle } = input
  const { worked, live } = trackedTime(input)
  const names = new Map(tasks.map((task) => [task.id, nameInReports(task)]))
  const saved = entriesTouching(worked, day).filter((entry) => isOn(entry, day))
  const entries = live && isOn(live, day) ? [...saved, live] : saved
  const blocks = entries.map((entry) => {
    const interval = {
      start: Math.max(entry.startedAt, day.start),
      end: Math.min(workedUntil(entry), day.end),
    }
    return {
      entry,
      taskName: names.get(entry.taskId) ?? nameInReports(undefined),
      isLive: entry === live,
      interval,
      pauses: clipIntervals(entry.pauses.intervals, interval.start, interval.end),
      startTime: timeInRange(entry.startedAt, dayRule.timeZone, hourCycle),
      endTime: endClockTime(entry.startedAt, entry.endedAt, dayRule.timeZone, hourCycle),
      seconds: secondsWorkedWithin(entry, day.start, day.end),
    }
  })
  return inLanes(blocks.toSorted(byStart))
}

/** An entry that ends as the day begins belongs to the day before. */
function isOn(entry: TimeEntry, day: Interval): boolean {
  return (
    entry.startedAt < day.end && (entry.startedAt >= day.start || workedUntil(entry) > day.start)
  )
}

type Unplaced = Omit<DayBlock, 'lane' | 'lanes'>

function byStart(a: Unplaced, b: Unplaced): number {
  return a.interval.start - b.interval.start || (a.entry.id < b.entry.id ? -1 : 1)
}

/**
 * Places each block in the first free lane. Blocks that overlap, directly or through others, share
 * the width.
 */
function inLanes(blocks: readonly Unplaced[]): DayBlock[] {
  const placed: DayBlock[] = []
  let group: (Unplaced & { lane: number })[] = []
  /** The end of the last block of each lane. */
  let ends: number[] = []
  const close = () => {
    placed.push(...group.map((block) => ({ ...block, lanes: ends.length })))
    group = []
    ends = []
  }
  for (const block of blocks) {
    const { start, end } = block.interval
    if (ends.every((each) => each <= start)) close()
    const free = ends.findIndex((each) => each <= start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = end
    group.push({ ...block, lane })
  }
  close()
  return placed
}

/** Returns the full hours of the clock from the day's start to its end, both included. */
function hourMarks(day: Interval, { timeZone }: DayRule): HourMark[] {
  const midnights = dayRuleOf(timeZone)
  const marks: HourMark[] = []
  const last = localDate(day.end, midnights)
  for (let date = localDate(day.start, midnights); date <= last; date = addDays(date, 1)) {
    for (const { start, end, wallStart } of wallClockStretches(date, timeZone)) {
      const first = Math.ceil(wallStart / HOUR)
      for (let hour = first; start + hour * HOUR - wallStart < end; hour++) {
        marks.push({ at: start + hour * HOUR - wallStart, hour: hour % 24 })
      }
    }
  }
  return marks.filter(({ at }) => at >= day.start && at <= day.end)
}

/** Returns the full hours around the sessions and now; the usual hours of an empty day. */
function shownOf(
  blocks: readonly DayBlock[],
  nowAt: number | null,
  marks: readonly HourMark[],
  { day, usual }: { readonly day: Interval; readonly usual: Interval },
): Interval[] {
  const seen = nowAt === null ? [] : [{ start: nowAt, end: nowAt }]
  const worked = blocks.map(({ interval }) => interval)
  const around = [...worked, ...seen].map(({ start, end }) => {
    return { start: start - AROUND, end: end + AROUND }
  })
  const empty = {
    start: Math.min(usual.start, nowAt ?? usual.start),
    end: Math.max(usual.end, nowAt ?? usual.end),
  }
  const fullHours = clipIntervals(blocks.length > 0 ? around : [empty], day.start, day.end)
    .map(({ start, end }) => ({
      start: marks.findLast(({ at }) => at <= start)?.at ?? day.start,
      end: marks.find(({ at }) => at >= end)?.at ?? day.end,
    }))
    .toSorted((a, b) => a.start - b.start)
  const shown = joined(fullHours, MIN_FOLDED)
  const [first] = shown
  if (!first || totalMilliseconds(shown) >= MIN_SHOWN) return shown
  const end = Math.min(day.end, first.start + MIN_SHOWN)
  return joined([{ start: end - MIN_SHOWN, end }, ...shown], MIN_FOLDED)
}

/** Joins intervals that are closer than `distance`. They are in order of their start. */
function joined(intervals: readonly Interval[], distance: number): Interval[] {
  const all: Interval[] = []
  for (const { start, end } of intervals) {
    const last = all.at(-1)
    if (last && start - last.end < distance) {
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    } else all.push({ start, end })
  }
  return all
}

/**
 * Returns 08:00 to 18:00 of the day. In a day that begins late, the date that has more of these
 * hours counts.
 */
function usualHours(date: CalendarDate, day: Interval, dayRule: DayRule): Interval {
  const usual = [date, addDays(date, 1)].flatMap((each) =>
    clipIntervals(
      [
        {
          start: instantOfClock(each, FIRST_HOUR * 3600, dayRule.timeZone),
          end: instantOfClock(each, LAST_HOUR * 3600, dayRule.timeZone),
        },
      ],
      day.start,
      day.end,
    ),
  )
  return usual.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a), usual[0] ?? day)
}
