/**
 * An independent calculation of the hours account, compared over random years. It writes preferences
 * and counts by itself: days with `Date`, the day that a minute belongs to with `Intl`, hours with
 * BigInt. Nothing of `balance/` but what is tested takes part.
 */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testEntry, testTask } from '#test/entries.ts'
import { dateOfDay } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { hoursAccount } from './account.ts'
import { balanceAfter, balanceSum, balanceSums, BALANCE_PERIODS, hoursBalance } from './balance.ts'
import { BALANCE_PARTS } from './balance-parts.ts'

const RUNS = Number(process.env['HISTORIES'] ?? 40)
const MINUTE = 60_000
const DAY = 1440 * MINUTE

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'UTC',
]

// What is generated

const anyPart = fc.record({
  seconds: fc.oneof(
    fc.integer({ min: 0, max: 40 * 3600 }),
    fc.constantFrom(28_800, 138_600, 144_000),
  ),
  span: fc.constantFrom('day', 'week', 'month', 'year'),
  days: fc.subarray([1, 2, 3, 4, 5, 6, 0], { minLength: 1 }),
  weeks: fc.constantFrom(null, null, 'odd', 'even'),
})
const anyContract = fc.record({
  day: fc.integer({ min: 0, max: 300 }),
  parts: fc.array(anyPart, { minLength: 1, maxLength: 3 }),
  opening: fc.option(fc.integer({ min: -100_000, max: 100_000 })),
})
const anyDayOff = fc.record({
  day: fc.integer({ min: -20, max: 400 }),
  days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })),
  absence: fc.constantFrom('vacation', 'sick', 'other'),
  portion: fc.oneof(
    fc.constantFrom('whole', 'half', 'am', 'pm'),
    fc.integer({ min: 1, max: 30_000 }),
  ),
})
const anySession = fc.record({
  minute: fc.integer({ min: -2000, max: 400 * 1440 }),
  minutes: fc.integer({ min: 0, max: 400 }),
  isPrivate: fc.boolean(),
  isDeleted: fc.boolean(),
})
const anyYear = fc.record({
  zone: fc.constantFrom(...ZONES),
  startHour: fc.constantFrom(0, 0, 4, 22),
  first: fc.integer({ min: 10_000, max: 24_000 }),
  length: fc.integer({ min: 1, max: 400 }),
  contracts: fc.uniqueArray(anyContract, {
    minLength: 1,
    maxLength: 3,
    selector: ({ day }) => day,
  }),
  daysOff: fc.uniqueArray(anyDayOff, { maxLength: 8, selector: ({ day }) => day }),
  holidays: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.boolean()), {
    maxLength: 8,
    selector: ([day]) => day,
  }),
  corrections: fc.uniqueArray(
    fc.tuple(fc.integer({ min: -5, max: 400 }), fc.integer({ min: 1, max: 90_000 }), fc.boolean()),
    { maxLength: 4, selector: ([day]) => day },
  ),
  caps: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('week', 'month', 'year'),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0, max: 200_000 }),
    ),
    { maxLength: 3, selector: ([span, day]) => `${span} ${day}` },
  ),
  sessions: fc.array(anySession, { maxLength: 10 }),
  hasTimer: fc.boolean(),
  countsPrivate: fc.boolean(),
})
type Year = typeof anyYear extends fc.Arbitrary<infer Value> ? Value : never

function dateText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

// The clerk

/** Writes the preferences as they are stored, without the code that writes them. */
function prefsOf(year: Year): Record<string, unknown> {
  const { first, contracts, daysOff, holidays, corrections, caps, countsPrivate } = year
  const from = (day: number) => dateText(first + day)
  return {
    ...(countsPrivate ? {} : { balanceFilter: '-#private' }),
    ...Object.fromEntries([
      ...contracts.map(({ day, parts, opening }) => [
        `contract:${from(day)}`,
        parts
          .map(
            ({ weeks, seconds, span, days }) =>
              `${weeks ? `${weeks} ` : ''}${seconds}/${span} ${days.join('')}`,
          )
          .join(', ') + (opening === null ? '' : `; ${opening}`),
      ]),
      ...daysOff.map(({ day, days, absence, portion }) => [
        `dayoff:${from(day)}:${absence}${portion === 'pm' ? ':pm' : ''}`,
        from(day + days - 1) + (portion === 'whole' ? '' : ` ${portion}`),
      ]),
      ...holidays.map(([day, isHalf]) => [
        `holiday:${from(day)}`,
        `${isHalf ? 'half' : 'whole'} Day`,
      ]),
      ...corrections.map(([day, seconds, isLess]) => [
        `correction:${from(day)}:note`,
        isLess ? -seconds : seconds,
      ]),
      ...caps.map(([span, day, seconds]) => [`cap:${span}:${from(day)}`, seconds]),
    ]),
  }
}

