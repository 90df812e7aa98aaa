/** What the API for programs answers: timers, sessions, tasks and totals. */
import { nameInReports } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { tagsOf } from '@stint/core/record/tags.ts'
import type { SetFields, TimeEntry } from '@stint/core/record/time-entry.ts'
import { DIFFERENCES } from '@stint/core/timesheet/seal-sheet.ts'
import { ROUNDED_UNITS, ROUNDING_DIRECTIONS } from '@stint/core/timesheet/rounding.ts'
import { BOUNDS, TARGET_SPANS } from '@stint/core/targets/targets.ts'
import { marksOf } from '@stint/core/timesheet/seals.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { answer, utcInstant } from '#http/answers.ts'

const seconds = Type.Integer({ minimum: 0 })

const TASK_NAME = answer({ id: Type.String(), name: Type.String() }, 'taskName')

/** What programs get of the fields that an edit sets. A field that is added does not compile without its form here. */
const SET = {
  note: Type.Union([Type.String(), Type.Null()]),
  billable: Type.Union([Type.Boolean(), Type.Null()], { description: 'null: as its category is' }),
  invoiced: Type.Array(Type.String(), {
    description: 'the days on which timesheets with it were sealed',
  }),
} satisfies Record<Exclude<keyof SetFields, 'taskId'>, TSchema>

const NOTE = {
  note: SET.note,
  tags: Type.Array(Type.String(), { description: 'the words of the note that begin with #' }),
}

export const TIMER = answer(
  {
    id: Type.String({ description: 'also of the session that it becomes' }),
    task: TASK_NAME,
    startedAt: utcInstant,
    seconds: Type.Integer({ minimum: 0, description: 'of work until now, without pauses' }),
    state: Type.Enum(['running', 'paused']),
    ...NOTE,
  },
  'timer',
)

export const SESSION = answer(
  {
    id: Type.String(),
    task: TASK_NAME,
    start: utcInstant,
    end: utcInstant,
    seconds: Type.Integer({ minimum: 0, description: 'of work, without pauses' }),
    ...SET,
    ...NOTE,
  },
  'workSession',
)

export const TIMER_OR_NULL = Type.Union([TIMER, Type.Null()])
export const SESSION_OR_NULL = Type.Union([SESSION, Type.Null()])

export const NOW = answer(
  {
    now: utcInstant,
    timeZone: Type.String(),
    timer: TIMER_OR_NULL,
    todaySeconds: Type.Integer({ minimum: 0, description: 'of today, the running timer included' }),
  },
  'now',
)

export const STARTED = answer(
  {
    timer: TIMER,
    stopped: Type.Union([SESSION, Type.Null()], {
      description: 'the session of the timer that was active before',
    }),
    overlaps: Type.Array(SESSION, {
      description: 'sessions with work after the start, the last 100',
    }),
  },
  'started',
)

export const STOPPED = answer(
  {
    session: Type.Union([SESSION, Type.Null()], { description: 'null: less than a second' }),
  },
  'stopped',
)

export const PRESSED = answer({ timer: TIMER }, 'pressed')

export const ADDED = answer(
  {
    session: SESSION,
    overlaps: Type.Array(SESSION, {
      description: 'sessions with work at the same time, the last 100',
    }),
  },
  'added',
)

const FILTER = Type.Array(Type.String(), { description: 'what each part of the filter means' })

export const FOUND = answer(
  {
    filter: FILTER,
    sessions: Type.Array(SESSION, { description: 'newest first' }),
    total: answer({ count: Type.Integer(), seconds }),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'the `cursor` of the next page; null: this is the last one',
    }),
  },
  'foundSessions',
)

export const CSV = Type.String({ contentMediaType: 'text/csv' })

export const TASKS = answer(
  {
    tasks: Type.Array(
      answer({ id: Type.String(), name: Type.String(), category: Type.String() }, 'taskSummary'),
    ),
  },
  'taskList',
)

export const TOTAL = answer(
  {
    filter: FILTER,
    from: Type.String({ description: 'the first day' }),
    to: Type.String({ description: 'the last day' }),
    timeZone: Type.String(),
    seconds,
    sessions: answer({
      begun: Type.Integer({ description: 'saved sessions that start on these days' }),
      earlier: Type.Integer({
        description: 'saved sessions that start earlier and reach into them',
      }),
      running: Type.Boolean({ description: 'whether the running timer counts' }),
    }),
    groups: Type.Array(answer({ key: Type.String(), name: Type.String(), seconds }), {
      description: 'with `by`: by day in order, otherwise the largest first; at most 20,000',
    }),
    groupsLeftOut: Type.Integer({ minimum: 0, description: 'how many groups there are beyond' }),
    explain: Type.String({ description: 'a page of the app that shows these sessions' }),
  },
  'total',
)

