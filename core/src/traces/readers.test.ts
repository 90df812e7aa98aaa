import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
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

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}

/** Returns each trace as '08:00:00–08:10:21 Homepage (Figma)', in UTC, with what could not be read. */
function shown(name: string): string[] {
  const reading = readTraces(fixture(name), { ...OPTIONS, name })
  if (!reading) throw new Error(`Nothing knows ${name}`)
  return [
    `${reading.kind} ${reading.name}`,
    ...reading.traces.map(
      ({ from, to, title, where }) => `${clock(from)}–${clock(to)} ${title} (${where})`,
    ),
    ...reading.problems.map(({ line, text, why }) => `${line} ${text.slice(0, 20)}: ${why}`),
  ]
}

test('Of a computer, the windows and tabs in front are read while somebody was there', () => {
  expect(shown('activity-watch.json')).toEqual([
    'activity desk',
    '08:00:00–08:10:21 Homepage (Figma)',
    '08:10:30–08:15:30 Pull request · acme-site (example.org)',
    '08:17:30–08:20:00 Pull request · acme-site — Mozilla Firefox (Firefox)',
    '08:20:00–08:25:00 Homepage (Figma)',
    '08:40:00–08:50:00 Homepage (Figma)',
    '1 aw-watcher-window_de: This event cannot be read.',
    '1 aw-watcher-vim_desk: Says more about the time that other buckets have, not imported.',
  ])
})

test('Of histories of shells, runs of commands are read, and nothing but the names of programs', () => {
  expect(shown('bash-history.txt')).toEqual([
    'shell bash',
    '09:13:20–09:25:00 npm (acme-site)',
    '12:00:00–12:00:00 apt (bash)',
    '1 echo before times we: Has no time.',
  ])
  expect(shown('zsh-history.txt')).toEqual([
    'shell zsh',
    '09:13:20–09:45:00 deploy.sh, vim (My notes)',
  ])
  expect(shown('fish-history.txt')).toEqual(['shell fish', '09:13:20–09:18:20 cargo (fish)'])
})

test('Of logs of agents, runs of steps are read with what was asked for', () => {
  expect(shown('agent-log.jsonl')).toEqual([
    'agent notes',
    '08:00:00–08:17:30 Fix the header on phones (acme-site)',
    '09:23:20–09:28:20 Now the footer (notes)',
    '6 {"type":"assistant",: This line cannot be read.',
  ])
})

test('A file that is cut off or damaged anywhere is read as far as it goes, or said to be damaged', () => {
  const texts = readdirSync(join(import.meta.dirname, 'fixtures')).map(fixture)
  expect(texts.length).toBeGreaterThan(7)
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.nat(4000),
      fc.nat(4000),
      fc.string({ maxLength: 8 }),
      (text, at, end, strange) => {
        const broken = `${text.slice(0, at)}${strange}${text.slice(at, end)}`
        const reading = readTraces(broken, OPTIONS, readCalendarTraces)
        for (const { from, to, title, where } of reading?.traces ?? []) {
          expect(to).toBeGreaterThanOrEqual(from)
          expect([title.length <= 200, where.length <= 100]).toEqual([true, true])
        }
      },
    ),
  )
})
