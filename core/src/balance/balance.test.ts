/** The balance of an hours account: examples that were worked out by hand. */
import { expect, test } from 'vitest'
import { signed, testAccount } from '#test/hours.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { instantOfClock, isCalendarDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import {
  balanceAfter,
  balanceSum,
  balanceSums,
  datesOfBalance,
  hoursBalance,
  zeroAt,
} from './balance.ts'

/** '2026-11-02 09:00[:00]' by the clocks of a zone; of a repeated time the first. */
function at(text: string, zone: string): number {
  const [date = '', time = ''] = text.split(' ')
  if (!isCalendarDate(date)) throw new Error(text)
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return instantOfClock(date, (hours * 60 + minutes) * 60 + seconds, zone)
}

interface Example {
  /** Default: Berlin, with days from midnight. */
  readonly zone?: string
  readonly startHour?: number
  readonly now: string
  readonly lines: readonly string[]
  /** 'from – to' by the clock. */
  readonly sessions?: readonly string[]
  /** Null: there is no balance yet. */
  readonly balance: string | null
}

function balanceOf({ zone = 'Europe/Berlin', startHour = 0, now, lines, sessions = [] }: Example) {
  const entries = sessions.map((times) => {
    const [start = '', end = ''] = times.split(' – ')
    return testEntry({ start: at(start, zone), end: at(end, zone) })
  })
  const dayRule = dayRuleOf(zone, startHour)
  const input = { entries, live: null, tasks: [], dayRule, now: at(now, zone) }
  return hoursBalance(input, testAccount(lines))
}

const FULL = '8h Mon–Fri since 2 Nov'
const SEVEN = '40h a week Mon–Sun since 2 Nov'
const MONTHLY = '160h a month since 1 Nov'
const PAID_ON_19 = 'pay period 20–19 since 20 Oct'
const HALVES = 'pay periods 1–15 and 16–end since 2026'
const BIWEEKLY = 'biweekly pay periods since 26 Oct'
const CAPPED_PERIODS = 'at most 1h at the end of each pay period since 2026'
const WEEKS = 'odd weeks 40h Mon–Fri, even weeks 32h Mon–Thu since 2 Nov'

