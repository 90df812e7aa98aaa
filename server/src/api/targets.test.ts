/** The targets of programs and assistants are those of the app, to the second. */
import { expect, test } from 'vitest'
import { callTool } from '@stint/testing/mcp.ts'
import { serverForEach } from '@stint/testing/server-tests.ts'

/** Wednesday 18 November 2026, 12:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 18, 11)

const server = serverForEach({ now: NOW })

const PREFS = {
  timeZone: 'Europe/Berlin',
  weekStart: 1,
  'target:least:week:tag:acme': 36_000,
  'target:most:day:category:Development': 5400,
  'target:least:month:task:gone': 3600,
}

test('every target says how far it is, and the daily goal of a task is one', async () => {
  const ann = await server.signedInUser('Ann')
  await ann.call('PATCH', '/account/prefs', { prefs: PREFS })
  const program = await server.program(ann)
  // On Sunday before the week, and over midnight into it.
  for (const [start, end] of [
    ['2026-11-15T20:00:00+01:00', '2026-11-15T21:00:00+01:00'],
    ['2026-11-15T23:00:00+01:00', '2026-11-16T01:00:00+01:00'],
  ]) {
    const sent = { task: 'Write', start, end, note: '#acme' }
    expect(await program('POST', '/sessions', sent)).toMatchObject({ status: 201 })
  }
  await program('POST', '/start', { task: 'Write', at: '11:00', note: '#acme' })
  const { id } = (await program('GET', '/tasks')).body.tasks[0]
  const task = `/databases/stint/collections/tasks/documents/${id}`
  await ann.call('PATCH', task, { data: { goalHours: 1.5 } })

  const { status, body } = await program('GET', '/targets')
  expect([status, body.timeZone, body.explain]).toEqual([
    200,
    'Europe/Berlin',
    'http://localhost:3000/targets',
  ])
  const open = { worked: 3600, percent: 66, state: 'onTrack', left: 1800, over: 0, daysLeft: 1 }
  const today = { from: '2026-11-18', to: '2026-11-18', reachedAt: '2026-11-18T11:30:00.000Z' }
  expect(body.targets).toEqual([
    {
      bound: 'most',
      span: 'day',
      of: { kind: 'category', id: null, name: 'Development' },
      seconds: 5400,
      ...open,
      ...today,
      perDay: 1800,
    },
    {
      bound: 'least',
      span: 'week',
      of: { kind: 'tag', id: null, name: '#acme' },
      seconds: 36_000,
      from: '2026-11-16',
      to: '2026-11-22',
      worked: 7200,
      percent: 20,
      state: 'behind',
      left: 28_800,
      over: 0,
      daysLeft: 5,
      perDay: 5760,
      reachedAt: '2026-11-18T19:00:00.000Z',
    },
    {
      bound: 'least',
      span: 'month',
      of: { kind: 'task', id: 'gone', name: 'Unknown task' },
      seconds: 3600,
      from: '2026-11-01',
      to: '2026-11-30',
      worked: 0,
      percent: 0,
      state: 'behind',
      left: 3600,
      over: 0,
      daysLeft: 13,
      perDay: 277,
      reachedAt: null,
    },
    {
      bound: 'least',
      span: 'day',
      of: { kind: 'task', id, name: 'Write' },
      seconds: 5400,
      ...open,
      ...today,
      perDay: 1800,
    },
  ])

  const week = (await program('GET', '/total?period=this%20week&filter=%23acme')).body
  expect(week.seconds).toBe(7200)
  const { secret } = (await ann.call('POST', '/stint/keys', { name: 'Doors', access: 'read' })).body
  const told = await callTool(server.newBrowser(), secret, 'now', {})
  expect(told).toMatchObject({ todaySeconds: 3600, targets: body.targets })
})

test('without a target there are none, and an assistant hears of none', async () => {
  const ann = await server.signedInUser('Ann')
  const program = await server.program(ann)
  const { body } = await program('GET', '/targets?timeZone=Europe/Berlin')
  expect(body.targets).toEqual([])
  const { secret } = (await ann.call('POST', '/stint/keys', { name: 'Doors', access: 'read' })).body
  const told = await callTool(server.newBrowser(), secret, 'now', { timeZone: 'Europe/Berlin' })
  expect(told).not.toHaveProperty('targets')
})
