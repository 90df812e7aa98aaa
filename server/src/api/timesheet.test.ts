/** The timesheet of programs is that of the app, line by line, and so are its files, rates and seals. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { unbilledCategories } from '@stint/core/record/billable.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { moneyNumber } from '@stint/core/timesheet/money.ts'
import { ratesOf } from '@stint/core/timesheet/rates.ts'
import type { Rounding } from '@stint/core/timesheet/rounding.ts'
import { prefsWithSheet, sheetText } from '@stint/core/timesheet/sealed-sheets.ts'
import { timesheet } from '@stint/core/timesheet/timesheet.ts'
import { SESSION_CSV_FORM } from '@stint/core/transfer/session-csv.ts'
import { timesheetCsv } from '@stint/core/transfer/timesheet-csv.ts'
import { serverForEach } from '@stint/testing/server-tests.ts'
import type { TestUser } from '@stint/testing/test-app.ts'
import { storeRecord } from '@stint/testing/worst-records.ts'

/** Tuesday 31 March 2026, 12:00 in Berlin, two days after the clocks went forward. */
const NOW = Date.UTC(2026, 2, 31, 10)
const MARCH = { from: '2026-03-01', to: '2026-04-01' } as const
const server = serverForEach({ now: NOW })

const PREFS = {
  timeZone: 'Europe/Berlin',
  weekStart: 1,
  timesheet: '15 up line day',
  'rate:category:Development:2026-01-01': '95.50 EUR',
  'notBillable:Admin': true,
}

/** Signs Ann in, with sessions on three days. */
async function annWithSessions(prefs: Record<string, unknown> = PREFS) {
  const ann = await server.signedInUser('Ann')
  await ann.call('PATCH', '/account/prefs', { prefs })
  const program = await server.program(ann)
  for (const [task, start, end, note] of [
    ['Write', '2026-02-28T09:00+01:00', '2026-02-28T10:00+01:00'],
    ['Write', '2026-03-26T09:00+01:00', '2026-03-26T10:07+01:00', '#acme'],
    ['Call', '2026-03-26T11:00+01:00', '2026-03-26T11:10+01:00'],
    ['Write', '2026-03-28T23:00+01:00', '2026-03-29T03:00+02:00'],
    ['Write', '2026-03-31T07:00+02:00', '2026-03-31T07:30+02:00'],
  ]) {
    expect(await program('POST', '/sessions', { task, start, end, note })).toMatchObject({
      status: 201,
    })
  }
  return { ann, program }
}

/** Returns the sheet of March over the documents that the app reads. */
async function sheetOfApp(
  ann: TestUser,
  rounding: Rounding,
  prefs: Record<string, unknown> = PREFS,
) {
  const list = async (collection: string) =>
    (await ann.call('GET', `/databases/stint/collections/${collection}/documents`)).body.documents
  const entries: Parameters<typeof entryFromDocument>[0][] = await list('time_entries')
  const tasks: Parameters<typeof taskFromDocument>[0][] = await list('tasks')
  const dayRule = dayRuleOf('Europe/Berlin')
  const all = tasks.map((task) => taskFromDocument(task))
  const found = findSessions(
    parseFilter('', { now: NOW, dayRule }),
    entries.map((entry) => entryFromDocument(entry)),
    all,
  )
  const pricing = { rates: ratesOf(prefs), unbilled: unbilledCategories(prefs) }
  return timesheet(found, MARCH, all, { rounding, pricing, onlyBillable: false })
}

const RULES = [
  [15, 'up', 'line'],
  [6, 'nearest', 'session'],
  [30, 'down', 'total'],
  [0, 'up', 'line'],
] as const

test.each(RULES)(
  'the lines are those of the app, rounded to %s minutes %s by %s',
  async (...rule) => {
    const [step, direction, per] = rule
    const { ann, program } = await annWithSessions()
    const sheet = await sheetOfApp(ann, { step, direction, per })
    const { status, body } = await program(
      'GET',
      `/timesheet?period=march&step=${step}&direction=${direction}&per=${per}`,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      from: '2026-03-01',
      to: '2026-03-31',
      step,
      direction,
      per,
      seconds: sheet.seconds,
      exactSeconds: 17_220,
      sessions: 4,
      linesLeftOut: 0,
      sha256: createHash('sha256').update(sheetText(sheet)).digest('hex'),
    })
    expect(
      body.lines.map((line: typeof body) => [
        line.date,
        line.task.name,
        line.seconds,
        line.amount?.amount,
      ]),
    ).toEqual(
      sheet.lines.map((line) => [
        line.date,
        line.taskName,
        line.seconds,
        line.amount ? moneyNumber(line.amount) : undefined,
      ]),
    )
    const sum = body.lines.reduce((all: number, line: typeof body) => all + line.seconds, 0)
    expect(sum).toBe(body.seconds)

    const file = await program(
      'GET',
      `/timesheet.csv?period=march&step=${step}&direction=${direction}&per=${per}&group=task`,
    )
    expect(file.body).toBe(
      timesheetCsv(sheet, { groupBy: 'task', hasAmounts: true }, SESSION_CSV_FORM),
    )
  },
)

