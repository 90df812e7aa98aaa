import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  dayLabel,
  dayTimeline,
  draggedEntry,
  draggedSpan,
  draggedTimes,
  pressedSpan,
  todayTimeline,
} from './day-timeline.ts'
import type { DayTimeline } from './day-timeline.ts'
import type { ReportInput } from './report-input.ts'
import { testEntry, testTask } from '#test/entries.ts'
import type { TimeEntry } from '#record/time-entry.ts'

const NEW_YORK = 'America/New_York'
const now = Date.parse('2026-11-18T20:00:00Z')

function reportOf(entries: readonly TimeEntry[], fields: Partial<ReportInput> = {}): ReportInput {
  return {
    entries,
    live: null,
    tasks: [testTask('Write')],
    dayRule: dayRuleOf('UTC'),
    now,
    ...fields,
  }
}

function on(date: string, from: string, to: string, fields: { taskId?: string } = {}): TimeEntry {
  return testEntry({ start: `${date}T${from}Z`, end: `${date}T${to}Z`, ...fields })
}

function time(at: number | undefined): string {
  return new Date(at ?? Number.NaN).toISOString().slice(11, 16)
}

function shownTimes({ shown }: DayTimeline): string {
  return shown.map(({ start, end }) => `${time(start)} – ${time(end)}`).join(', ')
}

/** Returns each block as 'its lane of how many'. */
function lanes(timeline: DayTimeline): string[] {
  return timeline.blocks.map(({ lane, lanes }) => `${lane + 1} of ${lanes}`)
}

function shownOf(entries: readonly TimeEntry[], fields: Partial<ReportInput> = {}): string {
  return shownTimes(dayTimeline(reportOf(entries, fields), '2026-11-17'))
}

/** Returns the instant of a time on the eighteenth. */
function at(text: string): number {
  return Date.parse(`2026-11-18T${text}Z`)
}

function minutes(count: number): number {
  return count * 60_000
}

function said(span: { start: number; end: number } | null): string | null {
  return span && `${time(span.start)} – ${time(span.end)}`
}

const EARLY = on('2026-11-17', '06:20', '07:00')
const LATE = on('2026-11-17', '19:00', '19:40')

test.each([
  ['are those of usual work without a session', [], '08:00 – 18:00'],
  ['begin an hour before the first session', [EARLY], '05:00 – 09:00'],
  ['leave out what is far from any', [EARLY, LATE], '05:00 – 08:00, 18:00 – 21:00'],
  ['end with the day', [on('2026-11-17', '00:10', '23:50')], '00:00 – 00:00'],
] as const)('The hours of a day %s', (_, entries, expected) => {
  expect(shownOf(entries)).toBe(expected)
})

test('The hours of a day are those around its sessions', () => {
  expect(shownOf([on('2026-11-17', '06:20', '07:00')])).toBe('05:00 – 09:00')
  expect(shownOf([on('2026-11-17', '23:20', '23:50')])).toBe('20:00 – 00:00')
  expect(shownOf([on('2026-11-17', '06:20', '07:00'), on('2026-11-17', '10:30', '12:00')])).toBe(
    '05:00 – 13:00',
  )
})

test('Long empty time between the sessions of a day is left out', () => {
  const night = on('2026-11-17', '00:00', '00:40')
  const late = on('2026-11-17', '19:00', '19:40')
  expect(shownOf([night, late])).toBe('00:00 – 02:00, 18:00 – 21:00')
  const whole = dayTimeline(reportOf([night, late]), '2026-11-17', true)
  expect(shownTimes(whole)).toBe('00:00 – 00:00')
  expect(whole.hours).toHaveLength(25)
})

test('The hours of a day include now, however early it is', () => {
  const early = dayTimeline(reportOf([], { now: at('05:49') }), '2026-11-18')
  expect(shownTimes(early)).toBe('05:00 – 18:00')
  expect(early.nowAt).toBe(at('05:49'))
  const worked = [on('2026-11-18', '09:00', '09:30')]
  expect(shownTimes(dayTimeline(reportOf(worked), '2026-11-18'))).toBe(
    '08:00 – 11:00, 19:00 – 21:00',
  )
})

test('The hours of a day end with the day', () => {
  expect(shownOf([on('2026-11-17', '00:10', '23:50')])).toBe('00:00 – 00:00')
  const late = dayTimeline(reportOf([], { now: at('23:30') }), '2026-11-18')
  expect(shownTimes(late)).toBe('08:00 – 00:00')
})

