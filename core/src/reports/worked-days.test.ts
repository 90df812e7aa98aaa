import { dayRuleOf } from '#time/day-rule.ts'
import { expect, test } from 'vitest'
import { dayNumber } from '#time/calendar.ts'
import { testEntry } from '#test/entries.ts'
import { daysOfTask, isSaved, prepareEntries, secondsOfDays } from './worked-days.ts'

const MONDAY = dayNumber('2026-11-16')
const overMidnight = testEntry({ start: '2026-11-16T23:10:00Z', end: '2026-11-17T00:40:00Z' })
const reading = testEntry({
  taskId: 'read',
  start: '2026-11-17T09:00:00Z',
  end: '2026-11-17T09:10:00Z',
})
const deleted = testEntry({
  taskId: 'gone',
  start: '2020-01-01T09:00:00Z',
  end: '2020-01-01T09:10:00Z',
  deletedAt: 1,
})
const entries = [reading, deleted, overMidnight]

test('Prepared entries are prepared once per list and zone', () => {
  const prepared = prepareEntries(entries, dayRuleOf('UTC'))
  expect(prepareEntries(entries, dayRuleOf('UTC'))).toBe(prepared)
  expect(prepareEntries(entries, dayRuleOf('Asia/Kolkata'))).not.toBe(prepared)
  expect(prepareEntries([...entries], dayRuleOf('UTC'))).not.toBe(prepared)
  expect(prepareEntries([...entries], dayRuleOf('UTC'))).toEqual(prepared)
})

test('Prepared entries leave deleted entries out', () => {
  const worked = prepareEntries(entries, dayRuleOf('UTC'))
  expect(worked.entries).toEqual([reading, overMidnight])
  expect(worked.taskIds).toEqual(['read', 'write'])
  expect([...worked.taskSeconds]).toEqual([600, 5400])
  expect([...worked.taskSessions]).toEqual([1, 1])
  expect(worked.totalSeconds).toBe(6000)
})

test('Prepared entries tell whether a timer is saved', () => {
  const worked = prepareEntries(entries, dayRuleOf('UTC'))
  expect(isSaved(worked, { ...reading, endedAt: reading.endedAt + 1 })).toBe(true)
  expect(isSaved(worked, { ...reading, id: 'other' })).toBe(false)
  expect(isSaved(worked, deleted)).toBe(false)
})

test('An empty list of entries can be prepared', () => {
  const worked = prepareEntries([deleted], dayRuleOf('UTC'))
  expect(worked.entries).toEqual([])
  expect(secondsOfDays(worked.days, MONDAY, MONDAY + 1)).toBe(0)
  expect(secondsOfDays(daysOfTask(worked, 'gone'), 0, MONDAY)).toBe(0)
})
