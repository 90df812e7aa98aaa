/** Tests events of a clock that the server had not confirmed: they are placed anew until a request has them. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { nextEvent } from '#log/order.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { editEntry, splitEntry } from '#record/entry-edit.ts'
import { at, MINUTE, TestBackend, TestDevice } from '#test/devices.ts'
import { shown } from '#test/shown.ts'

import { awakeUntil, noteAwake } from './awake.ts'
import { applyChanges } from './changes.ts'
import type { RecordChanges } from './changes.ts'
import type { Draft } from './draft.ts'
import { answerQuestion } from './questions.ts'
import { logOf } from './session-log.ts'
import { isValue } from './stored.ts'
import type { Leap } from './stored.ts'
import { uniteLogs } from './take-in.ts'
import { dismissBanner, pause, resume, start, stop, trackOffline } from './timer.ts'
import { claimSession, failAwaited } from './unsent-sessions.ts'
import { correctInstants } from './correct-instants.ts'
import { asKnown, latest, noteClock } from './unsure-clock.ts'

const START = { sessionId: 's', taskId: 'write', device: 'laptop' }

/** Writes on a device with a clock that the server has not confirmed since then. */
function onWrongClock(
  device: TestDevice,
  minute: number,
  change: (draft: Draft, now: number) => unknown,
  leaps: readonly Leap[] = [],
  since = at(0),
) {
  device.write(at(minute), (draft, now) => {
    change(draft, now)
    noteClock(draft, { now, offset: 0, isSure: false, since, leaps })
  })
}
/** The server confirms that the clock is so many minutes off. */
const confirm = (device: TestDevice, minute: number, offset: number, leaps: readonly Leap[] = []) =>
  device.write(at(minute), (draft, now) =>
    correctInstants(draft, { now, offset: offset * MINUTE, isSure: true, since: at(0), leaps }),
  )

/** Returns a device whose timer the backend has since 110. */
function sentAt110(): TestDevice {
  const device = new TestDevice('laptop')
  device.start(at(110))
  device.send(at(110))
  return device
}

const noteAwakeSince =
  (seenAt: number, sessionId = 'laptop1') =>
  (draft: Draft, now: number) => {
    draft.putValue({ key: 'seen', sessionId, at: seenAt })
    noteAwake(draft, now)
  }

/** Cuts the entry of `laptop1` three hours after nine. */
function split(draft: Draft, now: number): void {
  const entry = draft.entries.get('laptop1')
  if (entry) applyChanges(draft, { entries: splitEntry(entry, at(180), 'second', now) }, now)
}

test.each([
  ['ahead', -60, 'write 40-50 (43-45)'],
  ['behind', 60, 'write 160-170 (163-165)'],
  ['right', 0, 'write 100-110 (103-105)'],
  ['off by less than a second', 0.01, 'write 100-110 (103-105)'],
])('Presses of a clock that was %s are placed anew', (_name, offset, expected) => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 100, (draft, now) => start(draft, { ...START, now }))
  onWrongClock(device, 103, (draft, now) => pause(draft, now))
  onWrongClock(device, 105, (draft, now) => resume(draft, now))
  onWrongClock(device, 110, (draft, now) => stop(draft, now))
  confirm(device, 111 + offset, offset)
  expect(shown(device)).toBe(expected)
  expect(device.view.value('clock')).toBeUndefined()
})

test('A running timer and a start that lay before its press are placed anew', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 100, (draft, now) => start(draft, { ...START, now, startedAt: at(95) }))
  confirm(device, 42, -60)
  expect(shown(device)).toBe('write 35-now')
})

test('What a request has had never changes, and what was pressed since is placed anew', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 100, (draft, now) => start(draft, { ...START, now }))
  device.write(at(101), (draft) => claimSession(draft, 's'))
  onWrongClock(device, 110, (draft, now) => pause(draft, now))
  confirm(device, 121, 10)
  expect(shown(device)).toBe('write 100-120 paused')
})