test('The hours of a day follow the hour at which the day begins', () => {
  const night = on('2026-11-18', '02:00', '03:30')
  const zone = dayRuleOf('UTC', 4)
  const timeline = dayTimeline(reportOf([night], { dayRule: zone }), '2026-11-17')
  expect(shownTimes(timeline)).toBe('00:00 – 04:00')
  expect(timeline.hours.map(({ hour }) => hour)).toEqual([0, 1, 2, 3, 4])
  expect(timeline.blocks).toHaveLength(1)
  expect(dayTimeline(reportOf([night], { dayRule: zone }), '2026-11-18').blocks).toHaveLength(0)
  expect(
    shownTimes(dayTimeline(reportOf([], { dayRule: dayRuleOf('UTC', 20) }), '2026-11-17')),
  ).toBe('08:00 – 18:00')
})

test('A day on which the clocks go back shows the repeated hour twice', () => {
  const worked = testEntry({ start: '2026-11-01T05:30:00Z', end: '2026-11-01T06:30:00Z' })
  const timeline = dayTimeline(reportOf([worked], { dayRule: dayRuleOf(NEW_YORK) }), '2026-11-01')
  expect(timeline.day.end - timeline.day.start).toBe(25 * 3_600_000)
  expect(timeline.hours.map(({ hour }) => hour).slice(0, 5)).toEqual([0, 1, 1, 2, 3])
  expect(timeline.blocks[0]).toMatchObject({
    startTime: '01:30',
    endTime: '01:30 (second)',
    seconds: 3600,
  })
})

test('A day on which the clocks go forward leaves out the skipped hour', () => {
  const worked = testEntry({ start: '2026-03-08T06:30:00Z', end: '2026-03-08T07:30:00Z' })
  const timeline = dayTimeline(reportOf([worked], { dayRule: dayRuleOf(NEW_YORK) }), '2026-03-08')
  expect(timeline.hours.map(({ hour }) => hour).slice(0, 4)).toEqual([0, 1, 3, 4])
})

test('A day on which the clocks move by half an hour keeps the full hours of its clock', () => {
  const worked = testEntry({ start: '2026-04-04T14:30:00Z', end: '2026-04-04T16:00:00Z' })
  const timeline = dayTimeline(
    reportOf([worked], { dayRule: dayRuleOf('Australia/Lord_Howe') }),
    '2026-04-05',
  )
  const minutes = timeline.hours.map(({ at }) => (at - timeline.day.start) / 60_000)
  expect(minutes.slice(0, 4)).toEqual([0, 60, 150, 210])
})

test('A session over midnight is drawn on both days, with its part of each', () => {
  const night = testEntry({
    start: '2026-11-17T23:10:00Z',
    end: '2026-11-18T00:40:00Z',
    pauses: [['2026-11-17T23:50:00Z', '2026-11-18T00:10:00Z']],
  })
  const first = dayTimeline(reportOf([night]), '2026-11-17').blocks
  const second = dayTimeline(reportOf([night]), '2026-11-18').blocks
  expect(first).toMatchObject([{ seconds: 40 * 60, startTime: '23:10', endTime: '00:40 +1' }])
  expect(second).toMatchObject([{ seconds: 30 * 60, startTime: '23:10', endTime: '00:40 +1' }])
  expect(first[0]?.pauses.map(({ start, end }) => `${time(start)} ${time(end)}`)).toEqual([
    '23:50 00:00',
  ])
  expect(second[0]?.pauses.map(({ start, end }) => `${time(start)} ${time(end)}`)).toEqual([
    '00:00 00:10',
  ])
})

test('A session that ends as the day begins is drawn on the day before only', () => {
  const evening = testEntry({ start: '2026-11-17T23:00:00Z', end: '2026-11-18T00:00:00Z' })
  expect(dayTimeline(reportOf([evening]), '2026-11-18').blocks).toEqual([])
  expect(dayTimeline(reportOf([evening]), '2026-11-17').blocks).toHaveLength(1)
})

test('Consecutive sessions of a day have the whole width', () => {
  const entries = [on('2026-11-17', '09:00', '10:00'), on('2026-11-17', '10:00', '11:00')]
  expect(lanes(dayTimeline(reportOf(entries), '2026-11-17'))).toEqual(['1 of 1', '1 of 1'])
})

test('Overlapping sessions of a day are side by side, and a free lane is used again', () => {
  const entries = [
    on('2026-11-17', '09:00', '12:00'),
    on('2026-11-17', '09:30', '10:30'),
    on('2026-11-17', '10:30', '11:30'),
    on('2026-11-17', '14:00', '15:00'),
  ]
  expect(lanes(dayTimeline(reportOf(entries), '2026-11-17'))).toEqual([
    '1 of 2',
    '2 of 2',
    '2 of 2',
    '1 of 1',
  ])
})