/** Mon 2 Nov 2026 is in week 45; 2026 has 53 weeks. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'on the first day': { now: '2026-11-02 12:00', lines: [FULL], balance: '-8:00:00' },
  'on the first day at its start': { now: '2026-11-02 00:00', lines: [FULL], balance: '-8:00:00' },
  'after a week': { now: '2026-11-08 12:00', lines: [FULL], balance: '-40:00:00' },
  'on the next Monday': { now: '2026-11-09 00:01', lines: [FULL], balance: '-48:00:00' },
  'after a day of eight hours': {
    now: '2026-11-02 18:00',
    lines: [FULL],
    sessions: ['2026-11-02 09:00 – 2026-11-02 17:00'],
    balance: '0:00:00',
  },
  'with overtime': {
    now: '2026-11-02 20:00',
    lines: [FULL],
    sessions: ['2026-11-02 09:00 – 2026-11-02 18:30'],
    balance: '+1:30:00',
  },
  'to the second': {
    now: '2026-11-02 20:00',
    lines: [FULL],
    sessions: ['2026-11-02 09:00:00 – 2026-11-02 09:00:01'],
    balance: '-7:59:59',
  },
  'with hours at the start': {
    now: '2026-11-02 12:00',
    lines: [`${FULL}, starting at +12h`],
    balance: '+4:00:00',
  },
  'with a debt at the start': {
    now: '2026-11-02 12:00',
    lines: [`${FULL}, starting at -3h`],
    balance: '-11:00:00',
  },
  'without work before the contract': {
    now: '2026-11-09 20:00',
    lines: ['8h Mon–Fri since 9 Nov'],
    sessions: ['2026-11-06 09:00 – 2026-11-06 17:00'],
    balance: '-8:00:00',
  },
  'of a contract that is ahead': {
    now: '2026-11-30 20:00',
    lines: ['8h Mon–Fri from 1 Dec'],
    balance: null,
  },
  'without a contract': { now: '2026-11-30 20:00', lines: ['vacation 3 Nov'], balance: null },
  'that begins on a Sunday': {
    now: '2026-11-08 20:00',
    lines: ['8h Mon–Fri since 8 Nov'],
    balance: '0:00:00',
  },
  'with work on a Saturday': {
    now: '2026-11-07 20:00',
    lines: [FULL],
    sessions: ['2026-11-07 10:00 – 2026-11-07 12:00'],
    balance: '-38:00:00',
  },
  'of 7h 42m a day': {
    now: '2026-11-03 20:00',
    lines: ['38.5h Mon–Fri since 2 Nov'],
    balance: '-15:24:00',
  },
  'of a seventh of 40 hours': { now: '2026-11-02 20:00', lines: [SEVEN], balance: '-5:42:51' },
  'of three sevenths of 40 hours': {
    now: '2026-11-04 20:00',
    lines: [SEVEN],
    balance: '-17:08:34',
  },
  'of seven sevenths of 40 hours': {
    now: '2026-11-08 20:00',
    lines: [SEVEN],
    balance: '-40:00:00',
  },
  'of 10 hours on three days': {
    now: '2026-11-04 20:00',
    lines: ['10h a week Mon Wed Fri since 2 Nov'],
    balance: '-6:40:00',
  },
  'of different hours by weekday': {
    now: '2026-11-05 20:00',
    lines: ['8h Mon, 6h Tue Thu since 2 Nov'],
    balance: '-20:00:00',
  },
  'of part time': {
    now: '2026-11-06 20:00',
    lines: ['20h Mon-Wed since 2 Nov'],
    balance: '-20:00:00',
  },
  'of a contract without hours': {
    now: '2026-11-02 20:00',
    lines: ['0h since 2 Nov'],
    sessions: ['2026-11-02 09:00 – 2026-11-02 11:00'],
    balance: '+2:00:00',
  },

  'after a change within a week': {
    now: '2026-11-06 20:00',
    lines: [FULL, '6h Mon–Fri since 4 Nov'],
    balance: '-34:00:00',
  },
  'after a change of weekdays within a week': {
    now: '2026-11-08 20:00',
    lines: ['40h a week since 2 Nov', '20h Mon–Wed since 5 Nov'],
    balance: '-24:00:00',
  },
  'after two changes': {
    now: '2026-11-06 20:00',
    lines: [FULL, '4h Mon–Fri since 3 Nov', '0h since 4 Nov'],
    balance: '-12:00:00',
  },
  'after a contract that begins at zero': {
    now: '2026-11-04 20:00',
    lines: [FULL, '8h Mon–Fri since 4 Nov, starting at 0h'],
    balance: '-8:00:00',
  },

  'of a month, after its first working day': {
    now: '2026-11-02 20:00',
    lines: [MONTHLY],
    balance: '-7:37:08',
  },
  'of a month, at its end': { now: '2026-11-30 20:00', lines: [MONTHLY], balance: '-160:00:00' },
  'of a part of a month': {
    now: '2026-11-30 20:00',
    lines: ['160h a month since 16 Nov'],
    balance: '-83:48:35',
  },
  'of a month with two weekdays': {
    now: '2026-02-03 20:00',
    lines: ['100h a month Mon Tue since 1 Feb'],
    balance: '-25:00:00',
  },
  'of a year, on its first day': {
    now: '2026-01-01 20:00',
    lines: ['1607h a year since 2026'],
    balance: '-6:09:25',
  },
  'of a year, at its end': {
    now: '2026-12-31 20:00',
    lines: ['1607h a year since 2026'],
    balance: '-1607:00:00',
  },
  'of a leap year, at its end': {
    now: '2028-12-31 20:00',
    lines: ['1607h a year since 2028'],
    balance: '-1607:00:00',
  },

  'of an odd week': { now: '2026-11-08 20:00', lines: [WEEKS], balance: '-40:00:00' },
  'of an even week, on Wednesday': {
    now: '2026-11-11 20:00',
    lines: [WEEKS],
    balance: '-64:00:00',
  },
  'of an even week, on its free Friday': {
    now: '2026-11-13 20:00',
    lines: [WEEKS],
    balance: '-72:00:00',
  },
  'of weeks 53 and 1, which are both odd': {
    now: '2027-01-10 20:00',
    lines: ['odd weeks 40h Mon–Fri, even weeks 32h Mon–Thu since 28 Dec 2026'],
    balance: '-80:00:00',
  },
  'of the first even week of a year': {
    now: '2027-01-11 20:00',
    lines: ['even weeks 10h a day Mon since 28 Dec 2026'],
    balance: '-10:00:00',
  },
  'of odd weeks alone': {
    now: '2026-11-16 20:00',
    lines: ['odd weeks 8h Mon since 2 Nov'],
    balance: '-16:00:00',
  },

  'of a pay period from the 20th, after its first day': {
    now: '2026-10-20 20:00',
    lines: ['160h a pay period since 20 Oct', PAID_ON_19],
    balance: '-6:57:23',
  },
  'of a pay period from the 20th, at its end': {
    now: '2026-11-19 20:00',
    lines: ['160h a pay period since 20 Oct', PAID_ON_19],
    balance: '-160:00:00',
  },
  'of half a month, at its end': {
    now: '2026-11-15 20:00',
    lines: ['80h a pay period since 1 Nov', HALVES],
    balance: '-80:00:00',
  },
  'of half a month, on the first day of the next': {
    now: '2026-11-16 20:00',
    lines: ['80h a pay period since 1 Nov', HALVES],
    balance: '-87:16:21',
  },
  'of the second half of February': {
    now: '2026-02-16 20:00',
    lines: ['80h a pay period since 16 Feb', HALVES],
    balance: '-8:00:00',
  },
  'of a pay period without any, which is the month': {
    now: '2026-11-30 20:00',
    lines: ['160h a pay period since 1 Nov'],
    balance: '-160:00:00',
  },
  'of a pay period that has changed within': {
    // Six of the 23 days of 20 Oct – 19 Nov, seven of the 21 of November, two of the 23 of December.
    now: '2026-12-02 20:00',
    lines: ['160h a pay period since 12 Nov', PAID_ON_19, 'pay periods 1–31 since 20 Nov'],
    balance: '-108:59:07',
  },
  // 26 Oct – 8 Nov, then 9–22 Nov.
  'of two weeks, at their end': {
    now: '2026-11-08 20:00',
    lines: ['80h a pay period since 26 Oct', BIWEEKLY],
    balance: '-80:00:00',
  },
  'of two weeks, on the first day of the next': {
    now: '2026-11-09 20:00',
    lines: ['80h a pay period since 26 Oct', BIWEEKLY],
    balance: '-88:00:00',
  },
  'of two weeks over the clock change in March and a new year': {
    // Thirteen periods from 13 October to 12 April.
    now: '2026-04-12 20:00',
    lines: ['80h a pay period since 13 Oct 2025', 'pay periods of 2 weeks since 13 Oct 2025'],
    balance: '-1040:00:00',
  },
  'of a month until periods of two weeks begin within it': {
    // Seventeen of the 22 days of October, the last five in the first two weeks.
    now: '2026-10-30 20:00',
    lines: ['176h a pay period Mon–Fri since 1 Oct', BIWEEKLY],
    balance: '-224:00:00',
  },
  'after two weeks that are capped': {
    now: '2026-11-09 00:00',
    lines: ['0h since 2 Nov, starting at +3h', BIWEEKLY, CAPPED_PERIODS],
    balance: '+1:00:00',
  },
  'before the end of two weeks that are capped': {
    now: '2026-11-08 23:59',
    lines: ['0h since 2 Nov, starting at +3h', BIWEEKLY, CAPPED_PERIODS],
    balance: '+3:00:00',
  },
  'on the last day of a capped pay period': {
    now: '2026-11-19 20:00',
    lines: ['0h since 2 Nov, starting at +3h', PAID_ON_19, CAPPED_PERIODS],
    balance: '+3:00:00',
  },
  'after a capped pay period': {
    now: '2026-11-20 00:00',
    lines: ['0h since 2 Nov, starting at +3h', PAID_ON_19, CAPPED_PERIODS],
    balance: '+1:00:00',
  },

  'with a day of vacation': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'vacation 3 Nov'],
    balance: '-8:00:00',
  },
  'with a week of vacation': {
    now: '2026-11-08 20:00',
    lines: [FULL, 'vacation 2–8 Nov'],
    balance: '0:00:00',
  },
  'with an afternoon off': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'sick 3 Nov pm'],
    balance: '-12:00:00',
  },
  'with two hours off': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'off 2h 3 Nov'],
    balance: '-14:00:00',
  },
  'with more hours off than are owed': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'off 10h 3 Nov'],
    balance: '-8:00:00',
  },
  'with vacation on a weekend': {
    now: '2026-11-08 20:00',
    lines: [FULL, 'vacation 7 Nov'],
    balance: '-40:00:00',
  },
  'with work on a day off': {
    now: '2026-11-02 20:00',
    lines: [FULL, 'vacation 2 Nov'],
    sessions: ['2026-11-02 09:00 – 2026-11-02 12:00'],
    balance: '+3:00:00',
  },
  'with a day off that is ahead': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'vacation 4 Nov'],
    balance: '-16:00:00',
  },
  'with a public holiday': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'public holiday 3 Nov Founders'],
    balance: '-8:00:00',
  },
  'with half a public holiday': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'half public holiday 3 Nov'],
    balance: '-12:00:00',
  },
  'with half a public holiday and vacation': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'half public holiday 3 Nov', 'vacation 3 Nov'],
    balance: '-8:00:00',
  },
  'with half a public holiday and half a day of vacation': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'half public holiday 3 Nov', 'half day vacation 3 Nov'],
    balance: '-8:00:00',
  },
  'with a public holiday during vacation': {
    now: '2026-11-04 20:00',
    lines: [FULL, 'public holiday 3 Nov', 'vacation 2–4 Nov'],
    balance: '0:00:00',
  },
  'with a morning and an afternoon off': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'sick 3 Nov am', 'vacation 3 Nov pm'],
    balance: '-8:00:00',
  },
  'with half of an odd number of seconds': {
    now: '2026-11-02 20:00',
    lines: [SEVEN, 'sick 2 Nov pm'],
    balance: '-2:51:26',
  },
  'with both halves of an odd number of seconds': {
    now: '2026-11-02 20:00',
    lines: [SEVEN, 'sick 2 Nov am', 'vacation 2 Nov pm'],
    balance: '0:00:00',
  },
  'with a morning and two hours off': {
    now: '2026-11-03 20:00',
    lines: [FULL, 'sick 3 Nov am', 'off 2h 3 Nov'],
    balance: '-10:00:00',
  },
  'with a holiday before the contract': {
    now: '2026-11-02 20:00',
    lines: [FULL, 'public holiday 30 Oct'],
    balance: '-8:00:00',
  },
  'with vacation in an odd week that owes nothing': {
    now: '2026-11-09 20:00',
    lines: ['even weeks 8h Mon since 2 Nov', 'vacation 2 Nov'],
    balance: '-8:00:00',
  },
  'with a holiday in a month of so many hours': {
    now: '2026-11-30 20:00',
    lines: [MONTHLY, 'public holiday 2 Nov'],
    balance: '-152:22:52',
  },

  'with hours paid out': {
    now: '2026-11-03 20:00',
    lines: [FULL, '-8h paid out 3 Nov'],
    balance: '-24:00:00',
  },
  'with hours added': { now: '2026-11-03 20:00', lines: [FULL, '+2h 3 Nov'], balance: '-14:00:00' },
  'with a correction that is ahead': {
    now: '2026-11-03 20:00',
    lines: [FULL, '+2h 4 Nov'],
    balance: '-16:00:00',
  },
  'with a correction before the contract': {
    now: '2026-11-03 20:00',
    lines: [FULL, '+2h 1 Nov'],
    balance: '-16:00:00',
  },
  'with two corrections on a day': {
    now: '2026-11-03 20:00',
    lines: [FULL, '+2h trip 3 Nov', '+1h call 3 Nov'],
    balance: '-13:00:00',
  },
  'on the last day of a capped month': {
    now: '2026-10-31 20:00',
    lines: ['0h since 1 Oct, starting at +50h', 'at most 40h at the end of each month since 1 Oct'],
    balance: '+50:00:00',
  },
  'after a capped month': {
    now: '2026-11-01 20:00',
    lines: ['0h since 1 Oct, starting at +50h', 'at most 40h at the end of each month since 1 Oct'],
    balance: '+40:00:00',
  },
  'below the cap': {
    now: '2026-11-01 20:00',
    lines: ['0h since 1 Oct, starting at +30h', 'at most 40h at the end of each month since 1 Oct'],
    balance: '+30:00:00',
  },
  'below zero at a cap': {
    now: '2026-11-01 20:00',
    lines: ['0h since 1 Oct, starting at -30h', 'at most 0h at the end of each month since 1 Oct'],
    balance: '-30:00:00',
  },
  'that expires with the year': {
    now: '2026-01-01 20:00',
    lines: [
      '0h since 1 Dec 2025, starting at +5h',
      'at most 0h at the end of each year since 2025',
    ],
    balance: '0:00:00',
  },
  'capped each week': {
    now: '2026-11-09 20:00',
    lines: ['0h since 2 Nov, starting at +3h', 'at most 1h at the end of each week since 2 Nov'],
    balance: '+1:00:00',
  },
  'with a cap that has changed': {
    now: '2026-12-01 20:00',
    lines: [
      '0h since 1 Sep, starting at +60h',
      'at most 40h at the end of each month since 1 Sep',
      'at most 10h at the end of each month since 1 Nov',
    ],
    balance: '+10:00:00',
  },
  'with a cap of the month and of the year': {
    now: '2026-01-01 20:00',
    lines: [
      '0h since 1 Dec 2025, starting at +60h',
      'at most 40h at the end of each month since 2025',
      'at most 20h at the end of each year since 2025',
    ],
    balance: '+20:00:00',
  },
  'with hours paid out on the last day of a capped month': {
    now: '2026-11-01 20:00',
    lines: [
      '0h since 1 Oct, starting at +50h',
      'at most 40h at the end of each month since 1 Oct',
      '-20h paid out 31 Oct',
    ],
    balance: '+30:00:00',
  },

  'with work over midnight into the first day': {
    now: '2026-11-03 20:00',
    lines: ['8h Mon–Fri since 3 Nov'],
    sessions: ['2026-11-02 22:00 – 2026-11-03 02:00'],
    balance: '-6:00:00',
  },
  'with work over midnight after the last owed day': {
    now: '2026-11-07 20:00',
    lines: ['8h Mon–Fri since 6 Nov'],
    sessions: ['2026-11-06 20:00 – 2026-11-07 04:00'],
    balance: '0:00:00',
  },
  'in the night in which the clocks go back': {
    now: '2026-10-25 20:00',
    lines: ['5h Sun since 25 Oct'],
    sessions: ['2026-10-25 00:00 – 2026-10-25 06:00'],
    balance: '+2:00:00',
  },
  'in the night in which the clocks go forward': {
    now: '2026-03-29 20:00',
    lines: ['5h Sun since 29 Mar'],
    sessions: ['2026-03-29 00:00 – 2026-03-29 06:00'],
    balance: '0:00:00',
  },
  'in New York when the clocks go back': {
    zone: 'America/New_York',
    now: '2026-11-01 20:00',
    lines: ['4h Sun since 1 Nov'],
    sessions: ['2026-11-01 00:00 – 2026-11-01 03:00'],
    balance: '0:00:00',
  },
  'in New York in a week of a clock change': {
    zone: 'America/New_York',
    now: '2026-03-14 20:00',
    lines: ['8h Mon–Fri since 8 Mar'],
    sessions: ['2026-03-08 01:00 – 2026-03-08 04:00'],
    balance: '-38:00:00',
  },
  'in Santiago, where a day begins at one': {
    zone: 'America/Santiago',
    now: '2026-09-06 20:00',
    lines: ['1h Sun since 6 Sep'],
    sessions: ['2026-09-05 23:00 – 2026-09-06 02:00'],
    balance: '0:00:00',
  },
  'in Auckland, while it is still Sunday in Berlin': {
    zone: 'Pacific/Auckland',
    now: '2026-11-02 08:00',
    lines: [FULL],
    balance: '-8:00:00',
  },
  'before the hour at which a day begins': {
    startHour: 4,
    now: '2026-11-03 03:30',
    lines: ['2h Mon, 1h Tue since 2 Nov'],
    sessions: ['2026-11-03 01:00 – 2026-11-03 03:00'],
    balance: '0:00:00',
  },
  'after the hour at which a day begins': {
    startHour: 4,
    now: '2026-11-03 04:00',
    lines: ['2h Mon, 1h Tue since 2 Nov'],
    sessions: ['2026-11-03 01:00 – 2026-11-03 03:00'],
    balance: '-1:00:00',
  },
  'with a session that is cut at the own start of the day': {
    startHour: 4,
    now: '2026-11-03 20:00',
    lines: ['2h Tue since 3 Nov'],
    sessions: ['2026-11-03 02:00 – 2026-11-03 05:00'],
    balance: '-1:00:00',
  },
}

test.each(Object.entries(EXAMPLES))('The balance %s', (_, example) => {
  const balance = balanceOf(example)
  expect(balance && signed(balanceAfter(balance))).toBe(example.balance)
})

const BERLIN = dayRuleOf('Europe/Berlin')
const NOON = at('2026-11-02 12:00', 'Europe/Berlin')
const HOUR = 3_600_000

/** The balance on Monday 2 November at noon, in hours. */
function hoursAtNoon(input: Partial<Parameters<typeof hoursBalance>[0]>, filter = '') {
  const all = { entries: [], live: null, tasks: [], dayRule: BERLIN, now: NOON, ...input }
  const balance = hoursBalance(all, testAccount([FULL], filter))
  return balance && balanceAfter(balance) / 3600
}