test('An edit of a session keeps the instants that were typed before the clock was unconfirmed', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  device.stop(at(60))
  device.send(at(60))
  const edited = editEntry(device.entry(id), { endedAt: at(50), note: 'draft' }, at(100))
  const edit = (draft: Draft, now: number) => applyChanges(draft, { entries: [edited] }, now)
  onWrongClock(device, 100, edit, [], at(100))
  const before = logOf(device.view, id).at(-1)
  confirm(device, 131, 30)
  const after = logOf(device.view, id).at(-1)
  expect(shown(device)).toBe("write 0-50 'draft'")
  expect((after?.stamp.milliseconds ?? 0) - (before?.stamp.milliseconds ?? 0)).toBe(30 * MINUTE)
})

test('Stamps stay in the order of the events, whatever the clock said', () => {
  const device = new TestDevice('laptop')
  device.start(at(110))
  device.write(at(111), (draft) => claimSession(draft, 'laptop1'))
  onWrongClock(device, 115, (draft, now) => pause(draft, now))
  confirm(device, 56, -60)
  const log = logOf(device.view, 'laptop1')
  expect(log.map(({ action }) => action.kind)).toEqual(['start', 'pause'])
  expect(log.every(({ stamp }) => stamp.milliseconds >= at(110))).toBe(true)
})

test.each([
  ['stop', stop, 'asks 110-180'],
  ['pause', pause, 'write 110-110 paused, asks 110-180'],
] as const)(
  'A %s that would lie before its start is at the start, and the time since is asked about',
  (_, press, expected) => {
    const device = sentAt110()
    // A new page, with a clock that was set back. It shows no time before the last write.
    device.reload('laptop-2')
    onWrongClock(device, 120, (draft, now) => press(draft, now), [], at(110))
    confirm(device, 180, -600)
    expect(shown(device)).toBe(expected)
  },
)

test('A stop that would lie a moment before its start is at the start', () => {
  const device = sentAt110()
  onWrongClock(device, 290, (draft, now) => stop(draft, now + 20), [], at(110))
  confirm(device, 110 + 100 / MINUTE, -180 - 40 / MINUTE)
  expect(shown(device)).toBe('')
})

test('A pause that would lie a moment before the resume before it is at that resume', () => {
  const device = new TestDevice('laptop')
  device.start(at(110))
  device.write(at(115), (draft, now) => pause(draft, now))
  device.write(at(120), (draft, now) => resume(draft, now))
  device.send(at(120))
  onWrongClock(device, 300, (draft, now) => pause(draft, now + 20), [], at(120))
  device.write(at(120) + 100, (draft, now) =>
    correctInstants(draft, {
      now,
      offset: -180 * MINUTE - 40,
      isSure: true,
      since: at(0),
      leaps: [],
    }),
  )
  expect(device.timer).toMatchObject({ status: 'paused', pausedAt: at(120) })
})

test('Presses of one page stay apart as they were, wherever the correction would place them', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 120, (draft, now) => start(draft, { ...START, now }), [], at(110))
  onWrongClock(device, 125, (draft, now) => stop(draft, now), [], at(110))
  confirm(device, 180, -600)
  expect(shown(device)).toBe('write 110-115')
})

test('The log can be read although the clock leapt by a fraction of a millisecond', () => {
  const device = sentAt110()
  const leaps = [{ at: at(115) + 0.25, by: 60 * MINUTE + 0.5 }]
  onWrongClock(device, 176, (draft, now) => pause(draft, now), leaps, at(115) + 0.25)
  const again = [...leaps, { at: at(177), by: 60 * MINUTE + 0.25 }]
  onWrongClock(device, 238, (draft, now) => stop(draft, now), again)
  confirm(device, 119, -120, again)
  const [entry] = device.view.entries.all()
  expect(readLog(entry?.log ?? null)).toHaveLength(3)
  expect(shown(device)).toBe('write 110-118 (116-118)')
})

test('Nothing is placed after the present', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 120, (draft, now) => start(draft, { ...START, now }), [], at(110))
  onWrongClock(device, 190, (draft, now) => stop(draft, now), [], at(110))
  confirm(device, 140, -600)
  expect(shown(device)).toBe('write 110-140')
})

test('A timer that was resumed since the device woke runs until it fails', () => {
  const device = sentAt110()
  device.write(at(200), noteAwakeSince(at(110)))
  const { timer } = device
  if (!timer) throw new Error('There is no timer.')
  expect(device.write(at(200.5), (draft, now) => awakeUntil(draft, timer, now))).toBe(at(110))
  device.pause(at(200.6))
  device.resume(at(200.7))
  const resumed = device.timer ?? timer
  expect(device.write(at(201), (draft, now) => awakeUntil(draft, resumed, now))).toBe(at(201))
})

