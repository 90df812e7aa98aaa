import { expect, test } from 'vitest'

import type { TraceOptions } from '@stint/core/traces/trace.ts'

import { keepTraces } from './kept-traces.ts'
import { removeTraces } from './traces-database.ts'

const NOW = Date.UTC(2026, 10, 30, 18)
const DAY = { start: Date.UTC(2026, 10, 30), end: Date.UTC(2026, 11, 1) }
const OPTIONS: TraceOptions = { name: 'log.txt', timeZone: 'UTC', now: NOW, addresses: [] }

function commits(...times: readonly string[]): string {
  return times
    .map(
      (time, index) => `git\t/home/ada/site\tabc123${index}\t2026-11-30T${time}:00Z\tWork ${index}`,
    )
    .join('\n')
}

let users = 0

async function kept() {
  users += 1
  return keepTraces(`user${users}`)
}

async function ghosts(traces: Awaited<ReturnType<typeof kept>>) {
  const [found = []] = await traces.suggest({ days: [DAY], busy: [], tasks: [] })
  return found.map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(11, 16)),
  )
}

test('A file read again takes the place of the one before, and its clock stays set', async () => {
  const traces = await kept()
  await traces.addFile(commits('10:00'), OPTIONS)
  const [source] = (await traces.summary()).sources
  expect(source).toMatchObject({ name: 'site', kind: 'git', count: 1, readAt: NOW })
  await traces.setOffset(source?.id ?? '', 60)
  await traces.addFile(commits('10:00', '12:00'), OPTIONS)
  expect((await traces.summary()).sources).toMatchObject([{ count: 2, offsetMinutes: 60 }])
  expect(await ghosts(traces)).toEqual([['09:00', '13:00']])
})

test('ActivityWatch that is read again leaves what is older than it was asked for', async () => {
  const traces = await kept()
  const options = { ...OPTIONS, name: 'ActivityWatch' }
  const read = (since: string, ...starts: string[]) =>
    traces.addFile(windows(...starts), options, { since: Date.parse(since) })
  await read('2026-10-01T00:00Z', '2026-10-02T08:00Z', '2026-11-30T08:00Z')
  await read('2026-11-29T00:00Z', '2026-11-30T08:00Z', '2026-11-30T09:00Z')
  expect((await traces.summary()).sources).toMatchObject([{ name: 'desk', count: 3 }])
  expect(await ghosts(traces)).toEqual([
    ['08:00', '08:30'],
    ['09:00', '09:30'],
  ])
  await traces.addFile(windows('2026-11-30T09:00Z'), options)
  expect((await traces.summary()).sources).toMatchObject([{ name: 'desk', count: 1 }])
})

/** Returns an export of ActivityWatch with half an hour of the same window at each of these times. */
function windows(...starts: readonly string[]): string {
  const events = starts.map((timestamp) => ({
    timestamp,
    duration: 1800,
    data: { app: 'Figma', title: 'Homepage' },
  }))
  return JSON.stringify({ buckets: { w: { type: 'currentwindow', hostname: 'desk', events } } })
}

test('A calendar of an address is known by it, until a file takes its place', async () => {
  const traces = await kept()
  const event = ['SUMMARY:Call', 'DTSTART:20261130T100000Z', 'DTEND:20261130T110000Z']
  const calendar = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR']
  const origin = { url: 'https://example.org/work.ics', etag: '"a"' }
  const options = { ...OPTIONS, name: 'example.org' }
  await traces.addFile(calendar.join('\r\n'), options, origin)
  const known = { name: 'example.org', kind: 'calendar' }
  expect((await traces.summary()).sources).toMatchObject([{ ...known, origin }])
  expect(await ghosts(traces)).toEqual([['10:00', '11:00']])
  await traces.addFile(calendar.join('\r\n'), options)
  expect((await traces.summary()).sources[0]).not.toHaveProperty('origin')
})

test('What is dismissed is suggested again after it is restored', async () => {
  const traces = await kept()
  await traces.addFile(commits('10:00', '15:00'), OPTIONS)
  const before = await ghosts(traces)
  const [[first] = []] = await traces.suggest({ days: [DAY], busy: [], tasks: [] })
  if (!first) throw new Error('Nothing was suggested')
  await traces.dismiss(first)
  expect(await ghosts(traces)).toEqual(before.slice(1))
  await traces.restore(first.id)
  expect(await ghosts(traces)).toEqual(before)
})

test.each([
  ['call Ann', 'log.txt is none of the known kinds of files.'],
  [
    'git\t/home/ada/site\tabc1234\t2001-01-01T00:00:00Z\tOld',
    'log.txt has nothing of the last year.',
  ],
])('%j is refused, and nothing is kept of it', async (text, message) => {
  const traces = await kept()
  await expect(traces.addFile(text, OPTIONS)).rejects.toThrow(message)
  expect(await traces.summary()).toEqual({ sources: [], rules: [] })
})