test('A deleted session does not count, and an edited one as it is now', () => {
  const morning = testEntry({ start: NOON - 4 * HOUR, end: NOON })
  const edited = testEntry({
    start: NOON - 4 * HOUR,
    end: NOON,
    pauses: [[NOON - 2 * HOUR, NOON - HOUR]],
  })
  expect(hoursAtNoon({ entries: [morning] })).toBe(-4)
  expect(hoursAtNoon({ entries: [{ ...morning, deletedAt: NOON }] })).toBe(-8)
  expect(hoursAtNoon({ entries: [edited] })).toBe(-5)
})

test('The running timer counts, once, and only if it is of what counts', () => {
  const live = { ...testEntry({ start: NOON - 2 * HOUR, end: NOON }), note: '#private' }
  expect(hoursAtNoon({ live })).toBe(-6)
  expect(hoursAtNoon({ live, entries: [live] })).toBe(-6)
  expect(hoursAtNoon({ live }, '-#private')).toBe(-8)
  expect(hoursAtNoon({ live }, '#private')).toBe(-6)
})

test('The filter says which sessions count', () => {
  const times = { start: NOON - 2 * HOUR, end: NOON }
  const tasks = [
    testTask('Work', 0, { category: 'Development' }),
    testTask('Garden', 0, { category: 'Home' }),
  ]
  const entries = [
    testEntry({ ...times, taskId: 'work' }),
    testEntry({ ...times, taskId: 'garden' }),
    { ...testEntry({ ...times, taskId: 'work' }), note: 'Dentist #private' },
  ]
  expect(hoursAtNoon({ entries, tasks })).toBe(-2)
  expect(hoursAtNoon({ entries, tasks }, '-category:home')).toBe(-4)
  expect(hoursAtNoon({ entries, tasks }, '-category:home -#private')).toBe(-6)
})