test('without a rule and days, it is this month by the rule that was chosen in the app', async () => {
  const { program } = await annWithSessions()
  const { body } = await program('GET', '/timesheet')
  expect(body).toMatchObject({
    from: '2026-03-01',
    to: '2026-03-31',
    rule: 'Each task of a day is rounded up to 15 minutes.',
    // 1:15, 0:15, 1:00, 2:00 and 0:30 at 95.50 EUR: 119.38, 23.88, 95.50, 191.00 and 47.75.
    seconds: 18_000,
    amounts: [{ amount: '477.51', currency: 'EUR' }],
  })
  const acme = (await program('GET', '/timesheet?filter=%23acme')).body
  expect([acme.filter, acme.seconds]).toEqual([['#acme'], 4500])
  const early = (await program('GET', '/timesheet?period=until%2028%20feb')).body
  expect([early.from, early.to, early.seconds]).toEqual(['2026-02-28', '2026-02-28', 3600])
})

test('without rates there are no amounts', async () => {
  const { program } = await annWithSessions({ timeZone: 'Europe/Berlin' })
  const { body } = await program('GET', '/timesheet?period=march')
  expect(body.amounts).toEqual([])
  expect(body.lines.every(({ amount }: { amount: unknown }) => amount === null)).toBe(true)
  const file = (await program('GET', '/timesheet.csv?period=march')).body
  expect(file.split('\r\n')[0]).toBe('Date,Task,Note,Duration,Seconds,Exact,Exact seconds')
  expect((await program('GET', '/rates')).body).toEqual({ rates: [], notBillable: [] })
  expect((await program('GET', '/balance.csv')).body).toMatch(/^Day,.*\r\n$/)
})

test('rates and seals can be read', async () => {
  const { ann, program } = await annWithSessions()
  const { body: list } = await program('GET', '/tasks?q=Write')
  const [{ id }] = list.tasks
  const sealed = {
    id: 'k3f9x2',
    sealedOn: '2026-03-30',
    dates: { from: '2026-02-01', to: '2026-03-01' },
    filter: '#acme last month',
    rounding: { step: 15, direction: 'up', per: 'line' },
    onlyBillable: true,
    seconds: 3600,
    hash: 'ab'.repeat(32),
  } as const
  const prefs = {
    ...PREFS,
    [`rate:task:${id}:0001-01-01`]: '120 CHF',
    ...prefsWithSheet(sealed),
  }
  await ann.call('PATCH', '/account/prefs', { prefs })
  expect((await program('GET', '/rates')).body).toEqual({
    rates: [
      { task: null, category: 'Development', from: '2026-01-01', amount: '95.50', currency: 'EUR' },
      {
        task: { id, name: 'Write' },
        category: null,
        from: null,
        amount: '120.00',
        currency: 'CHF',
      },
    ],
    notBillable: ['admin'],
  })
  expect((await program('GET', '/timesheets')).body).toEqual({
    sheets: [
      {
        id: 'k3f9x2',
        sealedOn: '2026-03-30',
        from: '2026-02-01',
        to: '2026-02-28',
        filter: '#acme last month',
        step: 15,
        direction: 'up',
        per: 'line',
        onlyBillable: true,
        seconds: 3600,
        sha256: 'ab'.repeat(32),
      },
    ],
  })
})

const REFUSED = [
  ['/timesheet?step=7', 'Invalid `step` param: Value must be one of (0, 1, 5, 6, 15, 30).'],
  [
    '/timesheet?direction=left',
    'Invalid `direction` param: Value must be one of (up, nearest, down).',
  ],
  ['/timesheet?per=month', 'Invalid `per` param: Value must be one of (session, line, total).'],
  ['/timesheet?billable=yes', 'Invalid `billable` param: Value must be one of (only, all).'],
  ['/timesheet.csv?group=tag', 'Invalid `group` param: Value must be one of (day, task).'],
  [
    '/timesheet.csv?separator=dot',
    'Invalid `separator` param: Value must be one of (comma, semicolon, tab).',
  ],
  ['/timesheet?period=17-3%20nov', 'Invalid `period` param: The range ends before it begins.'],
  [
    '/timesheet?from=2026-03-02&to=2026-03-01',
    'Invalid `to` param: The range ends before it begins.',
  ],
  [
    '/balance.csv?duration=days',
    'Invalid `duration` param: Value must be one of (clock, hours, seconds).',
  ],
  [
    '/balance?by=fortnight',
    'Invalid `by` param: Value must be one of (day, week, month, period, year).',
  ],
  [
    '/balance.csv?timeZone=Mars',
    'Invalid `timeZone` param: Value must be the name of a time zone, for example Europe/Berlin.',
  ],
] as const

test('what is not understood is refused in one sentence', async () => {
  const { program } = await annWithSessions()
  const answers: [string, number, string][] = []
  for (const [path] of REFUSED) {
    const { status, body } = await program('GET', path)
    answers.push([path, status, body.message])
  }
  expect(answers).toEqual(REFUSED.map(([path, message]) => [path, 400, message]))
})

test('of very long notes the first lines are answered, and a file is refused instead of cut', async () => {
  const { ann, program } = await annWithSessions()
  await storeRecord(server.db, ann.id, 'many tags', NOW, { documents: 800, bytes: Infinity })
  const { status, body } = await program('GET', '/timesheet?period=last 90 days')
  expect([status, body.linesLeftOut > 0, body.lines.length > 0]).toEqual([200, true, true])
  expect(await program('GET', '/timesheet.csv?period=last 90 days')).toMatchObject({
    status: 400,
    body: {
      message:
        'Invalid `from` param: The notes of these sessions are too long for one file. Choose fewer days, or a filter.',
    },
  })
  expect(await program('GET', '/timesheet.csv?period=yesterday')).toMatchObject({ status: 200 })
})
