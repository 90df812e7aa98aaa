import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicateEntry, editEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { testEntry } from '#test/entries.ts'
import { pauseTimer, resumeTimer, startTimer, stopTimer, withNote } from '#timer/timer.ts'
import { logOfSession, withFoundSession } from './adopt-session.ts'
import { logOfEntry, withFound } from './adopt.ts'
import { decodeLog, encodeLog } from './codec.ts'
import { isKept, isSurelyKept } from './compact.ts'
import { withEntry } from './edit.ts'
import type { Log } from './event.ts'
import { foldSession } from './asked.ts'
import { join } from './join.ts'
import { projectionOf } from './projection.ts'
import type { Projection } from './projection.ts'
import { anyLog, at, Devices, PAUSE, RESUME, shownOf, span, START, STOP } from './test/devices.ts'

const DAY = 24 * 60 * 60 * 1000
const BY = { device: 'a', now: at(600) }

function projected(log: Log, id: string): Projection {
  const folded = foldSession(log)
  if (!folded) throw new Error('The log has no begin.')
  return projectionOf(id, folded)
}

function contentOf({ createdAt: _1, updatedAt: _2, log: _3, ...content }: TimeEntry) {
  return content
}

/** Any entry of any client: with pauses of unknown time, deleted, or with seconds that do not fit. */
function anyEntry(): fc.Arbitrary<TimeEntry> {
  return fc
    .record({
      stretches: fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 7 }),
      unplacedSeconds: fc.nat({ max: 500 }),
      seconds: fc.option(fc.nat({ max: 10_000 })),
      deletedAt: fc.option(fc.constant(at(500))),
      note: fc.option(fc.string({ minLength: 1 })),
      sessionId: fc.option(fc.constant('other')),
      entryType: fc.constantFrom('timer', 'manual', 'import'),
    })
    .map(({ stretches, unplacedSeconds, seconds, deletedAt, ...others }) => {
      let end = at(0)
      const pauses: [number, number][] = []
      for (const [index, stretch] of stretches.entries()) {
        if (index % 2 === 1) pauses.push([end, end + stretch])
        end += stretch
      }
      const times = { start: at(0), end, pauses, unplacedSeconds, deletedAt }
      const entry = testEntry(seconds === null ? times : { ...times, durationSeconds: seconds })
      return { ...entry, ...others }
    })
}

function sessionOf(status: 'running' | 'paused' | 'unclear'): TimerSession {
  const paused = pauseTimer(withNote(startTimer('s', 'write', at(0)), 'a note'), at(10))
  const running = resumeTimer(paused, at(20))
  const timer = status === 'paused' ? pauseTimer(running, at(30)) : running
  const kind = status === 'unclear' ? 'unclear' : 'active'
  return {
    id: 's',
    createdAt: at(0),
    updatedAt: at(30),
    device: 'Laptop',
    log: null,
    state: { kind, timer },
  }
}

test('An entry without a log, with no further events, is itself.', () => {
  fc.assert(
    fc.property(anyEntry(), (entry) => {
      const log = logOfEntry(entry)
      expect(projected(log, entry.id)).toEqual({ session: null, entries: [contentOf(entry)] })
      expect(decodeLog(encodeLog(log))).toEqual({ kind: 'log', log })
    }),
  )
})

test.each(['running', 'paused', 'unclear'] as const)(
  'A %s session without a log, with no further events, is itself.',
  (status) => {
    const session = sessionOf(status)
    expect(projected(logOfSession(session), 's')).toEqual({ session: session.state, entries: [] })
  },
)

test('Every device makes the same events of the same document.', () => {
  const entry = testEntry({ id: 'e', start: at(0), end: at(60) })
  expect(join(logOfEntry(entry), logOfEntry({ ...entry }))).toHaveLength(1)
  const log = withEntry(logOfEntry(entry), 'start', { ...entry, note: 'new' }, BY)
  const found = { ...entry, endedAt: at(50), note: 'by another client', updatedAt: at(610) }
  expect(encodeLog(withFound(log, 'e', found))).toBe(encodeLog(withFound(log, 'e', { ...found })))
})

test('Presses of a device that has not heard of the last base are asked about.', () => {
  const devices = new Devices('a')
  devices.press('a', 0, START)
  devices.press('a', 60, STOP)
  const saved = { ...testEntry({ id: 'e', start: at(0), end: at(40) }), updatedAt: at(100) }
  const folded = foldSession(join(devices.all(), logOfEntry(saved)))
  expect(folded && shownOf(folded)).toBe('0-40, asks 40-60')
})

test('After an edit, a part is as its owner wants it, also with times beyond what was worked.', () => {
  fc.assert(
    fc.property(
      anyEntry().filter((entry) => entry.pauses.unplacedSeconds === 0),
      fc.integer({ min: -90, max: 90 }),
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.tuple(fc.nat({ max: 100 }), fc.integer({ min: 1, max: 20 })), { maxLength: 3 }),
      (entry, start, length, pauses) => {
        const wanted = editEntry(
          entry,
          {
            startedAt: at(start),
            endedAt: at(start + length),
            pauses: pauses.map(([from, minutes]) => span(start + from, start + from + minutes)),
            taskId: 'other task',
            note: 'other note',
          },
          at(600),
        ).after
        const [edited] = projected(
          withEntry(logOfEntry(entry), 'start', wanted, BY),
          entry.id,
        ).entries
        expect(edited).toEqual({ ...contentOf(wanted), pauses: edited?.pauses })
      },
    ),
  )
})

