import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import type { Period } from '#time/period.ts'
import type { ReportInput } from './report-input.ts'
import type { ActivityDay } from './task-report.ts'
import { activityPattern, recentSessions, taskStats } from './task-report.ts'
import { testEntry, testTask } from '#test/entries.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { entryFromTimer } from '#record/time-entry.ts'
import { pauseTimer, startTimer } from '#timer/timer.ts'

const NEW_YORK = 'America/New_York'
const now = Date.parse('2026-11-18T12:00:00Z')
const WEEK: Period = { view: 'weekly', from: '2026-11-15' }
const write = testTask('Write', '2026-11-15T08:00:00Z')

function reportOf(entries: readonly TimeEntry[], fields: Partial<ReportInput> = {}): ReportInput {
  return { entries, live: null, tasks: [write], dayRule: dayRuleOf('UTC'), now, ...fields }
}

/** Returns the cells that are not empty, as 'hour: kind start+width'. */
function drawn(day: ActivityDay | undefined): string[] {
  return (day?.cells ?? []).flatMap(({ hour, segments }) =>
    segments.map(
      ({ kind, startPercent, durationPercent }) =>
        `${hour}: ${kind} ${startPercent}+${durationPercent}`,
    ),
  )
}

test('The stats of a task without sessions are 0, with the line "No sessions yet"', () => {
  expect(taskStats(reportOf([]), write)).toEqual({
    totalSeconds: 0,
    todaySeconds: 0,
    sessions: 0,
    averageSeconds: 0,
    createdLine: 'Created 3 days ago',
    lastWorkedLine: 'No sessions yet',
  })
})

test('The stats of a task count its own entries only, deleted ones left out', () => {
  const entries = [
    testEntry({ start: '2026-11-18T09:00:00Z', end: '2026-11-18T09:10:00Z' }),
    testEntry({ start: '2026-11-17T09:00:00Z', end: '2026-11-17T09:05:01Z' }),
    testEntry({ taskId: 'read', start: '2026-11-18T08:00:00Z', end: '2026-11-18T09:00:00Z' }),
    testEntry({ start: '2026-11-18T10:00:00Z', end: '2026-11-18T11:00:00Z', deletedAt: now }),
  ]
  expect(taskStats(reportOf(entries), write)).toEqual({
    totalSeconds: 901,
    todaySeconds: 600,
    sessions: 2,
    averageSeconds: 450,
    createdLine: 'Created 3 days ago',
    lastWorkedLine: 'Last worked on today',
  })
})

test('The stats of a task include the running timer in the times, not in the sessions', () => {
  const live = testEntry({ start: '2026-11-18T11:00:00Z', end: now })
  expect(taskStats(reportOf([], { live }), write)).toMatchObject({
    totalSeconds: 3600,
    todaySeconds: 3600,
    sessions: 0,
    averageSeconds: 0,
    lastWorkedLine: 'Last worked on today',
  })
  const other = { ...live, taskId: 'read' }
  expect(taskStats(reportOf([], { live: other }), write)).toMatchObject({
    totalSeconds: 0,
    lastWorkedLine: 'No sessions yet',
  })
})

test('The stats of a task take the latest end, not the latest start, as the time of its last work', () => {
  const entries = [
    testEntry({ start: '2026-11-16T22:00:00Z', end: '2026-11-16T23:00:00Z' }),
    testEntry({ start: '2026-11-16T21:00:00Z', end: '2026-11-17T01:00:00Z' }),
  ]
  expect(taskStats(reportOf(entries), write).lastWorkedLine).toBe('Last worked on yesterday')
  expect(taskStats(reportOf(entries, { dayRule: dayRuleOf(NEW_YORK) }), write).lastWorkedLine).toBe(
    'Last worked on 2 days ago',
  )
})

test('The stats of a task count days of the calendar: created before midnight was yesterday', () => {
  const task = testTask('Write', '2026-11-17T23:59:00Z')
  const soon = Date.parse('2026-11-18T00:01:00Z')
  expect(taskStats(reportOf([], { now: soon }), task).createdLine).toBe('Created yesterday')
})

test('Recent sessions are the five that started last, whenever they were saved', () => {
  const entries = [1, 2, 3, 4, 5, 6].map((day) =>
    testEntry({
      id: `day ${day}`,
      start: `2026-11-0${day}T09:00:00Z`,
      end: `2026-11-0${day}T10:00:00Z`,
    }),
  )
  const firstSavedLast = entries.map((entry, index) => ({ ...entry, createdAt: now - index }))
  const sessions = recentSessions(reportOf(firstSavedLast), 'write')
  expect(sessions.map((session) => session.entry.id)).toEqual([
    'day 6',
    'day 5',
    'day 4',
    'day 3',
    'day 2',
  ])
})

