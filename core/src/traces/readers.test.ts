import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isGitLog, isReflog, readGitLog, readReflog } from './git.ts'
import { readCalendarTraces } from './calendar.ts'
import { isCalendar, readTraces } from './read-traces.ts'

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
}

test('The output of the git command is read, whatever the shell and the subject are', () => {
  const text = fixture('git-log.txt')
  expect([isGitLog(text), isReflog(text)]).toEqual([true, false])
  const { name, traces, problems } = readGitLog(text.replaceAll('\n', '\r\n'))
  expect(name).toBe('acme-site')
  expect(traces.map(({ from, to, title, where }) => [from, to - from, title, where])).toEqual([
    [Date.parse('2026-11-30T09:42:07Z'), 0, 'Fix the header on phones', 'acme-site'],
    [Date.parse('2026-11-30T08:58:40Z'), 0, 'Draw the header again', 'acme-site'],
    [Date.parse('2026-11-29T23:10:00Z'), 0, 'Begin', 'notes'],
  ])
  expect(problems).toEqual([{ line: 3, text: 'not a line', why: 'This line cannot be read.' }])
})

test('Of a log of HEAD the commits are read, with the name of the file', () => {
  const text = fixture('reflog.txt')
  expect([isGitLog(text), isReflog(text)]).toEqual([false, true])
  const { traces, problems } = readReflog(text, 'acme-site')
  expect(traces.map(({ from, title, where }) => [from, title, where])).toEqual([
    [1_796_028_000_000, 'Begin', 'acme-site'],
    [1_796_030_600_000, 'Fix the header', 'acme-site'],
  ])
  expect(problems.map(({ line, why }) => [line, why])).toEqual([[4, 'This line cannot be read.']])
})

const OPTIONS = {
  name: 'file',
  timeZone: 'Europe/Berlin',
  now: Date.parse('2026-11-30T12:00:00Z'),
  addresses: [],
}

test('A file is recognised by its content; each trace is there once, in order', () => {
  const log = fixture('git-log.txt')
  const read = readTraces(`${log}${log}`, OPTIONS)
  expect(read?.kind).toBe('git')
  expect(read?.traces.map(({ title }) => title)).toEqual([
    'Begin',
    'Draw the header again',
    'Fix the header on phones',
  ])
  const years = { ...OPTIONS, now: Date.parse('2028-11-30T12:00:00Z') }
  expect(readTraces(log, years)?.traces).toEqual([])
  expect(readTraces(fixture('reflog.txt'), OPTIONS)).toMatchObject({ kind: 'git', name: 'file' })
  expect(readTraces('Dear Ann,', OPTIONS)).toBeNull()
  const calendar = fixture('calendar.ics')
  expect(isCalendar(calendar)).toBe(true)
  expect(readTraces(calendar, OPTIONS)).toBeNull()
  const events = readTraces(calendar, OPTIONS, readCalendarTraces)
  expect(events).toMatchObject({ kind: 'calendar', name: 'Work' })
  expect(events?.traces).toHaveLength(13)
})