test('Everything is deleted at once, and with its owner', async () => {
  const traces = await kept()
  const rule = {
    id: 'r',
    kind: null,
    field: 'title',
    contains: 'x',
    task: null,
    isNoted: false,
  } as const
  await traces.addFile(commits('10:00'), OPTIONS)
  await traces.putRule(rule)
  await traces.removeSource('git site')
  expect(await traces.summary()).toEqual({ sources: [], rules: [{ ...rule, order: -1 }] })
  await traces.removeAll()
  expect(await traces.summary()).toEqual({ sources: [], rules: [] })
  await removeTraces(`user${users}`)
  const names = (await indexedDB.databases()).map(({ name }) => name)
  expect(names).not.toContain(`stint-:traces-user${users}`)
})

const ruleNamed = (id: string) =>
  ({ id, kind: null, field: 'title', contains: id, task: 'write', isNoted: false }) as const

test('The rule that was added last decides first, until another one is raised', async () => {
  const traces = await kept()
  const order = async () => (await traces.summary()).rules.map(({ id }) => id)
  for (const id of ['b', 'c', 'a']) await traces.putRule(ruleNamed(id))
  expect(await order()).toEqual(['a', 'c', 'b'])
  await traces.raiseRule('b')
  expect(await order()).toEqual(['a', 'b', 'c'])
  await traces.raiseRule('a')
  await traces.putRule({ ...ruleNamed('c'), contains: 'other' })
  expect(await order()).toEqual(['a', 'b', 'c'])
  const [, removed] = (await traces.summary()).rules
  if (!removed) throw new Error('There is no second rule')
  await traces.removeRule('b')
  await traces.putRule(removed)
  expect(await order()).toEqual(['a', 'b', 'c'])
  for (let index = 0; index < 197; index += 1) await traces.putRule(ruleNamed(`r${index}`))
  await traces.putRule({ ...ruleNamed('c'), contains: 'changed' })
  await expect(traces.putRule(ruleNamed('more'))).rejects.toThrow('There are 200 rules already.')
})

test('What is known of a session is said, and which events of calendars touch a day', async () => {
  const traces = await kept()
  await traces.addFile(commits('10:00', '11:00'), OPTIONS)
  await traces.addFile(
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART:20261130T090000Z',
      'DTEND:20261130T094500Z',
      'SUMMARY:Design review',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
    OPTIONS,
  )
  const span = { start: Date.UTC(2026, 10, 30, 9, 30), end: Date.UTC(2026, 10, 30, 11) }
  expect(await traces.evidence(span)).toMatchObject([
    { kind: 'calendar', title: 'Design review', milliseconds: 15 * 60_000 },
    { kind: 'git', where: 'site', count: 2 },
  ])
  expect(await traces.events(DAY)).toMatchObject([{ title: 'Design review' }])
})

test('What another tab has read is suggested here as well', async () => {
  const [here, there] = [await kept(), await keepTraces(`user${users}`)]
  expect(await ghosts(here)).toEqual([])
  await there.addFile(commits('10:00'), OPTIONS)
  await here.reload()
  expect(await ghosts(here)).toEqual([['08:00', '10:00']])
})

/** Returns a stretch between two hours of the day. */
function use(from: number, to: number) {
  return { start: DAY.start + from * 3_600_000, end: DAY.start + to * 3_600_000 }
}

test('When a device is in use is kept from the press that asks for it, in any tab, until it is deleted', async () => {
  const [here, there] = [await kept(), await keepTraces(`user${users}`)]
  await here.notePresence(use(6, 7))
  expect((await here.summary()).sources).toEqual([])
  await here.beginPresence(use(8, 8).start)
  await here.notePresence(use(7, 9))
  expect(await ghosts(there)).toEqual([['08:00', '09:00']])
  await there.notePresence(use(7, 10))
  await there.notePresence(use(11, 12))
  expect(await ghosts(here)).toEqual([
    ['08:00', '10:00'],
    ['11:00', '12:00'],
  ])
  const source = { id: 'presence', kind: 'presence', count: 2, readAt: use(8, 8).start }
  expect((await here.summary()).sources).toMatchObject([source])

  // Commits are known of the day now, and the use bounds the time before them.
  await here.addFile(commits('09:30', '11:30'), OPTIONS)
  expect(await ghosts(here)).toEqual([
    ['08:00', '09:30'],
    ['11:00', '11:30'],
  ])
  await here.removeSource('git site')
  await here.removeSource('presence')
  await there.notePresence(use(11, 13))
  expect(await ghosts(there)).toEqual([])
  expect((await here.summary()).sources).toEqual([])
})
