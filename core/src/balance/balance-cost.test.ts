/** What the balance of a long history costs between two frames, in processor time. */
import { expect, test } from 'vitest'
import { testEntry, testTask } from '#test/entries.ts'
import { testAccount } from '#test/hours.ts'
import { processorTime } from '#test/processor-time.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { balanceSums, hoursBalance } from './balance.ts'

const MAX_MILLISECONDS = 16
const HOUR = 3_600_000
const NOW = Date.parse('2026-11-28T12:00:00Z')

test('A balance of 100,000 sessions and ten years of contracts is there between two frames', () => {
  // Ten years have 87,600 hours.
  const entries = Array.from({ length: 100_000 }, (_, index) => {
    const end = NOW - (100_000 - index) * 0.85 * HOUR
    return testEntry({ id: `e${index}`, start: end - HOUR / 2, end })
  })
  const contracts = Array.from({ length: 20 }, (_, index) => {
    const date = `${2016 + Math.floor(index / 2)}-0${1 + 6 * (index % 2)}-01`
    return `odd weeks 40h Mon–Fri, even weeks 32h Mon–Thu since ${date}`
  })
  const daysOff = Array.from({ length: 100 }, (_, index) => {
    return `vacation ${2016 + (index % 10)}-0${1 + Math.floor(index / 12)}-1${index % 10}`
  })
  const account = testAccount([
    ...contracts,
    ...daysOff,
    'at most 40h at the end of each month since 2016',
  ])
  const tasks = [testTask('Write')]
  const live = testEntry({ id: 'live', start: NOW - HOUR, end: NOW })
  const balanceNow = (seconds: number) => {
    const now = NOW + seconds * 1000
    const timer = { ...live, endedAt: now, durationSeconds: 3600 + seconds }
    const input = { entries, live: timer, tasks, dayRule: dayRuleOf('Europe/Berlin'), now }
    const balance = hoursBalance(input, account)
    return balance && balanceSums(balance, 'month')
  }
  expect(balanceNow(0)).toHaveLength(131)
  let second = 0
  expect(processorTime(MAX_MILLISECONDS, () => balanceNow(++second))).toBeLessThan(MAX_MILLISECONDS)
})