test('A period of the table has all parts, which sum to the balance', () => {
  const example = {
    now: '2026-11-10 20:00',
    lines: [
      `${FULL}, starting at +1h`,
      '8h Mon–Fri since 9 Nov, starting at 0h',
      'vacation 3 Nov',
      'public holiday 4 Nov',
      '-30m lost 5 Nov',
      'at most 0h at the end of each week since 2026',
    ],
    sessions: ['2026-11-02 06:00 – 2026-11-03 06:00', '2026-11-10 09:00 – 2026-11-10 10:00'],
    balance: null,
  }
  const balance = balanceOf(example)
  const rows = balance && balanceSums(balance, 'week')
  expect(rows).toEqual([
    {
      dates: { from: '2026-11-09', to: '2026-11-11' },
      before: 0,
      opening: 0,
      worked: 3600,
      owed: -16 * 3600,
      holidays: 0,
      daysOff: 0,
      corrections: 0,
      lapsed: 0,
      after: -15 * 3600,
    },
    {
      dates: { from: '2026-11-02', to: '2026-11-09' },
      before: 0,
      opening: 3600,
      worked: 24 * 3600,
      owed: -40 * 3600,
      holidays: 8 * 3600,
      daysOff: 8 * 3600,
      corrections: -1800,
      lapsed: -1800,
      after: 0,
    },
  ])
  expect(balance && datesOfBalance(balance)).toEqual({ from: '2026-11-02', to: '2026-11-11' })
  expect(balance && balanceSum(balance, { from: '2026-01-01', to: '2026-11-02' })).toBeNull()
  expect(balance && balanceSum(balance, { from: '2026-11-11', to: '2026-12-01' })).toBeNull()
})