test('On any day a session is drawn when it was, and none of its lane over another', () => {
  const minute = fc.integer({ min: 0, max: 1439 })
  fc.assert(
    fc.property(fc.array(fc.tuple(minute, fc.integer({ min: 1, max: 90 }))), (spans) => {
      const midnight = Date.parse('2026-11-17T00:00Z')
      const entries = spans.map(([start, length]) =>
        testEntry({ start: midnight + minutes(start), end: midnight + minutes(start + length) }),
      )
      const { blocks, day, shown } = dayTimeline(
        reportOf(entries.toSorted((a, b) => a.startedAt - b.startedAt)),
        '2026-11-17',
      )
      expect(blocks).toHaveLength(entries.length)
      for (const [index, { entry, lane, interval }] of blocks.entries()) {
        expect(interval.start).toBe(entry.startedAt)
        expect(interval.end).toBe(Math.min(entry.endedAt, day.end))
        expect(shown.some(({ start, end }) => start <= interval.start && end >= interval.end)).toBe(
          true,
        )
        for (const other of blocks.slice(index + 1).filter((each) => each.lane === lane)) {
          expect(other.interval.start).toBeGreaterThanOrEqual(interval.end)
        }
      }
    }),
  )
})

test('A session that is longer than its day is cut at the ends of the day', () => {
  const long = testEntry({ start: '2026-11-17T22:14:00Z', end: '2026-11-18T15:50:00Z' })
  const today = dayTimeline(reportOf([long], { now: at('15:50') }), '2026-11-18')
  expect(today.blocks).toMatchObject([
    { interval: { start: at('00:00'), end: at('15:50') }, seconds: (15 * 60 + 50) * 60 },
  ])
  expect(shownTimes(today)).toBe('00:00 – 17:00')
})

test('A session of over a year, from a broken client, is drawn on the day it began', () => {
  const endless = testEntry({ start: '2026-11-17T09:00:00Z', end: '2031-01-01T00:00:00Z' })
  expect(dayTimeline(reportOf([endless]), '2026-11-17').blocks).toHaveLength(1)
  expect(dayTimeline(reportOf([endless]), '2026-11-18').blocks).toHaveLength(0)
})

test('The sessions of a day include the running timer, once', () => {
  const live = testEntry({ start: '2026-11-18T19:00:00Z', end: now })
  const running = dayTimeline(reportOf([], { live }), '2026-11-18')
  expect(running.blocks).toMatchObject([{ isLive: true, taskName: 'Write', seconds: 3600 }])
  const saved = dayTimeline(reportOf([live], { live }), '2026-11-18')
  expect(saved.blocks).toMatchObject([{ isLive: false }])
})

test.each([
  ['2026-11-18', 'Today'],
  ['2026-11-17', 'Yesterday'],
  ['2026-11-12', 'Thu 12 Nov'],
  ['2026-11-19', 'Thu 19 Nov'],
  ['2025-11-19', 'Wed 19 Nov 2025'],
] as const)('A day is called by its date and today: %s is %s', (date, label) => {
  expect(dayLabel(date, now, dayRuleOf('UTC'))).toBe(label)
})

describe('today in one bar', () => {
  test('Today in one bar shows the hours from its first session to its last, and now', () => {
    const bar = (from: string, to: string) =>
      shownTimes(todayTimeline(reportOf([on('2026-11-18', from, to)])))
    expect(bar('09:00', '10:00')).toBe('08:00 – 21:00')
    expect(bar('00:10', '00:40')).toBe('00:00 – 21:00')
    expect(shownTimes(todayTimeline(reportOf([], { now: at('05:10') })))).toBe('05:00 – 18:00')
  })

  test('Today in one bar begins at the chosen hour', () => {
    const early = [on('2026-11-18', '03:00', '04:30')]
    const timeline = todayTimeline(reportOf(early, { dayRule: dayRuleOf('UTC', 4) }))
    expect(shownTimes(timeline)).toBe('04:00 – 21:00')
  })

  test('Today in one bar draws only sessions that overlap in shares of the height', () => {
    const entries = [
      on('2026-11-18', '09:00', '09:01'),
      on('2026-11-18', '09:02', '10:00'),
      on('2026-11-18', '09:30', '10:30'),
    ]
    expect(lanes(todayTimeline(reportOf(entries)))).toEqual(['1 of 1', '1 of 2', '2 of 2'])
  })

  test('Today in one bar contains the running timer up to now', () => {
    const live = testEntry({ start: at('19:00'), end: now })
    const [block] = todayTimeline(reportOf([], { live })).blocks
    expect(block).toMatchObject({ isLive: true, interval: { start: at('19:00'), end: now } })
  })
})