test('Recent sessions have the day, the times on the 24-hour clock and the work', () => {
  const overMidnight = testEntry({ start: '2026-11-17T23:10:00Z', end: '2026-11-18T00:40:00Z' })
  const today = testEntry({
    start: '2026-11-18T09:05:00Z',
    end: '2026-11-18T10:00:00Z',
    pauses: [['2026-11-18T09:30:00Z', '2026-11-18T09:40:00Z']],
  })
  const lastYear = testEntry({ start: '2025-12-24T15:00:00Z', end: '2025-12-24T15:30:00Z' })
  expect(recentSessions(reportOf([overMidnight, today, lastYear]), 'write')).toEqual([
    {
      entry: today,
      day: 'Today',
      startTime: '09:05',
      endTime: '10:00',
      durationSeconds: 2700,
      label: 'Active Work',
    },
    {
      entry: overMidnight,
      day: 'Yesterday',
      startTime: '23:10',
      endTime: '00:40 +1',
      durationSeconds: 5400,
      label: 'Active Work',
    },
    {
      entry: lastYear,
      day: '24 Dec 2025',
      startTime: '15:00',
      endTime: '15:30',
      durationSeconds: 1800,
      label: 'Active Work',
    },
  ])
})

test('A task without entries has no recent sessions', () => {
  expect(recentSessions(reportOf([]), 'write')).toEqual([])
})

test('The activity pattern has seven days of 24 hours, from Sunday, and marks today', () => {
  const days = activityPattern(reportOf([]), 'write', WEEK)
  expect(days.map((day) => [day.label, day.shortDate, day.isToday, day.isFuture])).toEqual([
    ['Sun', '15 Nov', false, false],
    ['Mon', '16 Nov', false, false],
    ['Tue', '17 Nov', false, false],
    ['Wed', '18 Nov', true, false],
    ['Thu', '19 Nov', false, true],
    ['Fri', '20 Nov', false, true],
    ['Sat', '21 Nov', false, true],
  ])
  expect(days[0]?.spokenDate).toBe('Sunday 15 November 2026')
  expect(days.every((day) => day.cells.length === 24 && day.sessions.length === 0)).toBe(true)
})

test('The activity pattern draws a session in each hour it touches, with the times of the whole', () => {
  const entry = testEntry({
    id: 'one',
    start: '2026-11-16T09:45:00Z',
    end: '2026-11-16T11:15:00Z',
  })
  const monday = activityPattern(reportOf([entry]), 'write', WEEK)[1]
  expect(drawn(monday)).toEqual(['9: work 75+25', '10: work 0+100', '11: work 0+25'])
  expect(monday?.cells[10]?.segments).toEqual([
    {
      entryId: 'one',
      kind: 'work',
      startPercent: 0,
      durationPercent: 100,
      startTime: '09:45',
      endTime: '11:15',
    },
  ])
  expect(monday?.sessions).toEqual([
    {
      entryId: 'one',
      startTime: '09:45',
      endTime: '11:15',
      durationSeconds: 5400,
      isLive: false,
      part: { startTime: '09:45', endTime: '11:15', seconds: 5400 },
    },
  ])
})

test('The activity pattern draws pauses as pauses', () => {
  const entry = testEntry({
    start: '2026-11-16T09:00:00Z',
    end: '2026-11-16T10:00:00Z',
    pauses: [['2026-11-16T09:15:00Z', '2026-11-16T09:30:00Z']],
  })
  const monday = activityPattern(reportOf([entry]), 'write', WEEK)[1]
  expect(drawn(monday)).toEqual(['9: work 0+25', '9: pause 25+25', '9: work 50+50'])
})

test('The activity pattern draws a paused timer up to now', () => {
  const at = Date.parse('2026-11-18T11:00:00Z')
  const timer = pauseTimer(startTimer('live', 'write', at), at + 15 * 60_000)
  const live = entryFromTimer(timer, now)
  const wednesday = activityPattern(reportOf([], { live }), 'write', WEEK)[3]
  expect(drawn(wednesday)).toEqual(['11: work 0+25', '11: pause 25+75'])
  expect(wednesday?.sessions).toMatchObject([{ entryId: 'live', isLive: true }])
})

test('The activity pattern continues a session over midnight on the next day', () => {
  const entry = testEntry({ start: '2026-11-16T23:30:00Z', end: '2026-11-17T00:30:00Z' })
  const days = activityPattern(reportOf([entry]), 'write', WEEK)
  expect(days.map(drawn).slice(0, 4)).toEqual([[], ['23: work 50+50'], ['0: work 0+50'], []])
  expect(days[2]?.sessions).toMatchObject([{ startTime: '23:30', endTime: '00:30 +1' }])
  expect(days.flatMap((day) => day.sessions.map((session) => session.part))).toEqual([
    { startTime: '23:30', endTime: '00:00 +1', seconds: 1800 },
    { startTime: '00:00', endTime: '00:30', seconds: 1800 },
  ])
})

test('The activity pattern divides at midnight, whenever the day of the reports begins', () => {
  const entry = testEntry({ start: '2026-11-16T23:30:00Z', end: '2026-11-18T00:30:00Z' })
  const days = activityPattern(reportOf([entry], { dayRule: dayRuleOf('UTC', 4) }), 'write', WEEK)
  expect(days.map((day) => day.sessions.map(({ part }) => part.seconds))).toEqual([
    [],
    [1800],
    [86_400],
    [1800],
    [],
    [],
    [],
  ])
})
