/**
 * What is computed from a person's whole record, or from all their tasks: the figures of programs and assistants, the
 * tasks that they name, the calendar. Each read takes and returns plain data, because it may run in another thread
 * (`histories.ts`).
 */
import { hoursBalance } from '@stint/core/balance/balance.ts'
import { USUAL_DAYS, usualEnds } from '@stint/core/focus/still-working.ts'
import type { WhileClosedInput } from '@stint/core/focus/while-closed.ts'
import { bestChoices } from '@stint/core/fuzzy-search.ts'
import { categorySign } from '@stint/core/record/category.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { overlapping } from '@stint/core/record/overlaps.ts'
import type { ProposedChange } from '@stint/core/record/proposal.ts'
import { goalOf } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { SheetGrouping } from '@stint/core/timesheet/timesheet.ts'
import { balanceCsv } from '@stint/core/transfer/balance-csv.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import { timesheetCsv } from '@stint/core/transfer/timesheet-csv.ts'
import { targetsOf } from '@stint/core/targets/targets.ts'
import { dashboard } from '@stint/core/reports/dashboard.ts'
import { secondsOfTaskToday } from '@stint/core/reports/worked-time.ts'
import { intervalOfDates, startOfDay } from '@stint/core/time/calendar.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { RunningTimer } from '@stint/core/timer/timer.ts'
import type { Static, StaticDecode } from 'typebox'
import { sessionAnswer, taskFinder, timerAnswer } from '#api/answers.ts'
import type {
  BALANCE,
  FOUND,
  NOW,
  OPENED,
  RATES,
  SESSION,
  TARGETS,
  TASKS,
  TIMESHEET,
  TOTAL,
} from '#api/answers.ts'
import { balanceAnswer, beginningOf } from '#api/balance.ts'
import { refuseLong, sessionsToUnseal, sheetToSeal } from '#api/seal.ts'
import type { MarkedSession, SheetToSeal } from '#api/seal.ts'
import {
  begunDates,
  lengthOfAnswer,
  monthOf,
  opened,
  openedAnswer,
  ratesAnswer,
  sealedSheet,
  sheetAnswer,
  sheetOf,
  sheetRule,
} from '#api/timesheet.ts'
import type { SheetQuery } from '#api/timesheet.ts'
import { description } from '#errors.ts'
import { invalidParam } from '#http/params.ts'
import { sessionWanted, startWanted, tasksByUse } from '#api/names.ts'
import type { WantedSession } from '#api/names.ts'
import { DEFAULT_LIMIT } from '#api/params.ts'
import type { BALANCE_OF, FIND, NEW_SESSION, START, SUM_UP } from '#api/params.ts'
import { dayRuleFor } from '#api/person.ts'
import type { Person } from '#api/person.ts'
import { activeSession, reportInput } from '#api/record.ts'
import type { RecordReader } from '#api/record.ts'
import { datesOf, earliestOf, filterOf, foundAnswer, totalAnswer } from '#api/reports.ts'
import { beginningOfTargets, targetsAnswer } from '#api/targets.ts'
import type { Start } from '#api/timer.ts'
import { calendarOf } from '#feed/calendar.ts'
import type { Calendar, CalendarAsked } from '#feed/calendar.ts'
import { changesRead } from '#mcp/propose.ts'
import type { CHANGES } from '#mcp/propose.ts'

/** How many overlapping sessions an answer names, the last ones. Answers are kept for calls that are repeated. */
const MAX_OVERLAPS = 100

