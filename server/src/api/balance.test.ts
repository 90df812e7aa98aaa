/** The hours account of programs and assistants is that of the app, and of its file, to the second. */
import { expect, test } from 'vitest'
import { hoursAccount } from '@stint/core/balance/account.ts'
import { hoursBalance } from '@stint/core/balance/balance.ts'
import type { HoursBalance } from '@stint/core/balance/balance.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { balanceCsv } from '@stint/core/transfer/balance-csv.ts'
import { CSV_FORM } from '@stint/core/transfer/csv-form.ts'
import { callTool } from '@stint/testing/mcp.ts'
import { serverForEach } from '@stint/testing/server-tests.ts'
import type { TestUser } from '@stint/testing/test-app.ts'

/** Tuesday 31 March 2026, 12:00 in Berlin, two days after the clocks went forward. */
const NOW = Date.UTC(2026, 2, 31, 10)

const server = serverForEach({ now: NOW })

const PREFS = {
  timeZone: 'Europe/Berlin',
  weekStart: 1,
  balanceFilter: '-#private',
  'contract:2026-03-26': '28800/day 12345; 3600',
  'dayoff:2026-03-27:sick': '2026-03-27 half',
  'holiday:2026-03-30': 'whole Day',
  'correction:2026-03-31:paid out': -1800,
}

test('the balance, what it is made of and when it is zero', async () => {
  const ann = await server.signedInUser('Ann')
  await ann.call('PATCH', '/account/prefs', { prefs: PREFS })
  const program = await server.program(ann)
  // Thursday: 9 hours; the night in which an hour is missing: 2 hours; not counted: 1 hour.
  for (const line of [
    '2026-03-26 9-18 Write',
    '2026-03-29 1-4 Write',
    '2026-03-31 7-8 Dentist #private',
  ]) {
    expect(await program('POST', '/sessions', { line })).toMatchObject({ status: 201 })
  }
  await program('POST', '/start', { task: 'Write', at: '11:00' })

  const { status, body } = await program('GET', '/balance?by=day')
  expect([status, body.timeZone]).toEqual([200, 'Europe/Berlin'])
  expect(body.balance).toEqual({
    from: '2026-03-26',
    to: '2026-03-31',
    before: 0,
    opening: 3600,
    worked: 12 * 3600,
    owed: -4 * 28_800,
    holidays: 28_800,
    daysOff: 14_400,
    corrections: -1800,
    lapsed: 0,
    after: 3600 + 12 * 3600 - 4 * 28_800 + 28_800 + 14_400 - 1800,
  })
  // 7.5 hours are missing.
  expect(body.zeroAt).toBe('2026-03-31T17:30:00.000Z')
  const periods: { from: string; after: number }[] = body.periods
  expect(periods.map(({ from, after }) => [from, after / 3600])).toEqual([
    ['2026-03-31', -7.5],
    ['2026-03-30', 0],
    ['2026-03-29', 0],
    ['2026-03-28', -2],
    ['2026-03-27', -2],
    ['2026-03-26', 2],
  ])

  const march = await program('GET', '/balance?period=27-28%20mar&by=week')
  expect(march.body.balance).toMatchObject({ from: '2026-03-27', to: '2026-03-28', before: 7200 })
  expect((await program('GET', '/balance?period=2025')).body.balance).toBeNull()

  const { secret } = (await ann.call('POST', '/stint/keys', { name: 'Doors', access: 'read' })).body
  const told = await callTool(server.newBrowser(), secret, 'now', {})
  expect(told).toMatchObject({ balance: { ...body, periods: [] } })

  await program('POST', '/stop')
  const file = balanceCsv(await balanceOfApp(ann), { ...CSV_FORM, duration: 'seconds' })
  const rows = file.trim().split('\r\n').slice(1)
  expect(rows.map((row) => [row.slice(0, 10), Number(row.split(',').at(-1))])).toEqual(
    periods.toReversed().map(({ from, after }) => [from, after]),
  )
  expect(rows.at(-1)).toBe('2026-03-31,2026-03-01,0,3600,-28800,0,0,-1800,0,-27000,-27000')
})

/** Returns the balance of the documents that the app reads. */
async function balanceOfApp(ann: TestUser): Promise<HoursBalance> {
  const { body } = await ann.call('GET', '/databases/stint/collections/time_entries/documents')
  const documents: Parameters<typeof entryFromDocument>[0][] = body.documents
  const input = {
    entries: documents.map((document) => entryFromDocument(document)),
    live: null,
    tasks: [],
    dayRule: dayRuleOf('Europe/Berlin'),
    now: NOW,
  }
  const balance = hoursBalance(input, hoursAccount(PREFS))
  if (!balance) throw new Error('There is no account')
  return balance
}