test('A clock that was set while the device was closed makes no gap', () => {
  const device = sentAt110()
  onWrongClock(device, 300, noteAwakeSince(at(112)), [], at(110))
  expect(device.view.value('gaps')?.gaps).toHaveLength(1)
  confirm(device, 120, -180)
  expect(device.view.value('gaps')?.gaps).toEqual([])
})

function failSeen(draft: Draft, now: number): void {
  draft.putValue({ key: 'seen', sessionId: 'laptop1', at: at(110) })
  failAwaited(draft, 'No connection', now)
}

test('A start that failed after a clock was set ahead asks about its time up to the failure', () => {
  const device = new TestDevice('laptop', new TestBackend(), false)
  device.start(at(110))
  onWrongClock(device, 300, failSeen, [], at(111))
  confirm(device, 120, -180)
  expect(shown(device)).toBe('asks 110-120')
})

test('A start that failed on a page with another clock asks about its time up to now', () => {
  const device = new TestDevice('laptop', new TestBackend(), false)
  onWrongClock(device, 300, (draft, now) => start(draft, { ...START, now }), [], at(100))
  device.reload('laptop-2')
  onWrongClock(device, 600, noteAwakeSince(at(301), 's'), [], at(301))
  onWrongClock(device, 600, (draft, now) => failAwaited(draft, 'No connection', now))
  confirm(device, 150, -450)
  expect(shown(device)).toBe('asks 100-150')
})

test('The deletion of an entry that is placed anew can be undone', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 100, (draft, now) => start(draft, { ...START, now }))
  onWrongClock(device, 110, (draft, now) => stop(draft, now))
  const deletion = () => ({ entries: [deleteEntry(device.entry('s'), at(111))] })
  let undo: RecordChanges = {}
  onWrongClock(device, 111, (draft, now) => {
    undo = applyChanges(draft, deletion(), now)
  })
  confirm(device, 60, -60)
  device.write(at(61), (draft, now) => applyChanges(draft, undo, now))
  expect(shown(device)).toBe('write 40-50')
})

test('A later timer does not change what is asked about a start that failed after a clock was set ahead', () => {
  const device = new TestDevice('laptop', new TestBackend(), false)
  device.start(at(110))
  const leaps = [{ at: at(111), by: 180 * MINUTE }]
  onWrongClock(device, 300, failSeen, leaps, at(111))
  onWrongClock(device, 301, (draft) => dismissBanner(draft), leaps)
  onWrongClock(device, 302, (draft, now) => start(draft, { ...START, now }), leaps)
  const again = [...leaps, { at: at(303), by: 120 * MINUTE }]
  onWrongClock(device, 424, noteAwakeSince(at(302), 's'), again)
  confirm(device, 125, -300, again)
  expect(shown(device)).toBe('write 122-now, asks 110-120')
  expect(device.view.value('gaps')?.gaps).toEqual([])
})

test('A cut that means nothing once the clock is known leaves no part in the future', () => {
  const device = sentAt110()
  device.pause(at(115))
  device.send(at(115))
  const ahead = (minute: number, change: (draft: Draft, now: number) => unknown) =>
    onWrongClock(device, minute, change, [{ at: at(230), by: 120 * MINUTE }], at(230))
  ahead(240, (draft, now) => stop(draft, now))
  ahead(241, split)
  confirm(device, 122, -120)
  expect(shown(device)).toBe('write 110-120 (115-120)')
  const ends = device.view.entries.all().map(({ endedAt }) => endedAt)
  expect(Math.max(...ends)).toBeLessThanOrEqual(at(122))
})

test('A clock that was sure before it was set ahead tells how long the app was closed', () => {
  const device = new TestDevice('laptop')
  const ahead = [{ at: at(100), by: 420 * MINUTE }]
  onWrongClock(device, 530, (draft, now) => start(draft, { ...START, now }), ahead, at(100))
  // The clock is set back while the app is closed for half an hour.
  device.reload('laptop-2')
  const back = [{ at: at(531), by: 0 }]
  onWrongClock(device, 532, (draft, now) => stop(draft, now), back, at(531))
  confirm(device, 143, 142 - 532, back)
  expect(shown(device)).toBe('write 110-142')
})