/** The reads by name. Each throws ApiError for what is not understood, and what `RecordReader` throws. */
const READS = {
  /** Returns the timer and the work of today. */
  async now(record: RecordReader, person: Person): Promise<Static<typeof NOW>> {
    const { now } = person
    const rule = dayRuleFor(person)
    const all = await record.read(startOfDay(now, rule))
    const { timer, tasks } = all
    return {
      now: instantToWire(now),
      timeZone: rule.timeZone,
      timer: timer && timerAnswer(timer, taskFinder(tasks)(timer.taskId), now),
      todaySeconds: dashboard(reportInput(all, person)).todaySeconds,
    }
  },

  /** Returns the active tasks that fit a text, '@acme' those of that category, those worked on last first. */
  async tasks(record: RecordReader, text: string): Promise<Static<typeof TASKS>['tasks']> {
    const tasks = await tasksByLastUse(record, await record.recentEntries())
    const labelled = tasks.map((task) => {
      return { task, label: task.name, keywords: categorySign(task.category) }
    })
    const found = bestChoices(labelled, text)
    return found.map(({ task: { id, name, category } }) => ({ id, name, category }))
  },

  /** Returns what to start, and the recent entries with which the timer may overlap, with their tasks. */
  async start(
    record: RecordReader,
    { person, sent }: { readonly person: Person; readonly sent: Static<typeof START> },
  ): Promise<{
    readonly wanted: Start
    readonly near: readonly TimeEntry[]
    readonly tasks: readonly Task[]
  }> {
    const recent = await record.recentEntries()
    const tasks = await record.tasks()
    const wanted = startWanted(sent, person, tasksByUse(tasks, recent))
    // The timer that is active goes on if it is of the same task.
    const active = activeSession(await record.sessions())
    const since = Math.min(wanted.at ?? person.now, active?.timer.startedAt ?? person.now)
    const near = recent.filter(({ endedAt }) => endedAt > since)
    const ids = new Set(near.map(({ taskId }) => taskId))
    return { wanted, near, tasks: tasks.filter(({ id }) => ids.has(id)) }
  },

  /** Returns the session to add, and the sessions with which it overlaps. */
  async add(
    record: RecordReader,
    { person, sent }: { readonly person: Person; readonly sent: Static<typeof NEW_SESSION> },
  ): Promise<{
    readonly wanted: WantedSession
    readonly overlaps: readonly Static<typeof SESSION>[]
  }> {
    const recent = await record.recentEntries()
    const wanted = sessionWanted(sent, person, await tasksByLastUse(record, recent))
    const { startedAt, endedAt } = wanted
    const { entries, tasks } = await record.read(startedAt)
    return { wanted, overlaps: overlapsOf({ id: '', startedAt, endedAt }, entries, tasks) }
  },

  /** Returns what reminders of a running timer depend on: usual ends of days, the work on its task today, its goal. */
  async habits(
    record: RecordReader,
    { timer, dayRule, usualEnd, now }: HabitsAsked,
  ): Promise<Pick<WhileClosedInput, 'usualEnds' | 'todaySeconds' | 'goalHours'>> {
    const since = startOfDay(now, dayRule) - (usualEnd ? USUAL_DAYS * 86_400_000 : 0)
    const { entries, tasks } = await record.read(since)
    const task = tasks.find(({ id }) => id === timer.taskId)
    return {
      usualEnds: usualEnd ? usualEnds(entries, dayRule, now) : [],
      todaySeconds: secondsOfTaskToday(timer, entries, dayRule, now),
      goalHours: task ? goalOf(task) : 0,
    }
  },

  /** Returns a page of the sessions that a filter finds. */
  async find(
    record: RecordReader,
    { person, query }: { readonly person: Person; readonly query: StaticDecode<typeof FIND> },
  ): Promise<Static<typeof FOUND>> {
    const { filter } = filterOf(query.filter ?? '', person)
    const all = await record.read(earliestOf(filter))
    const page = { limit: query.limit ?? DEFAULT_LIMIT, cursor: query.cursor ?? null }
    return foundAnswer(reportInput(all, person), filter, page)
  },

  /**
   * Returns the work on some days.
   * @param asked `publicUrl` is the address of the app.
   */
  async total(
    record: RecordReader,
    asked: {
      readonly person: Person
      readonly query: Static<typeof SUM_UP>
      readonly publicUrl: string
    },
  ): Promise<Static<typeof TOTAL>> {
    const { person, publicUrl } = asked
    const { period, from, to, by } = asked.query
    const named = { period: period ?? null, from: from ?? null, to: to ?? null }
    const dates = datesOf(named, person)
    const filter = filterOf(asked.query.filter ?? '', person)
    const since = dates && intervalOfDates(dates, dayRuleFor(person)).start
    const all = await record.read(since)
    return totalAnswer(reportInput(all, person), dates, filter, by ?? null, publicUrl)
  },

  /** Returns the balance of the hours account. `publicUrl` is the address of the app. */
  async balance(
    record: RecordReader,
    asked: {
      readonly person: Person
      readonly query: Static<typeof BALANCE_OF>
      readonly publicUrl: string
    },
  ): Promise<Static<typeof BALANCE>> {
    const { person, query, publicUrl } = asked
    const { period, from, to, by } = query
    const named = { period: period ?? null, from: from ?? null, to: to ?? null }
    const dates = datesOf(named, person)
    const all = await record.read(beginningOf(person.account, person) ?? person.now)
    const isRunning = all.timer?.status === 'running'
    const input = reportInput(all, person)
    return balanceAnswer(input, person, dates, by ?? null, { isRunning, publicUrl })
  },

  /** Returns the hours account as a file, by day. */
  async balanceFile(
    record: RecordReader,
    { person, form }: { readonly person: Person; readonly form: CsvForm },
  ): Promise<string> {
    const all = await record.read(beginningOf(person.account, person) ?? person.now)
    const balance = hoursBalance(reportInput(all, person), person.account)
    return balanceCsv(balance, form)
  },

  /** Returns the timesheet of some days. `publicUrl` is the address of the app. */
  async timesheet(
    record: RecordReader,
    asked: SheetAsked & { readonly publicUrl: string },
  ): Promise<Static<typeof TIMESHEET>> {
    const { sheet, dates, filter, rule, timeZone } = await sheetRead(record, asked)
    return sheetAnswer(sheet, dates, filter, rule, { timeZone, publicUrl: asked.publicUrl })
  },

  /** Returns the timesheet as a file. */
  async timesheetFile(
    record: RecordReader,
    asked: SheetAsked & { readonly groupBy: SheetGrouping; readonly form: CsvForm },
  ): Promise<string> {
    const { sheet, rule } = await sheetRead(record, asked)
    if (lengthOfAnswer(sheet) < sheet.lines.length) {
      throw invalidParam('from', description('sheet_size'))
    }
    const hasAmounts = rule.pricing.rates.length > 0
    return timesheetCsv(sheet, { groupBy: asked.groupBy, hasAmounts }, asked.form)
  },

  /** Returns the timesheet of some days with its seal, and its sessions with their marks. */
  async seal(
    record: RecordReader,
    asked: SheetAsked & { readonly seal: Parameters<typeof sheetToSeal>[2] },
  ): Promise<SheetToSeal> {
    const { sheet, dates, filter, rule } = await sheetRead(record, asked)
    const about = { dates, filter: filter.text.trim(), rule }
    const toSeal = sheetToSeal(sheet, about, asked.seal)
    await refuseLong(toSeal.marked, record)
    return toSeal
  },

  /** Returns a sealed timesheet as it is now. `publicUrl` is the address of the app. */
  async sealed(
    record: RecordReader,
    asked: { readonly person: Person; readonly id: string; readonly publicUrl: string },
  ): Promise<Static<typeof OPENED>> {
    const { person, id, publicUrl } = asked
    const sealed = sealedSheet(person.prefs, id)
    const { seal, pricing } = opened(sealed, await record.entries(), await record.tasks(), person)
    return openedAnswer(sealed, seal, pricing, publicUrl)
  },

  /** Returns the sessions with the mark of a sealed timesheet, without it. */
  async unseal(record: RecordReader, id: string): Promise<MarkedSession[]> {
    const marked = sessionsToUnseal(await record.entries(), id)
    await refuseLong(marked, record)
    return marked
  },

  /** Returns the rates of an hour. */
  async rates(record: RecordReader, prefs: Prefs): Promise<Static<typeof RATES>> {
    return ratesAnswer(prefs, await record.tasks())
  },

  /** Returns how far targets and the daily goals of tasks are. `publicUrl` is the address of the app. */
  async targets(
    record: RecordReader,
    { person, publicUrl }: { readonly person: Person; readonly publicUrl: string },
  ): Promise<Static<typeof TARGETS>> {
    const targets = targetsOf(person.prefs, await record.tasks())
    const all = await record.read(beginningOfTargets(targets, person))
    const isRunning = all.timer?.status === 'running'
    return targetsAnswer(reportInput(all, person), person, targets, { isRunning, publicUrl })
  },

  /** Returns the changes that an assistant proposes, with their tasks found and their times read. */
  async changes(
    record: RecordReader,
    asked: { readonly person: Person; readonly changes: Static<typeof CHANGES> },
  ): Promise<ProposedChange[]> {
    const { person, changes } = asked
    const ids = changes.flatMap(({ id }) => id ?? [])
    const entries = await record.entriesWithIds([...new Set(ids)])
    const byId = new Map(entries.map((entry) => [entry.id, entry]))
    const tasks = await tasksByLastUse(record, await record.recentEntries())
    return changesRead(changes, person, byId, tasks)
  },

  /** Returns the calendar at an instant. */
  calendar(record: RecordReader, asked: CalendarAsked): Promise<Calendar> {
    return calendarOf(record, asked)
  },
}