test('A deletion and a restoration give the entry as it was.', () => {
  const entry = testEntry({ id: 'e', start: at(0), end: at(60) })
  const deleted = withEntry(logOfEntry(entry), 'start', { ...entry, deletedAt: at(600) }, BY)
  expect(projected(deleted, 'e').entries[0]?.deletedAt).toBe(at(600))
  expect(projected(withEntry(deleted, 'start', entry, BY), 'e').entries).toEqual([contentOf(entry)])
})

test('An edit that changes nothing appends nothing.', () => {
  const log = logOfEntry(testEntry({ id: 'e', start: at(0), end: at(60) }))
  const copy = duplicateEntry(testEntry({ start: at(0), end: at(60) }), 'other', at(600)).after
  expect(withEntry(log, 'start', testEntry({ id: 'e', start: at(0), end: at(60) }), BY)).toBe(log)
  expect(withEntry(log, 'no boundary', { ...copy, note: 'x' }, BY)).toBe(log)
})

test('What another client has changed in an entry counts, and later presses count over it.', () => {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  devices.press('a', 60, STOP)
  const [saved] = projected(devices.all(), 'e').entries
  const entry = { ...testEntry({ id: 'e', start: at(0), end: at(60) }), ...saved }
  const found = { ...entry, endedAt: at(45), taskId: 'plan', updatedAt: at(90) }
  const [after] = projected(withFound(devices.all(), 'e', found), 'e').entries
  expect(after).toMatchObject({ endedAt: at(45), taskId: 'plan', durationSeconds: 45 * 60 })
})

test.each(['running', 'paused'] as const)(
  'What another client has changed in a session counts: it is %s.',
  (status) => {
    const devices = new Devices('a')
    devices.press('a', 5, START)
    if (status === 'running') devices.press('a', 8, PAUSE)
    const found = sessionOf(status)
    const log = withFoundSession(devices.all(), found)
    expect(projected(log, 's').session).toEqual(found.state)
  },
)

test('A session that another client has stopped is saved with its times.', () => {
  const devices = new Devices('a')
  devices.press('a', 0, START)
  devices.press('a', 10, PAUSE)
  devices.press('a', 20, RESUME)
  const stopped = stopTimer(startTimer('s', 'write', at(0)), at(60))
  const found: TimerSession = { ...sessionOf('running'), state: { kind: 'stopped', stopped } }
  const [entry] = projected(withFoundSession(devices.all(), found), 's').entries
  expect(entry).toMatchObject({ startedAt: at(0), endedAt: at(60), durationSeconds: 3600 })
})

test('Seconds that another client has paused at an unknown time do not count as work.', () => {
  const entry = testEntry({ id: 'e', start: at(0), end: at(60) })
  const pauses = { intervals: [], unplacedSeconds: 600 }
  const found = { ...entry, pauses, durationSeconds: 3000, updatedAt: at(90) }
  const [edited] = projected(withFound(logOfEntry(entry), 'e', found), 'e').entries
  expect(edited).toMatchObject({ endedAt: at(60), durationSeconds: 3000 })

  const timer = startTimer('s', 'write', at(0))
  const session = { ...sessionOf('running'), state: { kind: 'active', timer } } as const
  const stopped = { ...stopTimer(timer, at(60)), pauses, durationSeconds: 3000 }
  const ended: TimerSession = { ...session, state: { kind: 'stopped', stopped } }
  const [saved] = projected(withFoundSession(logOfSession(session), ended), 's').entries
  expect(saved).toMatchObject({ endedAt: at(60), durationSeconds: 3000 })
})

test('Compaction changes no projection, and keeps what is active, asked about or young.', () => {
  let dropped = 0
  let surelyKept = 0
  fc.assert(
    fc.property(anyLog(), fc.constantFrom(1, 89, 91, 400), (log, days) => {
      const [text, now] = [encodeLog(log), at(0) + days * DAY]
      const folded = foldSession(log)
      const last = Math.max(...log.map(({ stamp }) => stamp.milliseconds))
      const isSure = isSurelyKept(text, last, now)
      const mayBeWrong = !isKept(log, text.length, now) || (folded?.asked.length ?? 0) > 0
      expect(isSure && mayBeWrong).toBe(false)
      if (isSure) surelyKept += 1
      if (!folded || isKept(log, text.length, now)) return
      dropped += 1
      expect(folded.timer).toBeNull()
      expect(folded.asked).toEqual([])
      expect(days).toBeGreaterThan(90)
      for (const entry of projectionOf('s', folded).entries) {
        const adopted = logOfEntry({ ...entry, log: null, createdAt: at(0), updatedAt: at(1) })
        expect(projected(adopted, entry.id).entries).toEqual([entry])
      }
    }),
    { numRuns: 500 },
  )
  expect(dropped).toBeGreaterThan(10)
  expect(surelyKept).toBeGreaterThan(10)
})