test('A clock that was behind when the app was opened, and was set ahead then, did not sleep', () => {
  const device = new TestDevice('laptop')
  const behind = { at: at(100), by: 0 }
  onWrongClock(device, 100, (draft, now) => start(draft, { ...START, now }), [behind], at(100))
  const leaps = [behind, { at: at(101), by: 420 * MINUTE }]
  onWrongClock(device, 521, (draft, now) => stop(draft, now), leaps, at(100))
  confirm(device, 485, 481 - 521, leaps)
  expect(shown(device)).toBe('write 480-481')
})

test('A session with nothing to save by a wrong clock is kept until the clock is confirmed', () => {
  const device = new TestDevice('laptop')
  device.start(at(100))
  device.pause(at(110))
  // The clock is set two hours ahead, and the start is moved over the pause.
  const leaps = [{ at: at(110) + 1, by: 120 * MINUTE }]
  const unsure = (minute: number, change: (draft: Draft, now: number) => unknown) =>
    onWrongClock(
      device,
      minute,
      (draft, now) => {
        draft.isSure = false
        change(draft, now)
      },
      leaps,
      at(110) + 1,
    )
  const timer = { sessionId: 'laptop1', change: { startedAt: at(225) } }
  unsure(231, (draft, now) => resume(draft, now))
  unsure(231, (draft, now) => applyChanges(draft, { timer }, now))
  unsure(231, (draft, now) => stop(draft, now))
  expect(shown(device)).toBe('')
  confirm(device, 112, -120, leaps)
  expect(shown(device)).toBe('write 105-111 (110-111)')
})

test('Where nobody knows how long the app was closed, the time up to now is asked about', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 530, (draft, now) => start(draft, { ...START, now }), [], at(100))
  device.reload('laptop-2')
  const back = [{ at: at(531), by: 0 }]
  onWrongClock(device, 532, (draft, now) => stop(draft, now), back, at(531))
  confirm(device, 150, 142 - 532, back)
  expect(shown(device)).toBe('write 140-142, asks 100-140, asks 142-150')
})

test.each([
  [true, 'write 100-170'],
  [false, 'write 149-170'],
] as const)(
  'Where nobody knows when a timer was started, the time before it is asked about: %s',
  (isYes, answered) => {
    const device = new TestDevice('laptop')
    onWrongClock(device, 530, (draft, now) => start(draft, { ...START, now }), [], at(100))
    device.reload('laptop-2')
    confirm(device, 150, 150 - 531, [{ at: at(531), by: 0 }])
    expect(shown(device)).toBe('write 149-now, asks 100-149')
    device.stop(at(170))
    const [question] = device.questions
    if (question) device.write(at(171), (draft, now) => answerQuestion(draft, question, isYes, now))
    expect(shown(device)).toBe(answered)
  },
)

test('Where the app was closed for days before a timer was started, four hours before it are asked about', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 5530, (draft, now) => start(draft, { ...START, now }), [], at(100))
  device.reload('laptop-2')
  confirm(device, 5000, 5000 - 5531, [{ at: at(5531), by: 0 }])
  expect(shown(device)).toBe('write 4999-now, asks 4759-4999')
})

test('Where nobody knows when a timer was resumed, the time before it is asked about', () => {
  const device = sentAt110()
  device.pause(at(112))
  device.send(at(112))
  device.reload('laptop-2')
  onWrongClock(device, 530, (draft, now) => resume(draft, now), [], at(113))
  device.reload('laptop-3')
  confirm(device, 150, 150 - 531, [{ at: at(531), by: 0 }])
  expect(shown(device)).toBe('write 110-now (112-149), asks 113-149')
})

test('Where a clock was behind at two openings of the app, the time up to now is asked about', () => {
  const device = new TestDevice('laptop')
  device.start(at(100))
  // The app is closed until 119, and again until 120. Both times its clock is set back.
  device.reload('laptop-2')
  const back = [{ at: at(101), by: 0 }]
  onWrongClock(device, 102, (draft, now) => pause(draft, now), back, at(101))
  device.reload('laptop-3')
  confirm(device, 121, 18, [{ at: at(103), by: 0 }])
  expect(shown(device)).toBe('write 100-102 paused, asks 102-121')
})