/** The number of a week is that of its Thursday among the Thursdays of the year. */
function weekNumber(day: number): number {
  const date = new Date(day * DAY)
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  let count = 0
  for (const year = date.getUTCFullYear(); date.getUTCFullYear() === year; count++) {
    date.setUTCDate(date.getUTCDate() - 7)
  }
  return count
}

function weekdayOf(day: number): number {
  return new Date(day * DAY).getUTCDay()
}

function owedBy(part: Year['contracts'][number]['parts'][number], day: number): bigint {
  if (!part.days.includes(weekdayOf(day))) return 0n
  if (part.weeks !== null && (weekNumber(day) % 2 === 1) !== (part.weeks === 'odd')) return 0n
  if (part.span === 'day') return BigInt(part.seconds)
  const sizeOf = { week: 7, month: 7, year: 4 } as const
  const unitOf = (each: number) =>
    part.span === 'week'
      ? String(Math.floor((each + 3) / sizeOf.week))
      : dateText(each).slice(0, sizeOf[part.span === 'month' ? 'month' : 'year'])
  const isOwed = (each: number) => part.days.includes(weekdayOf(each))
  let before = 0n
  for (let each = day - 1; unitOf(each) === unitOf(day); each--) if (isOwed(each)) before++
  let all = before
  for (let each = day; unitOf(each) === unitOf(day); each++) if (isOwed(each)) all++
  const total = BigInt(part.seconds)
  return (total * (before + 1n)) / all - (total * before) / all
}

/** Returns the seconds of work by day: each minute is given to the day that Intl says. */
function workedByDay({ zone, startHour, first, sessions, countsPrivate }: Year, now: number) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  const worked = new Map<string, number>()
  for (const { minute, minutes, isPrivate, isDeleted } of sessions) {
    if (isDeleted || (isPrivate && !countsPrivate)) continue
    const start = first * DAY + minute * MINUTE
    for (let at = start; at < Math.min(start + minutes * MINUTE, now); at += MINUTE) {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
      const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
      const isBefore = Number(parts.get('hour')) < startHour
      const day = isBefore ? dateText(Date.parse(date) / DAY - 1) : date
      worked.set(day, (worked.get(day) ?? 0) + 60)
    }
  }
  return worked
}

interface ClerksDay {
  readonly date: string
  readonly owed: number
  readonly free: number
  readonly worked: number
  readonly balance: number
}

function clerksDays(year: Year, today: string, now: number): ClerksDay[] {
  const { first, contracts, daysOff, holidays, corrections, caps } = year
  const worked = workedByDay(year, now)
  const days: ClerksDay[] = []
  const begin = Math.min(...contracts.map(({ day }) => day))
  let balance = 0
  for (let day = begin; dateText(first + day) <= today; day++) {
    const date = dateText(first + day)
    const [contract] = contracts.filter((each) => each.day <= day).sort((a, b) => b.day - a.day)
    if (contract?.day === day && contract.opening !== null) balance = contract.opening
    const owed = Number(
      (contract?.parts ?? []).reduce((sum, part) => sum + owedBy(part, first + day), 0n),
    )
    const off = daysOff
      .filter((each) => each.day <= day && day < each.day + each.days)
      .sort((a, b) => a.day - b.day)
    let halves = 0
    for (const [each, isHalf] of holidays) if (each === day) halves = isHalf ? 1 : 2
    for (const { portion } of off) {
      if (typeof portion !== 'number') halves = portion === 'whole' ? 2 : Math.min(2, halves + 1)
    }
    let free = Math.floor((owed * halves) / 2)
    for (const { portion } of off)
      if (typeof portion === 'number') free = Math.min(owed, free + portion)
    const seconds = worked.get(date) ?? 0
    balance += seconds - owed + free
    for (const [each, change, isLess] of corrections) {
      if (each === day) balance += isLess ? -change : change
    }
    if (date < today) balance = capped(balance, caps, first, day)
    days.push({ date, owed, free, worked: seconds, balance })
  }
  return days
}

