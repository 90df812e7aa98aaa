import { expect, test } from 'vitest'
import { isTraceRule, ruleFinder } from './rules.ts'
import type { TraceRule } from './rules.ts'
import { keptTraces, MAX_TRACES, moved, traceOf } from './trace.ts'
import type { Trace, TraceKind } from './trace.ts'

const NOW = Date.UTC(2026, 10, 30)
const HOUR = 3_600_000

function trace(kind: TraceKind, from: number, hours: number, title = 'Homepage'): Trace {
  return traceOf({ kind, from, to: from + hours * HOUR, title, where: 'Figma' })
}

test('A trace has the same id for the same content, texts on one line, and bounded lengths', () => {
  const one = trace('activity', NOW, 1)
  expect(trace('activity', NOW, 1)).toEqual(one)
  const others = [
    trace('agent', NOW, 1),
    trace('activity', NOW + 1, 1),
    trace('activity', NOW, 2),
    trace('activity', NOW, 1, 'Homepagf'),
  ]
  expect(new Set([one, ...others].map(({ id }) => id)).size).toBe(5)
  const long = traceOf({
    ...one,
    title: ` a\n\tb ${'x'.repeat(300)}`,
    where: 'w'.repeat(150),
    detail: 'd'.repeat(1000),
  })
  expect(long.title).toMatch(/^a b x+…$/)
  expect([long.title, long.where, long.detail].map((text) => text?.length)).toEqual([200, 100, 300])
})

test('Ids of a hundred thousand traces differ', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) =>
    trace('activity', NOW + index * 1000, 1, `Page ${index % 97}`),
  ).map(({ id }) => id)
  expect(new Set(ids).size).toBe(100_000)
})

test('Traces of the last year and the next four weeks are kept, the latest of too many', () => {
  const day = 24 * HOUR
  const traces = [
    trace('calendar', NOW + 29 * day, 1),
    trace('calendar', NOW + 27 * day, 48),
    trace('agent', NOW - day, 40),
    trace('agent', NOW - day, 40),
    trace('git', NOW - 367 * day, 0),
  ]
  expect(
    keptTraces(traces, NOW).map(({ from, to }) => [(from - NOW) / day, (to - from) / day]),
  ).toEqual([
    [-1, 1],
    [27, 2],
  ])
  const many = Array.from({ length: MAX_TRACES + 2 }, (_, index) =>
    trace('git', NOW - index * 1000, 0),
  )
  const kept = keptTraces(many, NOW)
  expect(kept).toHaveLength(MAX_TRACES)
  expect(kept.at(-1)?.from).toBe(NOW)
})

test('A clock that is behind is set right by minutes', () => {
  const one = trace('activity', NOW, 1)
  expect(moved(one, 90)).toEqual({ ...one, from: NOW + 1.5 * HOUR, to: NOW + 2.5 * HOUR })
  expect(moved(one, 0)).toBe(one)
})

function rule(id: string, more: Partial<TraceRule>): TraceRule {
  return { id, kind: null, field: 'title', contains: '', task: 't', isNoted: false, ...more }
}

test('The first rule that fits decides, without case and accents', () => {
  const rules = [
    rule('gone', { contains: 'home', task: 'deleted' }),
    rule('place', { field: 'where', contains: 'PENPOT' }),
    rule('title', { contains: 'hömePage' }),
    rule('calendar', { kind: 'calendar' }),
    rule('late', { contains: 'homepage', task: null }),
  ]
  const find = ruleFinder(rules, (id) => id === 't')
  expect(find(trace('activity', NOW, 1))?.id).toBe('title')
  expect(find(trace('calendar', NOW, 1, 'Call'))?.id).toBe('calendar')
  expect(find({ kind: 'git', title: 'Homepage', where: 'penpot/web' })?.id).toBe('place')
  expect(find(trace('git', NOW, 1, 'Mail'))).toBeNull()
  expect(rules.every(isTraceRule)).toBe(true)
  expect(isTraceRule({ ...rules[0], kind: 'mail' })).toBe(false)
})