interface HabitsAsked {
  readonly timer: RunningTimer
  readonly dayRule: DayRule
  readonly usualEnd: boolean
  readonly now: number
}

interface SheetAsked {
  readonly person: Person
  readonly query: SheetQuery
}

async function sheetRead(record: RecordReader, { person, query }: SheetAsked) {
  const { period, from, to } = query
  const named = datesOf({ period: period ?? null, from: from ?? null, to: to ?? null }, person)
  const filter = filterOf(query.filter ?? '', person)
  const rule = sheetRule(person, query)
  const dayRule = dayRuleFor(person)
  const since = intervalOfDates(named ?? monthOf(person), dayRule).start
  const input = reportInput(await record.read(since), person)
  const dates = named === null ? monthOf(person) : begunDates(named, input)
  const sheet = sheetOf(input, dates, filter, rule)
  return { sheet, dates, filter, rule, timeZone: dayRule.timeZone }
}

type Reads = typeof READS

/** The name of a read, what it is asked, and what it answers. */
export type ReadName = keyof Reads
export type Asked<Name extends ReadName> = Parameters<Reads[Name]>[1]
export type Answered<Name extends ReadName> = Awaited<ReturnType<Reads[Name]>>

/** Runs a read. */
export function runRead<Name extends ReadName>(
  name: Name,
  record: RecordReader,
  asked: Asked<Name>,
): Promise<Answered<Name>> {
  const reads: {
    readonly [Each in ReadName]: (
      record: RecordReader,
      asked: Asked<Each>,
    ) => Promise<Answered<Each>>
  } = READS
  return reads[name](record, asked)
}

/** Returns the sessions that share work time with another, the last ones. */
export function overlapsOf(
  work: Pick<TimeEntry, 'id' | 'startedAt' | 'endedAt'>,
  entries: readonly TimeEntry[],
  tasks: readonly Task[],
): Static<typeof SESSION>[] {
  const { after: entry } = newEntry({ ...work, taskId: '' }, work.endedAt)
  const taskOf = taskFinder(tasks)
  const found = overlapping(entry, entries).slice(-MAX_OVERLAPS)
  return found.map((each) => sessionAnswer(each, taskOf(each.taskId)))
}

async function tasksByLastUse(record: RecordReader, recent: readonly TimeEntry[]): Promise<Task[]> {
  return tasksByUse(await record.tasks(), recent)
}