test('The rows of pay periods are cut where the periods change', () => {
  const balance = balanceOf({
    now: '2026-12-18 20:00',
    lines: [FULL, 'pay period 20–19 since 2026', 'pay periods 1–15 and 16–end from 1 Dec'],
    balance: null,
  })
  const rows = balance && balanceSums(balance, 'period')
  expect(rows?.map(({ dates, after }) => [dates.from, dates.to, after / 3600])).toEqual([
    ['2026-12-16', '2026-12-19', -280],
    ['2026-12-01', '2026-12-16', -256],
    ['2026-11-20', '2026-12-01', -168],
    ['2026-11-02', '2026-11-20', -112],
  ])
})

test('The rows of two weeks follow each other from their first day, and end where others begin', () => {
  const balance = balanceOf({
    now: '2026-12-18 20:00',
    lines: [FULL, BIWEEKLY, 'weekly pay periods from 11 Dec'],
    balance: null,
  })
  const rows = balance && balanceSums(balance, 'period')
  expect(rows?.map(({ dates, after }) => [dates.from, dates.to, after / 3600])).toEqual([
    ['2026-12-18', '2026-12-19', -280],
    ['2026-12-11', '2026-12-18', -272],
    ['2026-12-07', '2026-12-11', -232],
    ['2026-11-23', '2026-12-07', -200],
    ['2026-11-09', '2026-11-23', -120],
    ['2026-11-02', '2026-11-09', -40],
  ])
})

test('A running timer says when the balance is zero', () => {
  const live = testEntry({ start: NOON - 4 * HOUR, end: NOON })
  const zero = (lines: readonly string[], isRunning = true, timer: typeof live | null = live) => {
    const input = { entries: [], live: timer, tasks: [], dayRule: BERLIN, now: NOON }
    const balance = hoursBalance(input, testAccount(lines))
    return balance && zeroAt(balance, isRunning)
  }
  expect(zero([FULL])).toBe(NOON + 4 * HOUR)
  expect(zero(['4h Mon–Fri since 2 Nov'])).toBeNull()
  expect(zero([FULL], false)).toBeNull()
  expect(zero([FULL], true, null)).toBeNull()
  // Not today any more.
  expect(zero([`${FULL}, starting at -8h`])).toBeNull()
  expect(zero([`${FULL}, starting at -7h 59m`])).toBe(NOON + 12 * HOUR - 60_000)
})