function capped(balance: number, caps: Year['caps'], first: number, day: number): number {
  const next = new Date((first + day + 1) * DAY)
  const isLast = {
    week: next.getUTCDay() === 1,
    month: next.getUTCDate() === 1,
    year: next.getUTCDate() === 1 && next.getUTCMonth() === 0,
  }
  let most = balance
  for (const span of ['week', 'month', 'year'] as const) {
    if (!isLast[span]) continue
    const [cap] = caps
      .filter((each) => each[0] === span && each[1] <= day)
      .sort((a, b) => b[1] - a[1])
    if (cap) most = Math.min(most, cap[2])
  }
  return most
}

// The comparison

function inputOf(year: Year, now: number) {
  const { zone, startHour, first, sessions, hasTimer } = year
  const entries = sessions.map(({ minute, minutes, isPrivate, isDeleted }) => {
    const start = first * DAY + minute * MINUTE
    const end = Math.min(start + minutes * MINUTE, Math.max(start, now))
    return {
      ...testEntry({ start, end, deletedAt: isDeleted ? end : null }),
      note: isPrivate ? 'Dentist #private' : 'Work',
    }
  })
  const live = hasTimer && entries[0]?.deletedAt === null ? entries[0] : null
  return {
    entries: live ? entries.slice(1) : entries,
    live,
    tasks: [testTask('Write')],
    dayRule: dayRuleOf(zone, startHour),
    now,
  }
}

test(
  'An independent count agrees with the balance of every day of random years, to the second',
  () => {
    fc.assert(
      fc.property(anyYear, fc.integer({ min: 0, max: 5000 }), (year, cut) => {
        // Noon by every clock but those of the islands, which are a day ahead.
        const now = (year.first + year.length) * DAY + 12 * 60 * MINUTE
        const input = inputOf(year, now)
        const balance = hoursBalance(input, hoursAccount(prefsOf(year)))
        const local = new Date(now - year.startHour * 60 * MINUTE)
        const today = new Intl.DateTimeFormat('en-CA', { timeZone: year.zone }).format(local)
        const clerk = clerksDays(year, today, now)
        const ours = balance ? balanceSums(balance, 'day').toReversed() : []
        expect(
          ours.map(({ dates, owed, holidays, daysOff, worked, after }) => {
            return {
              date: dates.from,
              owed: 0 - owed,
              free: holidays + daysOff,
              worked,
              balance: after,
            }
          }),
        ).toEqual(clerk)
        if (balance) sumsAgree(balance, cut)
      }),
      { numRuns: RUNS },
    )
  },
  60_000 + RUNS * 200,
)

/** Any cut of the range, and the rows of every table, sum to the balance. */
function sumsAgree(balance: NonNullable<ReturnType<typeof hoursBalance>>, cut: number) {
  for (const period of BALANCE_PERIODS) {
    const rows = balanceSums(balance, period).toReversed()
    for (const [index, row] of rows.entries()) {
      expect(row.before).toBe(rows[index - 1]?.after ?? 0)
      const changes = BALANCE_PARTS.reduce((sum, part) => sum + row[part], 0)
      expect(row.before + changes).toBe(row.after)
    }
    expect(rows.at(-1)?.after).toBe(balanceAfter(balance))
  }
  const days = balance.balances.length
  const part = balanceSum(balance, {
    from: dateOfDay(balance.firstDay),
    to: dateOfDay(balance.firstDay + 1 + (cut % days)),
  })
  expect(part?.after).toBe(balance.balances[cut % days])
}
