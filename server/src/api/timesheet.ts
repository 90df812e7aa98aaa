/** The timesheet of a person, their rates and their sealed sheets, with core's functions as the app calls them. */
import { createHash } from 'node:crypto'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { Task } from '@stint/core/record/task.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { unbilledCategories } from '@stint/core/record/billable.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { addMonths, lastDay, localDate, startOfMonth } from '@stint/core/time/calendar.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { FIRST_DAY } from '@stint/core/time/date-text.ts'
import { sheetChoices } from '@stint/core/timesheet/choices.ts'
import { moneyNumber } from '@stint/core/timesheet/money.ts'
import type { Money } from '@stint/core/timesheet/money.ts'
import { ratesOf } from '@stint/core/timesheet/rates.ts'
import { openedSeal } from '@stint/core/timesheet/opened-seal.ts'
import type { OpenedSeal } from '@stint/core/timesheet/opened-seal.ts'
import { roundingSentence } from '@stint/core/timesheet/rounding.ts'
import type { Rounding } from '@stint/core/timesheet/rounding.ts'
import { sealedSheets, sheetText } from '@stint/core/timesheet/sealed-sheets.ts'
import type { SealedSheet } from '@stint/core/timesheet/sealed-sheets.ts'
import { timesheet } from '@stint/core/timesheet/timesheet.ts'
import type { Pricing, SheetLine, SheetRule, Timesheet } from '@stint/core/timesheet/timesheet.ts'
import type { Static, StaticDecode } from 'typebox'
import { apiError } from '#errors.ts'
import type { MONEY, OPENED, RATES, SEALED, SEALED_SHEET, TIMESHEET } from './answers.ts'
import type { SHEET_OF } from './params.ts'
import { dayRuleFor } from './person.ts'
import type { Person } from './person.ts'
import { meanings } from './reports.ts'
import type { TextFilter } from './reports.ts'

/** Which sheet a call means; what is left out, or null, is as usual. */
export type SheetQuery = {
  readonly [Name in keyof StaticDecode<typeof SHEET_OF>]?:
    | StaticDecode<typeof SHEET_OF>[Name]
    | null
}

/** How many lines an answer has, the first ones, and how many characters of notes: more would delay everybody. */
const MAX_LINES = 20_000
const MAX_NOTES = 1_000_000

/** Returns the days of this month, which a sheet has if none are named. */
export function monthOf(person: Person): DateRange {
  const from = startOfMonth(localDate(person.now, dayRuleFor(person)))
  return { from, to: addMonths(from, 1) }
}

/** Returns the days; of 'until 3 Nov' those from the first session on. */
export function begunDates(dates: DateRange, { entries, dayRule, now }: ReportInput): DateRange {
  if (dates.from !== FIRST_DAY) return dates
  const start = entries.reduce((first, { startedAt }) => Math.min(first, startedAt), now)
  const first = localDate(start, dayRule)
  return { from: first < dates.to ? first : lastDay(dates), to: dates.to }
}

/** Returns the rule that the query names, and what it leaves open as the owner has chosen it for timesheets. */
export function sheetRule(
  { prefs }: Person,
  { step, direction, per, billable }: SheetQuery,
): SheetRule {
  const { rounding, onlyBillable } = sheetChoices(prefs)
  return {
    rounding: {
      step: step ?? rounding.step,
      direction: direction ?? rounding.direction,
      per: per ?? rounding.per,
    },
    onlyBillable: billable ? billable === 'only' : onlyBillable,
    pricing: pricingOf(prefs),
  }
}

function pricingOf(prefs: Prefs): Pricing {
  return { rates: ratesOf(prefs), unbilled: unbilledCategories(prefs) }
}

/**
 * Returns the sealed sheet of an id.
 * @throws ApiError stint_sheet_not_found.
 */
export function sealedSheet(prefs: Prefs, id: string): SealedSheet {
  const found = sealedSheets(prefs).find((sheet) => sheet.id === id)
  if (found === undefined) throw apiError('stint_sheet_not_found')
  return found
}

/** Returns a sealed sheet as it is now. `all`: its owner's entries, deleted ones too. */
export function opened(
  sealed: SealedSheet,
  all: readonly TimeEntry[],
  tasks: readonly Task[],
  person: Person,
): { readonly seal: OpenedSeal; readonly pricing: Pricing } {
  const pricing = pricingOf(person.prefs)
  const { weekStart } = person.settings
  const context = { dayRule: dayRuleFor(person), weekStart, unbilled: pricing.unbilled }
  const entries = all.filter(({ deletedAt }) => deletedAt === null)
  return { seal: openedSeal(sealed, { entries, all, tasks, context, pricing }), pricing }
}

/** Returns the sheet of the days over the sessions that the filter finds. */
export function sheetOf(
  { entries, tasks }: ReportInput,
  dates: DateRange,
  { filter }: TextFilter,
  rule: SheetRule,
): Timesheet {
  return timesheet(findSessions(filter, entries, tasks), dates, tasks, rule)
}

/**
 * Returns the sheet as programs get it.
 * @param publicUrl the address of the app.
 */
