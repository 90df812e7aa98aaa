/**
 * A clerk who keeps an hours account by hand, for random years. They write preferences and count by themselves: days
 * with `Date`, the day that a minute belongs to with `Intl`, hours with BigInt. Nothing of `balance/` takes part.
 */
import * as fc from 'fast-check'
import { testEntry, testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'

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

const anyStarts = fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 3 })
const anyPart = fc.record({
  seconds: fc.oneof(
    fc.integer({ min: 0, max: 40 * 3600 }),
    fc.constantFrom(28_800, 138_600, 144_000),
  ),
  span: fc.constantFrom('day', 'week', 'month', 'period', 'year'),
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
export const anyYear = fc.record({
  zone: fc.constantFrom(...ZONES),
  startHour: fc.constantFrom(0, 0, 4, 22),
  // From 2000 on, as servers take no dates before.
  first: fc.integer({ min: 10_980, max: 24_000 }),
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
      fc.constantFrom('week', 'month', 'period', 'year'),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0, max: 200_000 }),
    ),
    { maxLength: 3, selector: ([span, day]) => `${span} ${day}` },
  ),
  periods: fc.uniqueArray(
    fc.tuple(fc.integer({ min: -40, max: 300 }), anyStarts, fc.constantFrom(null, null, 1, 2, 4)),
    { maxLength: 2, selector: ([day]) => day },
  ),
  sessions: fc.array(anySession, { maxLength: 10 }),
  hasTimer: fc.boolean(),
  countsPrivate: fc.boolean(),
})
export type Year = typeof anyYear extends fc.Arbitrary<infer Value> ? Value : never

export function dateText(day: number): string {
  let text = dateTexts.get(day)
  if (text === undefined) {
    text = new Date(day * DAY).toISOString().slice(0, 10)
    dateTexts.set(day, text)
  }
  return text
}

const dateTexts = new Map<number, string>()

// The clerk

/** Writes the preferences as they are stored, without the code that writes them. */
export function prefsOf(year: Year): Record<string, unknown> {
  const { first, contracts, daysOff, holidays, corrections, caps, periods, countsPrivate } = year
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
      ...periods.map(([day, starts, weeks]) => [
        `period:${from(day)}`,
        weeks === null ? starts.toSorted((a, b) => a - b).join(' ') : `${weeks}w`,
      ]),
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

/** Returns whether a pay period begins on a day, by the rule that is in force on another one. */
function startsOn({ first, periods }: Year, day: number): (each: number) => boolean {
  const [now] = periods.filter((each) => first + each[0] <= day).sort((a, b) => b[0] - a[0])
  const [from, starts, weeks] = now ?? [0, [1], null]
  if (weeks === null) return (each) => starts.includes(new Date(each * DAY).getUTCDate())
  return (each) => Math.abs(each - first - from) % (7 * weeks) === 0
}

/** Returns whether a pay period begins on a day: by its date, or because they change. */
export function isPeriodStart(year: Year, day: number): boolean {
  const isChange = year.periods.some((each) => year.first + each[0] === day)
  return isChange || startsOn(year, day)(day)
}

/** Returns what the days of one week, month, pay period or year have in common. */
function unitsOf(span: string, year: Year, day: number): (each: number) => string {
  if (span === 'week') return (each) => String(Math.floor((each + 3) / 7))
  if (span !== 'period') return (each) => dateText(each).slice(0, span === 'month' ? 7 : 4)
  const isStart = startsOn(year, day)
  return (each) => {
    let start = each
    while (!isStart(start)) start--
    return dateText(start)
  }
}

function owedBy(part: Year['contracts'][number]['parts'][number], year: Year, day: number): bigint {
  if (!part.days.includes(weekdayOf(day))) return 0n
  if (part.weeks !== null && (weekNumber(day) % 2 === 1) !== (part.weeks === 'odd')) return 0n
  if (part.span === 'day') return BigInt(part.seconds)
  const unitOf = unitsOf(part.span, year, day)
  const unit = unitOf(day)
  const isOwed = (each: number) => part.days.includes(weekdayOf(each))
  let before = 0n
  for (let each = day - 1; unitOf(each) === unit; each--) if (isOwed(each)) before++
  let all = before
  for (let each = day; unitOf(each) === unit; each++) if (isOwed(each)) all++
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

export interface ClerksDay {
  readonly date: string
  readonly owed: number
  readonly free: number
  readonly worked: number
  readonly balance: number
}

/** Returns the days of the account up to today, as the clerk has them in the books. */
export function clerksDays(year: Year): ClerksDay[] {
  const [today, now] = [todayOf(year), momentOf(year)]
  const { first, contracts, daysOff, holidays, corrections } = year
  const worked = workedByDay(year, now)
  const days: ClerksDay[] = []
  const begin = Math.min(...contracts.map(({ day }) => day))
  let balance = 0
  for (let day = begin; dateText(first + day) <= today; day++) {
    const date = dateText(first + day)
    const [contract] = contracts.filter((each) => each.day <= day).sort((a, b) => b.day - a.day)
    if (contract?.day === day && contract.opening !== null) balance = contract.opening
    const owed = Number(
      (contract?.parts ?? []).reduce((sum, part) => sum + owedBy(part, year, first + day), 0n),
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
    if (date < today) balance = capped(balance, year, day)
    days.push({ date, owed, free, worked: seconds, balance })
  }
  return days
}

function capped(balance: number, year: Year, day: number): number {
  const { first, caps } = year
  const next = new Date((first + day + 1) * DAY)
  const isLast = {
    week: next.getUTCDay() === 1,
    month: next.getUTCDate() === 1,
    period: isPeriodStart(year, first + day + 1),
    year: next.getUTCDate() === 1 && next.getUTCMonth() === 0,
  }
  let most = balance
  for (const span of ['week', 'month', 'period', 'year'] as const) {
    if (!isLast[span]) continue
    const [cap] = caps
      .filter((each) => each[0] === span && each[1] <= day)
      .sort((a, b) => b[1] - a[1])
    if (cap) most = Math.min(most, cap[2])
  }
  return most
}

/** Returns so many random years, in the order of their moments; the same for the same seed. */
export function someYears(count: number, seed: number): Year[] {
  const years = fc.sample(anyYear, { numRuns: count, seed })
  return years.toSorted((a, b) => momentOf(a) - momentOf(b))
}

/** Returns the moment of the balance: noon of its last day by UTC. */
export function momentOf({ first, length }: Year): number {
  return (first + length) * DAY + 12 * 60 * MINUTE
}

/** Returns the date at that moment, by the clocks of the zone and the hour at which days begin. */
export function todayOf(year: Year): string {
  const local = new Date(momentOf(year) - year.startHour * 60 * MINUTE)
  return new Intl.DateTimeFormat('en-CA', { timeZone: year.zone }).format(local)
}

/** Returns the sessions as the reports get them. */
export function inputOf(year: Year) {
  const { zone, startHour, first, sessions, hasTimer } = year
  const now = momentOf(year)
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
