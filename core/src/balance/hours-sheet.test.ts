/** The record of hours of a month: examples that were worked out by hand. */
import { expect, test } from 'vitest'
import { testEntry } from '#test/entries.ts'
import { testAccount } from '#test/hours.ts'
import { clockTime } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { hoursBalance } from './balance.ts'
import { hoursSheet } from './hours-sheet.ts'
import { itemText } from './item-text.ts'

const ZONE = 'Europe/Berlin'
const FULL = '8h Mon–Fri since 2 Nov'
const NOVEMBER = { from: '2026-11-01', to: '2026-12-01' } as const
type Entry = Parameters<typeof testEntry>[0]

function sheetOf(lines: readonly string[], entries: readonly Entry[], now = '2026-11-10T19:00Z') {
  const input = {
    entries: entries.map((entry) => testEntry(entry)),
    live: null,
    tasks: [],
    dayRule: dayRuleOf(ZONE),
    now: Date.parse(now),
  }
  const balance = hoursBalance(input, testAccount(lines))
  return balance && hoursSheet(balance, NOVEMBER)
}

/** Returns 'begin–end', breaks, worked, owed and balance, in minutes, of a day of November. */
function dayOf(sheet: ReturnType<typeof sheetOf>, date: number) {
  const day = sheet?.days.find((each) => Number(each.date.slice(8)) === date)
  if (!day) return null
  const work = day.work && `${clockTime(day.work.start, ZONE)}–${clockTime(day.work.end, ZONE)}`
  return [work, ...[day.breaks, day.worked, day.owed, day.balance].map((each) => each / 60)]
}

test('A day has its begin, its end and the breaks between, which leave what was worked', () => {
  const sheet = sheetOf(
    [FULL],
    [
      { start: '2026-11-02T08:00Z', end: '2026-11-02T11:00Z' },
      { start: '2026-11-02T11:45Z', end: '2026-11-02T16:45Z' },
      {
        start: '2026-11-03T07:00Z',
        end: '2026-11-03T15:30Z',
        pauses: [[Date.parse('2026-11-03T11:00Z'), Date.parse('2026-11-03T11:30Z')]],
      },
    ],
  )
  expect(dayOf(sheet, 2)).toEqual(['09:00–17:45', 45, 480, 480, 0])
  expect(dayOf(sheet, 3)).toEqual(['08:00–16:30', 30, 480, 480, 0])
  expect(dayOf(sheet, 4)).toEqual([null, 0, 0, 480, -480])
})

test('Work at the same time leaves the breaks that there were', () => {
  const sheet = sheetOf(
    [FULL],
    [
      { start: '2026-11-02T08:00Z', end: '2026-11-02T10:00Z' },
      { start: '2026-11-02T08:00Z', end: '2026-11-02T09:00Z' },
      { start: '2026-11-02T11:00Z', end: '2026-11-02T12:00Z' },
    ],
  )
  expect(dayOf(sheet, 2)).toEqual(['09:00–13:00', 60, 240, 480, -240])
})

test('Seconds of begin and end are left to the breaks, so that a row adds up as it is written', () => {
  const sheet = sheetOf(
    [FULL],
    [
      { start: '2026-11-02T08:00:50Z', end: '2026-11-02T11:00:50Z' },
      { start: '2026-11-02T11:20:30Z', end: '2026-11-02T12:20:30Z' },
    ],
  )
  // Between them are 19 minutes and 40 seconds. 09:00 + 4:00 + 0:20 is 13:20.
  expect(dayOf(sheet, 2)?.slice(0, 3)).toEqual(['09:00–13:20', 20, 240])
})

test('What is over a limit is on the last day, with its reason', () => {
  const sheet = sheetOf(
    ['0h since 2 Nov, starting at +5h', 'at most 2h at the end of each week since 2026'],
    [],
  )
  const days = sheet?.days.map(({ date, opening, lapsed }) => [date.slice(8), opening, lapsed])
  expect(days?.filter(([, ...parts]) => parts.some((part) => part !== 0))).toEqual([
    ['02', 18_000, 0],
    ['08', 0, -10_800],
  ])
})

test('Work over midnight ends and begins there', () => {
  const sheet = sheetOf([FULL], [{ start: '2026-11-02T21:00Z', end: '2026-11-03T01:30Z' }])
  expect(dayOf(sheet, 2)?.slice(0, 3)).toEqual(['22:00–00:00', 0, 120])
  expect(dayOf(sheet, 3)?.slice(0, 3)).toEqual(['00:00–02:30', 0, 150])
})

test('A pause over midnight belongs to neither day', () => {
  const sheet = sheetOf(
    [FULL],
    [
      {
        start: '2026-11-02T21:00Z',
        end: '2026-11-03T03:00Z',
        pauses: [[Date.parse('2026-11-02T22:00Z'), Date.parse('2026-11-03T01:00Z')]],
      },
    ],
  )
  expect(dayOf(sheet, 2)?.slice(0, 3)).toEqual(['22:00–23:00', 0, 60])
  expect(dayOf(sheet, 3)?.slice(0, 3)).toEqual(['02:00–04:00', 0, 120])
})

test('The sheet begins with what is carried forward, says why less is owed, and adds up', () => {
  const sheet = sheetOf(
    [
      '6h Mon–Fri since 26 Oct, starting at +40h',
      FULL,
      'vacation 3 Nov',
      'public holiday 4 Nov Founders’ Day',
      'half day 5 Nov',
      '-1h paid out 6 Nov',
      'vacation 7–8 Nov',
      'pay period 20–19 since 2026',
    ],
    [{ start: '2026-11-05T08:00Z', end: '2026-11-05T13:00Z' }],
  )
  expect(sheet?.dates).toEqual({ from: '2026-11-01', to: '2026-11-11' })
  expect(sheet?.contracts.map((contract) => contract.from)).toEqual(['2026-10-26', '2026-11-02'])
  // 40h less five days of 6h.
  expect(sheet && sheet.before / 3600).toBe(10)
  expect(
    sheet?.days.map(({ reasons }) => reasons.map(itemText)).filter((each) => each.length > 0),
  ).toEqual([
    ['vacation 3 Nov 2026'],
    ['public holiday 4 Nov 2026 Founders’ Day'],
    ['half a day off 5 Nov 2026'],
    ['-1h paid out 6 Nov 2026'],
  ])
  const { worked = 0, owed = 0, other = 0, balance = 0 } = sheet?.sum ?? {}
  // Seven days are owed, less two and a half.
  expect([worked, owed, other].map((each) => each / 3600)).toEqual([5, 36, -1])
  expect(balance / 3600).toBe(10 + 5 - 36 - 1)
  expect(sheet?.days.at(-1)?.balance).toBe(balance)
})

test('There is no sheet of days before the account, and none after today', () => {
  expect(sheetOf(['8h Mon–Fri since 9 Nov'], [])?.days.map(({ date }) => date)).toEqual([
    '2026-11-09',
    '2026-11-10',
  ])
  expect(sheetOf([FULL], [], '2026-12-02T12:00Z')?.days).toHaveLength(29)
  const balance = hoursBalance(
    {
      entries: [],
      live: null,
      tasks: [],
      dayRule: dayRuleOf(ZONE),
      now: Date.parse('2026-11-10T12:00Z'),
    },
    testAccount([FULL]),
  )
  expect(balance && hoursSheet(balance, { from: '2026-12-01', to: '2027-01-01' })).toBeNull()
})
