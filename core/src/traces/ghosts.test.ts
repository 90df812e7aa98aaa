import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '#test/processor-time.ts'
import { ghostsOf, MAX_GHOSTS, MIN_GHOST_MILLISECONDS } from './ghosts.ts'
import type { Ghost, GhostInput } from './ghosts.ts'
import type { TraceRule } from './rules.ts'
import { TRACE_KINDS, traceOf } from './trace.ts'
import type { Trace, TraceKind } from './trace.ts'

const MINUTE = 60_000
const DAY = { start: Date.UTC(2026, 10, 30), end: Date.UTC(2026, 11, 1) }
const TASKS = [
  { id: 'acme', name: 'Acme site' },
  { id: 'figma', name: 'Drawings' },
]

/** Returns the instant of a time of the day: '9:30', or with seconds. */
function at(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return DAY.start + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

function span(times: string): { start: number; end: number } {
  const [from = '', to = from] = times.split('–')
  return { start: at(from), end: at(to) }
}

function trace(kind: TraceKind, times: string, title: string, where = 'Work'): Trace {
  const { start, end } = span(times)
  return traceOf({ kind, from: start, to: end, title, where })
}

function rule(kind: TraceKind | null, contains: string, task: string | null): TraceRule {
  return { id: contains, kind, field: 'title', contains, task, isNoted: false }
}

function ghosts(traces: readonly Trace[], input: Partial<GhostInput> = {}): readonly Ghost[] {
  const nothing = { busy: [], rules: [], dismissed: [], tasks: TASKS, day: DAY }
  return ghostsOf({ ...nothing, ...input, traces })
}

function clock(instant: number): string {
  return new Date(instant).toISOString().slice(11, 16)
}

/** Returns each ghost as '10:00–10:45 acme "note" likely: calendar Design review 45 min'. */
function shown(list: readonly Ghost[]): string[] {
  return list.map(({ start, end, task, note, certainty, proofs }) => {
    const because = proofs.map(({ kind, title, count, milliseconds }) =>
      kind === 'git'
        ? `git ${count} commits ${title}`
        : `${kind} ${title} ${Math.round(milliseconds / MINUTE)} min`,
    )
    return `${clock(start)}–${clock(end)} ${task ?? '-'} “${note}” ${certainty}: ${because.join(', ')}`
  })
}

test('An event takes the free rest of its time, and names its proof', () => {
  const review = trace('calendar', '10:00–10:45', 'Design review')
  expect(shown(ghosts([review]))).toEqual([
    '10:00–10:45 - “Design review” likely: calendar Design review 45 min',
  ])
  expect(shown(ghosts([review], { busy: [span('9:00–10:12:30')] }))).toEqual([
    '10:13–10:45 - “Design review” likely: calendar Design review 32 min',
  ])
  expect(ghosts([review], { busy: [span('10:04–10:42')] })).toEqual([])
})

test('The first rule that fits names the task, else the name of a task in the text does', () => {
  const standUp = trace('calendar', '9:00–9:15', 'Stand-up ÁCME')
  expect(shown(ghosts([standUp], { rules: [rule(null, 'acme', 'figma')] }))).toEqual([
    '09:00–09:15 figma “” certain: calendar Stand-up ÁCME 15 min',
  ])
  expect(ghosts([standUp], { rules: [rule('calendar', 'stand', null)] })).toEqual([])
  // The rule is of another kind, and one is of a task that does not exist.
  const others = [rule('git', 'acme', 'figma'), rule(null, 'acme', 'gone')]
  const named = trace('calendar', '11:00–12:00', 'Call: acme-site, launch')
  expect(shown(ghosts([named], { rules: others }))).toEqual([
    '11:00–12:00 acme “Call: acme-site, launch” likely: calendar Call: acme-site, launch 60 min',
  ])
})

test('Of events at the same time, a rule decides, then the shorter one', () => {
  const traces = [
    trace('calendar', '9:00–12:00', 'Focus'),
    trace('calendar', '10:00–11:00', 'Call'),
  ]
  expect(shown(ghosts(traces)).map((text) => text.slice(0, 22))).toEqual([
    '09:00–10:00 - “Focus” ',
    '10:00–11:00 - “Call” l',
    '11:00–12:00 - “Focus” ',
  ])
  const rules = [rule(null, 'focus', 'acme')]
  expect(shown(ghosts(traces, { rules })).map((text) => text.slice(0, 16))).toEqual([
    '09:00–12:00 acme',
  ])
})

test('Events that are set aside, and what is outside of the day, say nothing', () => {
  const holiday = traceOf({
    kind: 'calendar',
    from: DAY.start,
    to: DAY.end,
    title: 'Off',
    where: '',
    aside: 'all-day',
  })
  const before = trace('calendar', '-2:00–-1:00', 'Yesterday')
  expect(ghosts([holiday, before])).toEqual([])
  const late = trace('calendar', '23:00–25:00', 'Night')
  expect(shown(ghosts([late]))[0]).toContain('23:00–00:00 ')
})

test('An event beats what the computer measured; commits in a stretch become its proof', () => {
  const traces = [
    trace('calendar', '10:00–10:30', 'Call'),
    trace('activity', '9:30–10:40', 'Homepage', 'Figma'),
    trace('activity', '10:40–11:10', 'main.ts', 'Code'),
    trace('git', '10:50', 'Fix header', 'acme-site'),
    trace('git', '11:12', 'Fix footer', 'acme-site'),
  ]
  expect(shown(ghosts(traces))).toEqual([
    '09:30–10:00 - “” likely: activity Homepage 30 min',
    '10:00–10:30 - “Call” likely: calendar Call 30 min',
    '10:30–11:10 acme “Fix footer” likely: activity main.ts 30 min, activity Homepage 10 min, git 2 commits Fix footer',
  ])
})

test('What has most of five minutes has them, and breaks of less than ten minutes do not part a stretch', () => {
  const rules = [rule('activity', 'acme', 'acme'), rule('activity', 'logo', 'figma')]
  const traces = [
    trace('activity', '9:00–9:12', 'acme 1'),
    // Two minutes elsewhere, and one slot between two of the same task.
    trace('activity', '9:12–9:14', 'logo'),
    trace('activity', '9:14–9:20', 'acme 2'),
    trace('activity', '9:20–9:25', 'logo'),
    trace('activity', '9:25–9:30', 'acme 2'),
    trace('activity', '9:39–9:50', 'acme 3'),
    trace('activity', '10:00–10:20', 'logo'),
  ]
  expect(shown(ghosts(traces, { rules })).map((text) => text.slice(0, 17))).toEqual([
    '09:00–09:50 acme ',
    '10:00–10:20 figma',
  ])
  // Ten seconds every five minutes are no work.
  const awake = Array.from({ length: 60 }, (_, index) =>
    trace('activity', `12:${index}:00–12:${index}:10`, `Clock ${index}`),
  )
  expect(ghosts(awake)).toEqual([])
})

test('Before commits that nothing explains lies their work: back to the trace before, at most two hours', () => {
  const traces = [
    trace('git', '9:00', 'One', 'lib'),
    trace('git', '9:30', 'Two', 'lib'),
    trace('calendar', '10:00–10:30', 'Call'),
    trace('git', '11:00', 'Three', 'acme-site'),
    trace('git', '11:20', 'Four', 'lib'),
  ]
  expect(shown(ghosts(traces, { busy: [span('6:00–7:30')] }))).toEqual([
    '07:30–09:30 - “Two” guess: git 2 commits Two',
    '10:00–10:30 - “Call” likely: calendar Call 30 min',
    '10:30–11:00 acme “Three” guess: git 1 commits Three',
    '11:00–11:20 - “Four” guess: git 1 commits Four',
  ])
  expect(shown(ghosts(traces.slice(0, 1)))).toEqual([
    '07:00–09:00 - “One” guess: git 1 commits One',
  ])
})

test('A device in use bounds the guess before a commit, and is a proof of all that lies in it', () => {
  const traces = [
    trace('presence', '8:20–8:40', '', ''),
    trace('presence', '8:55–10:00', '', ''),
    trace('presence', '10:05–12:00', '', ''),
    trace('git', '9:30', 'One', 'lib'),
    trace('calendar', '11:00–12:30', 'Call'),
  ]
  expect(shown(ghosts(traces))).toEqual([
    '08:55–09:30 - “One” guess: git 1 commits One, presence  35 min',
    '11:00–12:30 - “Call” likely: calendar Call 90 min, presence  60 min',
  ])
  const [, call] = ghosts(traces)
  // A break of less than ten minutes does not part it.
  expect(call?.proofs[1]).toMatchObject({ from: at('8:55'), to: at('12:00') })
  expect(call?.traces).toEqual([traces[4]?.id])
})

test('A device in use is a guess of a day of which nothing else is known', () => {
  const use = [trace('presence', '8:55–10:00', '', ''), trace('presence', '13:00–14:00', '', '')]
  expect(shown(ghosts(use))).toEqual([
    '08:55–10:00 - “” guess: presence  65 min',
    '13:00–14:00 - “” guess: presence  60 min',
  ])
  expect(ghosts(use)[0]?.why).toEqual({ time: 'presence', task: 'none' })
  expect(ghosts(use, { busy: [span('16:00–16:10')] })).toEqual([])
  expect(shown(ghosts([...use, trace('calendar', '16:00–16:30', 'Call')]))).toEqual([
    '16:00–16:30 - “Call” likely: calendar Call 30 min',
  ])
})

test('What is dismissed does not come back, and what is beside it stays', () => {
  const traces = [
    trace('calendar', '9:00–12:00', 'Workshop'),
    trace('calendar', '9:00–13:00', 'Team day'),
    trace('git', '15:00', 'One', 'lib'),
  ]
  const busy = [span('10:00–11:00')]
  const [first, , , last] = ghosts(traces, { busy })
  if (!first || !last) throw new Error('There are four ghosts')
  expect(shown(ghosts(traces, { busy, dismissed: [first, last] }))).toEqual([
    '09:00–10:00 - “Team day” likely: calendar Team day 60 min',
    '11:00–12:00 - “Workshop” likely: calendar Workshop 60 min',
    '12:00–13:00 - “Team day” likely: calendar Team day 60 min',
  ])
})

const anyTrace: fc.Arbitrary<Trace> = fc
  .record({
    kind: fc.constantFrom(...TRACE_KINDS),
    from: fc.integer({ min: -200, max: 2000 }).map((minutes) => DAY.start + minutes * 61_000),
    length: fc.integer({ min: 0, max: 300 }).map((minutes) => minutes * 59_000),
    title: fc.constantFrom('Homepage', 'Acme site', 'Mail', 'Call'),
    where: fc.constantFrom('Figma', 'acme-site', 'Work'),
  })
  .map(({ length, ...rest }) =>
    traceOf({ ...rest, to: rest.kind === 'git' ? rest.from : rest.from + length }),
  )

const anyBusy = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 1440 }), fc.integer({ min: 0, max: 120 }))
    .map(([from, length]) => ({
      start: DAY.start + from * 61_000,
      end: DAY.start + (from + length) * 61_000,
    })),
  { maxLength: 8 },
)