const signedSeconds = (description: string) => Type.Integer({ description })

export const BALANCE_SUM = answer(
  {
    from: Type.String({ description: 'the first day' }),
    to: Type.String({ description: 'the last day' }),
    before: signedSeconds(
      'the balance before the first day, in seconds; the parts below add up to `after`',
    ),
    opening: signedSeconds('to what a contract begins with'),
    worked: signedSeconds('work of the sessions that count'),
    owed: signedSeconds('by the contract, below zero'),
    holidays: signedSeconds('what public holidays take off that'),
    daysOff: signedSeconds('what days off take off the rest'),
    corrections: signedSeconds('paid out, forgotten or given'),
    lapsed: signedSeconds('over the limit at the end of a period, below zero'),
    after: signedSeconds('the balance after the last day'),
  },
  'balanceSum',
)

export const BALANCE = answer(
  {
    timeZone: Type.String(),
    balance: Type.Union([BALANCE_SUM, Type.Null()], {
      description: 'of the days that the account has; null: none of them, or no account',
    }),
    zeroAt: Type.Union([Type.String(), Type.Null()], {
      description: 'when the running timer brings the balance to zero; null: not today',
    }),
    periods: Type.Array(BALANCE_SUM, {
      description: 'with `by`, the latest first; at most 20,000',
    }),
    explain: Type.String({ description: 'the page of the app that explains it' }),
  },
  'balance',
)

export const MONEY = answer(
  {
    amount: Type.String({ description: 'with the decimals of the currency: `1234.50`' }),
    currency: Type.String({ description: 'by ISO 4217' }),
  },
  'money',
)

const ROUNDED = {
  step: Type.Integer({ description: 'minutes to which times are rounded; 0: they are exact' }),
  direction: Type.Enum([...ROUNDING_DIRECTIONS]),
  per: Type.Enum([...ROUNDED_UNITS], { description: 'what is rounded; a line is a task of a day' }),
}
const SHA256 = Type.String({ description: 'of the lines, as the app seals them' })

const SHEET_LINES = {
  lines: Type.Array(
    answer(
      {
        date: Type.String(),
        task: TASK_NAME,
        notes: Type.Array(Type.String()),
        seconds,
        exactSeconds: seconds,
        billable: Type.Boolean(),
        amount: Type.Union([MONEY, Type.Null()], {
          description: 'null: no rate, or not billable',
        }),
      },
      'timesheetLine',
    ),
    { description: 'by day; at most 20,000' },
  ),
  linesLeftOut: Type.Integer({ minimum: 0 }),
}

export const TIMESHEET = answer(
  {
    filter: FILTER,
    from: Type.String({ description: 'the first day' }),
    to: Type.String({ description: 'the last day' }),
    timeZone: Type.String(),
    ...ROUNDED,
    rule: Type.String({ description: 'the rule as a sentence' }),
    onlyBillable: Type.Boolean(),
    seconds: Type.Integer({ minimum: 0, description: 'rounded; the lines sum to it' }),
    exactSeconds: seconds,
    sessions: Type.Integer({ minimum: 0, description: 'saved sessions with work on the sheet' }),
    amounts: Type.Array(MONEY, { description: 'by currency; none without rates' }),
    ...SHEET_LINES,
    sha256: SHA256,
    explain: Type.String({ description: 'the page of the app with this sheet' }),
  },
  'timesheet',
)

export const RATES = answer(
  {
    rates: Type.Array(
      answer(
        {
          task: Type.Union([TASK_NAME, Type.Null()]),
          category: Type.Union([Type.String(), Type.Null()]),
          from: Type.Union([Type.String(), Type.Null()], {
            description: 'the first day on which it counts; null: always',
          }),
          ...MONEY.properties,
        },
        'rate',
      ),
      { description: 'for an hour, the newest first; that of a task counts before its category' },
    ),
    notBillable: Type.Array(Type.String(), {
      description: 'categories, in lower case, whose sessions are not billable by default',
    }),
  },
  'rateList',
)

export const SEALED_SHEET = answer(
  {
    id: Type.String(),
    sealedOn: Type.String(),
    from: Type.String({ description: 'the first day' }),
    to: Type.String({ description: 'the last day' }),
    filter: Type.String(),
    ...ROUNDED,
    onlyBillable: Type.Boolean(),
    seconds,
    sha256: SHA256,
  },
  'sealedTimesheet',
)