describe('empty time', () => {
  const timeline = dayTimeline(
    reportOf([on('2026-11-18', '09:00', '10:00'), on('2026-11-18', '10:20', '11:00')]),
    '2026-11-18',
  )
  test('A press on empty time selects half an hour, as far as it is free', () => {
    expect(said(pressedSpan(timeline, at('12:13'), now))).toBe('12:10 – 12:40')
    expect(said(pressedSpan(timeline, at('08:43'), now))).toBe('08:40 – 09:00')
    expect(said(pressedSpan(timeline, at('10:02'), now))).toBe('10:00 – 10:20')
  })

  test('A press on future time selects nothing, and a selection that reaches it ends now', () => {
    expect(pressedSpan(timeline, at('20:10'), now)).toBeNull()
    expect(said(pressedSpan(timeline, at('19:46'), now))).toBe('19:45 – 20:00')
    expect(pressedSpan(timeline, at('09:30'), now)).toBeNull()
  })

  test('A drag over empty time snaps to five minutes, in either direction', () => {
    expect(said(draggedSpan(timeline, at('12:02'), at('13:28'), now))).toBe('12:00 – 13:30')
    expect(said(draggedSpan(timeline, at('13:28'), at('12:02'), now))).toBe('12:00 – 13:30')
    expect(said(draggedSpan(timeline, at('19:30'), at('21:00'), now))).toBe('19:30 – 20:00')
    expect(said(draggedSpan(timeline, at('12:01'), at('12:02'), now))).toBe('12:00 – 12:05')
    expect(draggedSpan(timeline, at('20:30'), at('21:00'), now)).toBeNull()
  })

  test('A drag over empty time ends with the day', () => {
    const yesterday = dayTimeline(reportOf([]), '2026-11-17')
    const midnight = Date.parse('2026-11-18T00:00:00Z')
    const span = draggedSpan(yesterday, midnight - 3_600_000, midnight + 3_600_000, now)
    expect(said(span)).toBe('23:00 – 00:00')
  })
})

describe('a session that is dragged', () => {
  const session = testEntry({
    start: at('09:02'),
    end: at('10:02'),
    pauses: [[at('09:30'), at('09:40')]],
    unplacedSeconds: 60,
  })
  test('A session that is dragged snaps to five minutes and keeps its length', () => {
    expect(said(draggedTimes(session, 'all', minutes(29), now))).toBe('09:30 – 10:30')
    expect(said(draggedTimes(session, 'all', minutes(-120), now))).toBe('07:00 – 08:00')
  })

  test('A session that is dragged cannot end after now', () => {
    expect(said(draggedTimes(session, 'all', minutes(900), now))).toBe('19:00 – 20:00')
    expect(said(draggedTimes(session, 'end', minutes(900), now))).toBe('09:02 – 20:00')
  })

  test('A session that is dragged by one of its ends keeps at least five minutes', () => {
    expect(said(draggedTimes(session, 'start', minutes(15), now))).toBe('09:15 – 10:02')
    expect(said(draggedTimes(session, 'start', minutes(300), now))).toBe('09:57 – 10:02')
    expect(said(draggedTimes(session, 'end', minutes(-300), now))).toBe('09:02 – 09:07')
  })

  test('A session that is dragged keeps its pauses and its work', () => {
    const moved = draggedTimes(session, 'all', minutes(28), now)
    expect(draggedEntry(session, 'all', moved, now)).toEqual({
      before: session,
      after: {
        ...session,
        startedAt: at('09:30'),
        endedAt: at('10:30'),
        pauses: { intervals: [{ start: at('09:58'), end: at('10:08') }], unplacedSeconds: 60 },
        updatedAt: now,
      },
    })
  })

  test('A session that is dragged by an end is cut, and keeps the pauses within its new times', () => {
    const cut = draggedTimes(session, 'start', minutes(33), now)
    expect(draggedEntry(session, 'start', cut, now).after).toMatchObject({
      startedAt: at('09:35'),
      endedAt: at('10:02'),
      durationSeconds: 21 * 60,
      pauses: { intervals: [{ start: at('09:35'), end: at('09:40') }] },
    })
  })
})