test.each([
  ['ahead', 530, 540, -420, 'asks 110-530'],
  ['back', 120, 185, 60, 'asks 110-180'],
])(
  'A start that failed on an earlier page is asked about up to then at the latest, if the clock was set %s',
  (_name, failedAt, minute, offset, expected) => {
    const device = new TestDevice('laptop', new TestBackend(), false)
    device.start(at(110))
    // The clock may have been set before this page or after it.
    device.reload('laptop-2')
    onWrongClock(device, failedAt, failSeen, [], at(110))
    device.reload('laptop-3')
    confirm(device, minute, offset)
    expect(shown(device)).toBe(expected)
  },
)

test('A failed start that is tracked offline is placed anew, and nothing stays of its failure', () => {
  const device = new TestDevice('laptop', new TestBackend(), false)
  onWrongClock(device, 100, (draft, now) => start(draft, { ...START, now }))
  onWrongClock(device, 101, (draft, now) => failAwaited(draft, 'No connection', now))
  onWrongClock(device, 102, (draft, now) => trackOffline(draft, { sessionId: 's', now }))
  confirm(device, 50, -60)
  expect(shown(device)).toBe('write 40-now')
  expect(logOf(device.view, 's').map((event) => event.at)).toEqual([at(40), at(41), at(42)])
  expect(device.view.entries.get('s')).toBeUndefined()
})

test('What a screen showed until news came is placed anew as well', () => {
  const device = sentAt110()
  const known = logOf(device.view, 'laptop1')
  const press = { action: { kind: 'stop' }, at: at(115), now: at(115) } as const
  const stopped = nextEvent(known, 'phone', press)
  const hears = (draft: Draft, now: number) => uniteLogs(draft, 'laptop1', [...known, stopped], now)
  onWrongClock(device, 130, hears, [], at(119))
  confirm(device, 121, -10)
  expect(shown(device)).toBe('write 110-115, asks 115-120')
})

test('What a screen showed is asked about if the clock was set ahead just before the news, and not after a sleep', () => {
  const asked = [-180, 0].map((offset) => {
    const device = sentAt110()
    const known = logOf(device.view, 'laptop1')
    const press = { action: { kind: 'stop' }, at: at(115), now: at(115) } as const
    const stopped = nextEvent(known, 'phone', press)
    const hears = (draft: Draft, now: number) => {
      draft.isSure = false
      draft.putValue({ key: 'seen', sessionId: 'laptop1', at: at(112) })
      uniteLogs(draft, 'laptop1', [...known, stopped], now)
    }
    const leaps = [{ at: at(119), by: 180 * MINUTE }]
    onWrongClock(device, 300, hears, leaps, at(119))
    confirm(device, 301 + offset, offset, leaps)
    return shown(device)
  })
  expect(asked).toEqual(['write 110-115, asks 115-120', 'write 110-115'])
})

test('What an earlier version has noted of an unconfirmed clock is read, and its presses are placed anew', () => {
  const device = new TestDevice('laptop')
  device.start(at(100))
  const leaps = [{ at: at(90), by: MINUTE, isLag: true }]
  const noted = { key: 'clock', from: at(90), offset: 0, leaps, raised: MINUTE }
  const value = { ...noted, events: { laptop1: ['laptop.1'] } }
  expect(isValue(value)).toBe(true)
  if (isValue(value)) device.write(at(101), (draft) => draft.putValue(value))
  confirm(device, 41, -60)
  expect(shown(device)).toBe('write 40-now')
})

test('A moment is what is known of it by now, and a small correction places nothing before an earlier write', () => {
  const reading = { offset: 0, isSure: false, since: at(0), leaps: [] }
  const pressed = { ...reading, now: at(10) }
  const known = { offset: 2 * MINUTE, isSure: true, since: at(0), leaps: [] }
  expect(asKnown(pressed, known).now).toBe(at(12))
  expect(asKnown(pressed, reading).now).toBe(at(10))
  const moments = [latest(at(10), at(10) + 900), latest(at(10), at(11)), latest(at(10))]
  expect(moments).toEqual([at(10) + 900, at(10), at(10)])
})