test('Ghosts are few, of whole minutes, within the day, and overlap nothing, in whatever order traces are', () => {
  fc.assert(
    fc.property(
      fc.array(anyTrace, { maxLength: 60 }),
      anyBusy,
      fc.array(fc.constantFrom(rule(null, 'mail', null), rule('activity', 'home', 'figma'))),
      fc.nat(),
      (traces, busy, rules, pick) => {
        const list = ghosts(traces, { busy, rules })
        expect(list.length).toBeLessThanOrEqual(MAX_GHOSTS)
        let end = DAY.start
        for (const ghost of list) {
          expect(ghost.start).toBeGreaterThanOrEqual(end)
          expect(ghost.end - ghost.start).toBeGreaterThanOrEqual(MIN_GHOST_MILLISECONDS)
          expect(ghost.start % MINUTE).toBe(0)
          expect(ghost.end % MINUTE).toBe(0)
          expect(
            busy.filter(
              (each) => each.start < ghost.end && each.end > ghost.start && each.end > each.start,
            ),
          ).toEqual([])
          expect(ghost.proofs).not.toEqual([])
          end = ghost.end
        }
        expect(end).toBeLessThanOrEqual(DAY.end)
        expect(ghosts(traces.toReversed(), { busy: busy.toReversed(), rules })).toEqual(list)
        // What is dismissed, or accepted, is suggested no more.
        const chosen = list[pick % Math.max(1, list.length)]
        if (!chosen) return
        const isThere = (each: Ghost) =>
          each.start < chosen.end &&
          each.end > chosen.start &&
          each.traces.every((id) => chosen.traces.includes(id))
        expect(ghosts(traces, { busy, rules, dismissed: [chosen] }).filter(isThere)).toEqual([])
        const isAround = (each: Ghost) => each.start < chosen.end && each.end > chosen.start
        expect(ghosts(traces, { busy: [...busy, chosen], rules }).filter(isAround)).toEqual([])
      },
    ),
  )
})

test('A hundred thousand traces of a day are grouped within 200 ms of processor time', () => {
  const traces = Array.from({ length: 100_000 }, (_, index) => {
    const from = DAY.start + index * 800
    const title = `Page ${(index * 7919) % 5000}`
    return traceOf({ kind: 'activity', from, to: from + 800, title, where: `App ${index % 40}` })
  })
  const tasks = Array.from({ length: 50 }, (_, index) => ({
    id: `${index}`,
    name: `Page ${index}`,
  }))
  const rules = Array.from({ length: 20 }, (_, index) => rule(null, `page ${index}1`, `${index}`))
  const busy = Array.from({ length: 40 }, (_, index) => span(`${index / 2}:00–${index / 2}:07`))
  expect(processorTime(200, () => ghosts(traces, { tasks, rules, busy }))).toBeLessThan(200)
})
