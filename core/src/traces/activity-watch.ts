/** Reads the export of ActivityWatch: which window was in front when, and when nobody was there. */
import { isFields, isNumber } from '#guards.ts'
import type { Interval } from '#time/instant.ts'
import { intervalsBetween } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { ACTIVITY_WATCH } from '#transfer/formats/activity-watch.ts'
import { jsonOf, textOf } from '#transfer/import-json.ts'
import { t } from '#text.ts'
import { BUCKET_TYPES } from './activity-watch-here.ts'
import { Problems } from './problems.ts'
import { traceOf } from './trace.ts'
import type { Trace, TraceReading } from './trace.ts'

export function isActivityWatch(text: string): boolean {
  return ACTIVITY_WATCH.isText(text)
}

/** Shorter looks at a window are left out. */
const MIN_MILLISECONDS = 1000
/** A window that comes back within this time was not left. */
const MAX_APART_MILLISECONDS = 60_000
const BROWSER = /firefox|chrom|safari|edge|brave|opera|vivaldi|zen browser|\barc\b|librewolf/i

interface Bucket {
  readonly id: string
  readonly type: string
  readonly host: string
  readonly events: readonly Event[]
}

interface Event extends Interval {
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Returns the windows, each with its app, while somebody was there. Of a browser the tab counts, with
 * its site as the place, if the export has tabs; private ones are left out. The same window again
 * within a minute is one trace.
 */
export function readActivityWatch(text: string): TraceReading {
  const { values, problems: broken } = jsonOf(text)
  const problems = new Problems()
  for (const { line, text: found, why } of broken) problems.add(line, found, why)
  const buckets = bucketsOf(values[0], problems)
  const tabs = buckets.filter(({ type }) => type === 'web.tab.current')
  const traces: Trace[] = []
  const windows = buckets.filter(({ type }) => type === 'currentwindow')
  for (const { host, events } of windows) {
    const away = mergeIntervals(
      buckets
        .filter(({ type, host: at }) => type === 'afkstatus' && at === host)
        .flatMap((bucket) => bucket.events.filter(({ data }) => data['status'] === 'afk')),
    )
    // Extensions of browsers often do not know the computer.
    const seen = oneAtATime(
      tabs.filter(({ host: at }) => at === host || at === 'unknown').flatMap((each) => each.events),
    )
    const pieces = oneAtATime(events).flatMap((event) =>
      intervalsBetween(around(away, event), event).flatMap((part) => looksOf(event, part, seen)),
    )
    traces.push(...joined(pieces))
  }
  const known = windows.find(({ host }) => host !== 'unknown')
  return { name: known?.host ?? '', traces, problems: problems.list }
}

function bucketsOf(file: unknown, problems: Problems): Bucket[] {
  const buckets = isFields(file) && isFields(file['buckets']) ? file['buckets'] : {}
  return Object.entries(buckets).flatMap(([id, bucket]) => {
    if (!isFields(bucket) || !Array.isArray(bucket['events'])) return []
    const type = textOf(bucket['type'])
    if (!BUCKET_TYPES.includes(type)) {
      problems.add(1, id, t('Says more about the time that other buckets have, not imported.'))
      return []
    }
    const host = textOf(bucket['hostname']) || 'unknown'
    return { id, type, host, events: eventsOf(id, bucket['events'], problems) }
  })
}

function eventsOf(id: string, events: readonly unknown[], problems: Problems): Event[] {
  return events.flatMap((event) => {
    const { timestamp, duration, data } = isFields(event) ? event : {}
    const start = Date.parse(textOf(timestamp))
    if (Number.isNaN(start) || !isNumber(duration) || !isFields(data)) {
      problems.add(1, id, t('This event cannot be read.'))
      return []
    }
    const end = start + Math.round(duration * 1000)
    return end - start >= MIN_MILLISECONDS ? { start, end, data } : []
  })
}

/** Returns the events in order, each cut where the next one begins. */
function oneAtATime(events: readonly Event[]): readonly Event[] {
  const sorted = events.toSorted((a, b) => a.start - b.start)
  return sorted.flatMap((event, at) => {
    const end = Math.min(event.end, sorted[at + 1]?.start ?? Infinity)
    return end > event.start ? { ...event, end } : []
  })
}

/** Returns the intervals that overlap the span, of sorted ones that do not overlap each other. */
function around<T extends Interval>(sorted: readonly T[], { start, end }: Interval): readonly T[] {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.end ?? Infinity) <= start) low = middle + 1
    else high = middle
  }
  let last = low
  while ((sorted[last]?.start ?? Infinity) < end) last += 1
  return sorted.slice(low, last)
}

interface Look extends Interval {
  readonly where: string
  readonly title: string
}

/** Returns what was in front in a part of an event of a window: the window, or the tabs of a browser. */
function looksOf({ data }: Event, part: Interval, tabs: readonly Event[]): Look[] {
  const app = textOf(data['app'])
  const window = { where: app, title: textOf(data['title']) || app }
  const inFront = BROWSER.test(app) ? around(tabs, part) : []
  const rest = intervalsBetween(inFront, part).map((each) => ({ ...each, ...window }))
  const shown = inFront.flatMap(({ start, end, data: tab }) => {
    if (tab['incognito'] === true) return []
    const site = siteOf(textOf(tab['url'])) || app
    const title = textOf(tab['title']) || site
    return { start: Math.max(start, part.start), end: Math.min(end, part.end), where: site, title }
  })
  return [...rest, ...shown].sort((a, b) => a.start - b.start)
}

function siteOf(url: string): string {
  return /^https?:\/\/(?:www\.)?([^/:?#]+)/.exec(url)?.[1] ?? ''
}

/** Joins looks at the same thing that follow each other. */
function joined(looks: readonly Look[]): Trace[] {
  const runs: { start: number; end: number; where: string; title: string }[] = []
  for (const look of looks) {
    const last = runs.at(-1)
    const isSame = last?.where === look.where && last.title === look.title
    if (last && isSame && look.start - last.end <= MAX_APART_MILLISECONDS) last.end = look.end
    else runs.push({ ...look })
  }
  return runs.map(({ start, end, where, title }) =>
    traceOf({ kind: 'activity', from: start, to: end, where, title }),
  )
}