export function sheetAnswer(
  sheet: Timesheet,
  dates: DateRange,
  { filter, text }: TextFilter,
  { rounding, onlyBillable, pricing }: SheetRule,
  { timeZone, publicUrl }: { readonly timeZone: string; readonly publicUrl: string },
): Static<typeof TIMESHEET> {
  const query = new URLSearchParams({
    from: dates.from,
    to: lastDay(dates),
    ...(text === '' ? {} : { q: text }),
  })
  return {
    filter: meanings(filter),
    from: dates.from,
    to: lastDay(dates),
    timeZone,
    ...ruleAnswer(rounding),
    rule: roundingSentence(rounding),
    onlyBillable,
    seconds: sheet.seconds,
    exactSeconds: sheet.exactSeconds,
    sessions: sheet.sessionCount,
    amounts: sheet.amounts.map(moneyAnswer),
    ...linesAnswer(sheet, pricing),
    sha256: sheetHash(sheet),
    explain: `${publicUrl}/timesheet?${query.toString()}`,
  }
}

function linesAnswer(
  sheet: Timesheet,
  { rates }: Pricing,
): Pick<Static<typeof TIMESHEET>, 'lines' | 'linesLeftOut'> {
  const lines = sheet.lines.slice(0, lengthOfAnswer(sheet))
  return {
    lines: lines.map((line) => lineAnswer(line, rates.length > 0)),
    linesLeftOut: sheet.lines.length - lines.length,
  }
}

/** How many differences to a seal an answer has, the first ones. */
const MAX_DIFFERENCES = 1000

/** Returns a sealed sheet as it is now. `publicUrl` is the address of the app. */
export function openedAnswer(
  sealed: SealedSheet,
  { sheet, differences }: OpenedSeal,
  pricing: Pricing,
  publicUrl: string,
): Static<typeof OPENED> {
  const sha256 = sheetHash(sheet)
  return {
    sheet: sealedSheetAnswer(sealed),
    isSame: sha256 === sealed.hash && differences.length === 0,
    differences: differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ entry, taskName, what, sealedSeconds, seconds }) => ({
        id: entry.id,
        task: { id: entry.taskId, name: taskName },
        what: [...what],
        sealedSeconds,
        seconds,
      })),
    seconds: sheet.seconds,
    amounts: sheet.amounts.map(moneyAnswer),
    ...linesAnswer(sheet, pricing),
    sha256,
    explain: pageOfSeal(sealed, publicUrl),
  }
}

/** Returns the page of the app with a sealed sheet. */
export function pageOfSeal({ id }: Pick<SealedSheet, 'id'>, publicUrl: string): string {
  return `${publicUrl}/timesheet?sheet=${id}`
}

/** Returns the SHA-256 of the lines of a sheet, in hex. */
export function sheetHash(sheet: Timesheet): string {
  return createHash('sha256').update(sheetText(sheet)).digest('hex')
}

/** Returns how many lines fit into an answer, from the first one on. */
export function lengthOfAnswer({ lines }: Timesheet): number {
  let length = 0
  let characters = 0
  for (const { notes } of lines) {
    characters += notes.reduce((sum, note) => sum + note.length, 0)
    if (length === MAX_LINES || characters > MAX_NOTES) break
    length += 1
  }
  return length
}

function ruleAnswer({
  step,
  direction,
  per,
}: Rounding): Pick<Static<typeof TIMESHEET>, 'step' | 'direction' | 'per'> {
  return { step, direction, per }
}

function lineAnswer(
  line: SheetLine,
  hasAmounts: boolean,
): Static<typeof TIMESHEET>['lines'][number] {
  const { date, taskId, taskName, notes, seconds, exactSeconds, isBillable, amount } = line
  return {
    date,
    task: { id: taskId, name: taskName },
    notes: [...notes],
    seconds,
    exactSeconds,
    billable: isBillable,
    amount: hasAmounts && amount ? moneyAnswer(amount) : null,
  }
}

function moneyAnswer(money: Money): Static<typeof MONEY> {
  return { amount: moneyNumber(money), currency: money.currency }
}

/** Returns the rates of an hour, the newest first, and which categories are not billable by default. */
export function ratesAnswer(prefs: Prefs, tasks: readonly Task[]): Static<typeof RATES> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return {
    rates: ratesOf(prefs).map(({ target: { kind, name }, from, money }) => ({
      task: kind === 'task' ? { id: name, name: nameInReports(byId.get(name)) } : null,
      category: kind === 'category' ? name : null,
      from: from === FIRST_DAY ? null : from,
      ...moneyAnswer(money),
    })),
    notBillable: [...unbilledCategories(prefs)].toSorted(),
  }
}

/** Returns the sealed sheets, the latest first. */
export function sealedAnswer(prefs: Prefs): Static<typeof SEALED> {
  return { sheets: sealedSheets(prefs).map(sealedSheetAnswer) }
}

export function sealedSheetAnswer(sheet: SealedSheet): Static<typeof SEALED_SHEET> {
  const { id, sealedOn, dates, filter, rounding, onlyBillable, seconds, hash } = sheet
  return {
    id,
    sealedOn,
    from: dates.from,
    to: lastDay(dates),
    filter,
    ...ruleAnswer(rounding),
    onlyBillable,
    seconds,
    sha256: hash,
  }
}