export const SEALED = answer(
  { sheets: Type.Array(SEALED_SHEET, { description: 'the latest first' }) },
  'sealedTimesheets',
)

export const OPENED = answer(
  {
    sheet: SEALED_SHEET,
    isSame: Type.Boolean({ description: 'whether the sheet has its seal still: nothing differs' }),
    differences: Type.Array(
      answer(
        {
          id: Type.String({ description: 'of the session' }),
          task: TASK_NAME,
          what: Type.Array(Type.Enum([...DIFFERENCES])),
          sealedSeconds: seconds,
          seconds,
        },
        'sealDifference',
      ),
      { description: 'the sessions that are not as they were sealed; at most 1000' },
    ),
    seconds,
    amounts: TIMESHEET.properties.amounts,
    ...SHEET_LINES,
    sha256: SHA256,
    explain: Type.String({ description: 'the page of the app with this sheet' }),
  },
  'openedTimesheet',
)

export const UNSEALED = answer(
  {
    sheet: SEALED_SHEET,
    sessions: Type.Integer({ minimum: 0, description: 'how many had its mark' }),
  },
  'unsealedTimesheet',
)

export const JUST_SEALED = answer(
  {
    sheet: SEALED_SHEET,
    sessions: Type.Integer({ minimum: 1, description: 'how many are marked as invoiced' }),
    explain: Type.String({ description: 'the page of the app with this sheet' }),
  },
  'justSealed',
)

export const TARGET = answer(
  {
    bound: Type.Enum([...BOUNDS], { description: 'at least, or at most' }),
    span: Type.Enum([...TARGET_SPANS]),
    of: answer(
      {
        kind: Type.Enum(['all', 'category', 'tag', 'task']),
        id: Type.Union([Type.String(), Type.Null()], { description: 'of a task' }),
        name: Type.String(),
      },
      'targetScope',
    ),
    seconds: Type.Integer({ minimum: 1 }),
    from: Type.String({ description: 'the first day of the day, week or month that contains now' }),
    to: Type.String({ description: 'its last day' }),
    worked: Type.Integer({ minimum: 0, description: 'seconds, the running timer included' }),
    percent: Type.Integer({ minimum: 0, description: 'above 100 once it is passed' }),
    state: Type.Enum(['reached', 'onTrack', 'behind', 'over', 'fast'], {
      description: 'fast: more than an even share up to today',
    }),
    left: Type.Integer({ minimum: 0, description: 'seconds to go, or left' }),
    over: Type.Integer({ minimum: 0, description: 'seconds beyond the target' }),
    daysLeft: Type.Integer({ minimum: 0, description: 'that count, today included' }),
    perDay: Type.Union([Type.Integer(), Type.Null()], {
      description: 'seconds to go, or left, on each of these days',
    }),
    reachedAt: Type.Union([Type.String(), Type.Null()], {
      description: 'when the running timer reaches it; null: not today',
    }),
  },
  'target',
)

export const TARGETS = answer(
  {
    timeZone: Type.String(),
    targets: Type.Array(TARGET, { description: 'with the daily goals of tasks' }),
    explain: Type.String({ description: 'the page of the app that shows them' }),
  },
  'targetList',
)

/** Returns a timer at the instant `now`. */
export function timerAnswer(
  timer: ActiveTimer,
  task: Task | undefined,
  now: number,
): Static<typeof TIMER> {
  return {
    id: timer.sessionId,
    task: { id: timer.taskId, name: nameInReports(task) },
    startedAt: instantToWire(timer.startedAt),
    seconds: elapsedSeconds(timer, now),
    state: timer.status,
    ...noteAnswer(timer.note ?? null),
  }
}

/** Returns a saved session. */
export function sessionAnswer(entry: TimeEntry, task: Task | undefined): Static<typeof SESSION> {
  return {
    id: entry.id,
    task: { id: entry.taskId, name: nameInReports(task) },
    start: instantToWire(entry.startedAt),
    end: instantToWire(entry.endedAt),
    seconds: entry.durationSeconds,
    ...noteAnswer(entry.note),
    billable: entry.billable,
    invoiced: marksOf(entry).map(({ sealedOn }) => sealedOn),
  }
}

function noteAnswer(note: string | null): { note: string | null; tags: string[] } {
  return { note, tags: [...tagsOf(note)] }
}

/** Returns a function that finds a task by its id. */
export function taskFinder(tasks: readonly Task[]): (id: string) => Task | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return (id) => byId.get(id)
}
