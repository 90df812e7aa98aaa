/** Tests events of a clock that the server had not confirmed: they are placed anew until a request has them. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { nextEvent } from '#log/order.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { editEntry, splitEntry } from '#record/entry-edit.ts'
import { at, MINUTE, TestBackend, TestDevice } from '#test/devices.ts'
import { shown } from '#test/shown.ts'
import { testEachWalk } from '#test/walk.ts'

import { awakeUntil, noteAwake } from './awake.ts'
import { applyChanges } from './changes.ts'
import type { RecordChanges } from './changes.ts'
import type { Draft } from './draft.ts'
import { answerQuestion, openQuestions } from './questions.ts'
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
  change: (draft: Draft) => unknown,
  leaps: readonly Leap[] = [],
  since = at(0),
) {
  device.write(at(minute), (draft) => {
    draft.isSure = false
    change(draft)
    noteClock(draft, { now: draft.now, offset: 0, isSure: false, since, leaps })
  })
}
/** The server confirms that the clock is so many minutes off. */
const confirm = (device: TestDevice, minute: number, offset: number, leaps: readonly Leap[] = []) =>
  device.write(at(minute), (draft) =>
    correctInstants(draft, {
      now: draft.now,
      offset: offset * MINUTE,
      isSure: true,
      since: at(0),
      leaps,
    }),
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
  (draft: Draft) => {
    draft.putValue({ key: 'seen', sessionId, at: seenAt })
    noteAwake(draft)
  }

/** Cuts the entry of `laptop1` three hours after nine. */
function split(draft: Draft): void {
  const entry = draft.entries.get('laptop1')
  if (entry) applyChanges(draft, { entries: splitEntry(entry, at(180), 'second', draft.now) })
}

/** Returns the entries that count, in order of time. */
const partsOf = ({ entries }: Pick<Draft, 'entries'>) =>
  entries
    .all()
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt)

/** What is pressed at a minute after nine, with the numbers after its name. */
const PRESSES: Readonly<Record<string, (draft: Draft, ...minutes: number[]) => void>> = {
  start: (draft, minute) => {
    const startedAt = minute === undefined ? draft.now : at(minute)
    start(draft, { ...START, sessionId: `s${draft.now}`, startedAt })
  },
  pause,
  resume,
  stop: (draft) => void stop(draft),
  dismiss: (draft) => dismissBanner(draft),
  claim: (draft) => void claimSession(draft, timerIn(draft)),
  move: (draft, minute = 0) => {
    const timer = { sessionId: timerIn(draft), change: { startedAt: at(minute) } }
    applyChanges(draft, { timer })
  },
  /** It fails, on a device that was awake at that minute. */
  fail: (draft, minute) => {
    if (minute !== undefined) noteSeen(draft, minute)
    failAwaited(draft, 'No connection')
  },
  wake: (draft, minute = 0) => {
    noteSeen(draft, minute)
    noteAwake(draft)
  },
  /** It hears that the phone has stopped the timer at a minute. It was awake at the other one. */
  hear: (draft, minute = 0, seen = minute) => {
    noteSeen(draft, seen)
    const id = timerIn(draft)
    const known = logOf(draft, id)
    const press = { action: { kind: 'stop' }, at: at(minute), now: at(minute) } as const
    uniteLogs(draft, id, [...known, nextEvent(known, 'phone', press)])
  },
  yes: (draft) => answer(draft, true),
  no: (draft) => answer(draft, false),
}
const timerIn = (draft: Draft) => draft.value('timer')?.timer.sessionId ?? ''
const noteSeen = (draft: Draft, minute: number) =>
  draft.putValue({ key: 'seen', sessionId: timerIn(draft), at: at(minute) })
function answer(draft: Draft, isWork: boolean): void {
  for (const question of openQuestions(draft)) answerQuestion(draft, question, isWork)
}

/** Returns how many minutes a text means: '110', or '110+20' with milliseconds. */
function minutesOf(text: string): number {
  const [, minutes = '', milliseconds = '0'] = /^(-?[\d.]+)([+-]\d+)?$/.exec(text) ?? []
  return Number(minutes) + Number(milliseconds) / MINUTE
}

/**
 * Walks on one device. '100 start' is a press of a clock that the server has not confirmed `since` an instant, 'sure
 * 100 start' one of a clock that it has. 'leap 119 180' is a leap of the clock, 'page' a new page, and 'is 121 by -10'
 * the answer of the server.
 */
async function walk(text: string): Promise<string> {
  const steps = text.split(', ')
  const device = new TestDevice('laptop', new TestBackend(), steps[0] !== 'strict')
  let [since, leaps, pages]: [number, readonly Leap[], number] = [0, [], 1]
  for (const step of steps) {
    const [word = '', ...rest] = step.replace('sure ', '').split(' ')
    const [first = 0, second = 0, third = 0] = rest.map(minutesOf)
    const press = PRESSES[rest[0] ?? '']
    const change = (draft: Draft) => press?.(draft, ...rest.slice(1).map(minutesOf))
    if (word === 'since') since = first
    else if (word === 'leap') leaps = [...leaps, { at: at(first), by: second * MINUTE }]
    else if (word === 'page') {
      pages += 1
      leaps = []
      device.reload(`laptop-${pages}`)
    } else if (word === 'is') confirm(device, first, third, leaps)
    else if (rest[0] === 'send') device.send(at(minutesOf(word)))
    else if (step.startsWith('sure')) device.write(at(minutesOf(word)), change)
    else if (press) onWrongClock(device, minutesOf(word), change, leaps, at(since))
    else if (word !== 'strict') throw new SyntaxError(`There is no step ${step}.`)
  }
  expect(device.view.value('clock')).toBeUndefined()
  return shown(device) || 'nothing'
}

const SENT = 'sure 110 start, sure 110 send'

testEachWalk(
  `
  Presses of a clock that was ahead are placed anew
    100 start, 103 pause, 105 resume, 110 stop, is 51 by -60 → write 40-50 (43-45)
  Presses of a clock that was behind are placed anew
    100 start, 103 pause, 105 resume, 110 stop, is 171 by 60 → write 160-170 (163-165)
  Presses of a clock that was right stay
    100 start, 103 pause, 105 resume, 110 stop, is 111 by 0 → write 100-110 (103-105)
  Presses of a clock that was off by less than a second stay
    100 start, 103 pause, 105 resume, 110 stop, is 111 by 0.01 → write 100-110 (103-105)
  A running timer and a start that lay before its press are placed anew
    100 start 95, is 42 by -60 → write 35-now
  What a request has had never changes, and what was pressed since is placed anew
    100 start, sure 101 claim, 110 pause, is 121 by 10 → write 100-120 paused
  A stop that would lie before its start is at the start, and the time since is asked about
    ${SENT}, page, since 110, 120 stop, is 180 by -600 → asks 110-180
  A pause that would lie before its start is at the start, and the time since is asked about
    ${SENT}, page, since 110, 120 pause, is 180 by -600 → write 110-110 paused, asks 110-180
  A stop that would lie a moment before its start is at the start
    ${SENT}, since 110, 290+20 stop, is 110+100 by -180-40 → nothing
  A pause that would lie a moment before the resume before it is at that resume
    ${SENT}, sure 115 pause, sure 120 resume, sure 120 send, since 120, 300+20 pause, is 120+100 by -180-40 → write 110-120 paused (115-120)
  Presses of one page stay apart as they were, wherever the correction would place them
    since 110, 120 start, 125 stop, is 180 by -600 → write 110-115
  Nothing is placed after the present
    since 110, 120 start, 190 stop, is 140 by -600 → write 110-140
  A start that failed after a clock was set ahead asks about its time up to the failure
    strict, sure 110 start, since 111, 300 fail 110, is 120 by -180 → asks 110-120
  A start that failed on a page with another clock asks about its time up to now
    strict, since 100, 300 start, page, since 301, 600 wake 301, since 0, 600 fail, is 150 by -450 → asks 100-150
  A later timer does not change what is asked about a start that failed after a clock was set ahead
    strict, sure 110 start, since 111, leap 111 180, 300 fail 110, 301 dismiss, 302 start, leap 303 120, 424 wake 302, is 125 by -300 → write 122-now, asks 110-120
  A clock that was sure before it was set ahead tells how long the app was closed
    since 100, leap 100 420, 530 start, page, since 531, leap 531 0, 532 stop, is 143 by -390 → write 110-142
  A clock that was set ahead in a page that was not sure tells it as well
    since 100, leap 101 420, 530 start, page, since 531, leap 531 0, 532 stop, is 143 by -390 → write 110-142
  A stop on a page that saw the clock set ahead is right, although the clock was set again while the app was closed
    sure 110 start, since 111, leap 111 180, 300 stop, page, is 130 by -300 → write 110-120
  A start that failed on such a page asks about its time up to the failure
    strict, sure 110 start, since 111, leap 111 180, 300 fail 110, page, is 130 by -300 → asks 110-120
  A press on a page after such a page is right as well
    sure 110 start, since 111, leap 111 180, 300 pause, page, 430 resume, 435 stop, is 140 by -300 → write 110-135 (120-130)
  A clock that was behind when the app was opened, and was set ahead then, did not sleep
    since 100, leap 100 0, 100 start, leap 101 420, 521 stop, is 485 by -40 → write 480-481
  A session with nothing to save by a wrong clock is kept until the clock is confirmed
    sure 100 start, sure 110 pause, since 110+1, leap 110+1 120, 231 resume, 231 move 225, 231 stop, is 112 by -120 → write 105-111 (110-111)
  Where nobody knows how long the app was closed, the time up to now is asked about
    since 100, 530 start, page, since 531, leap 531 0, 532 stop, is 150 by -390 → write 140-142, asks 100-140, asks 142-150
  Where nobody knows when a timer was started, the time before it is asked about
    since 100, 530 start, page, leap 531 0, is 150 by -381 → write 149-now, asks 100-149
  The time before such a timer counts if its owner says so
    since 100, 530 start, page, leap 531 0, is 150 by -381, sure 170 stop, sure 171 yes → write 100-170
  The time before such a timer does not count if its owner says so
    since 100, 530 start, page, leap 531 0, is 150 by -381, sure 170 stop, sure 171 no → write 149-170
  Where the app was closed for days before a timer was started, four hours before it are asked about
    since 100, 5530 start, page, leap 5531 0, is 5000 by -531 → write 4999-now, asks 4759-4999
  Where nobody knows when a timer was resumed, the time before it is asked about
    ${SENT}, sure 112 pause, sure 112 send, page, since 113, 530 resume, page, leap 531 0, is 150 by -381 → write 110-now (112-149), asks 113-149
  Where a clock was behind at two openings of the app, the time up to now is asked about
    sure 100 start, page, since 101, leap 101 0, 102 pause, page, leap 103 0, is 121 by 18 → write 100-102 paused, asks 102-121
  A start that failed on an earlier page is asked about up to then, if the clock was set ahead
    strict, sure 110 start, page, since 110, 530 fail 110, page, is 540 by -420 → asks 110-530
  A start that failed on an earlier page is asked about up to then, if the clock was set back
    strict, sure 110 start, page, since 110, 120 fail 110, page, is 185 by 60 → asks 110-180
  What a screen showed until news came is placed anew as well
    ${SENT}, since 119, 130 hear 115 130, is 121 by -10 → write 110-115, asks 115-120
  What a screen showed is asked about if the clock was set ahead just before the news
    ${SENT}, since 119, leap 119 180, 300 hear 115 112, is 121 by -180 → write 110-115, asks 115-120
  What a screen showed is not asked about if the device slept before the news
    ${SENT}, since 119, leap 119 180, 300 hear 115 112, is 301 by 0 → write 110-115
`,
  walk,
)

test('An edit of a session keeps the instants that were typed before the clock was unconfirmed', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  device.stop(at(60))
  device.send(at(60))
  const edited = editEntry(device.entry(id), { endedAt: at(50), note: 'draft' }, at(100))
  const edit = (draft: Draft) => applyChanges(draft, { entries: [edited] })
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
  onWrongClock(device, 115, pause)
  confirm(device, 56, -60)
  const log = logOf(device.view, 'laptop1')
  expect(log.map(({ action }) => action.kind)).toEqual(['start', 'pause'])
  expect(log.every(({ stamp }) => stamp.milliseconds >= at(110))).toBe(true)
})

test('The log can be read although the clock leapt by a fraction of a millisecond', () => {
  const device = sentAt110()
  const leaps = [{ at: at(115) + 0.25, by: 60 * MINUTE + 0.5 }]
  onWrongClock(device, 176, pause, leaps, at(115) + 0.25)
  const again = [...leaps, { at: at(177), by: 60 * MINUTE + 0.25 }]
  onWrongClock(device, 238, stop, again)
  confirm(device, 119, -120, again)
  const [entry] = device.view.entries.all()
  expect(readLog(entry?.log ?? null)).toHaveLength(3)
  expect(shown(device)).toBe('write 110-118 (116-118)')
})

test('A timer that was resumed since the device woke runs until it fails', () => {
  const device = sentAt110()
  device.write(at(200), noteAwakeSince(at(110)))
  const { timer } = device
  if (!timer) throw new Error('There is no timer.')
  expect(device.write(at(200.5), (draft) => awakeUntil(draft, timer))).toBe(at(110))
  device.pause(at(200.6))
  device.resume(at(200.7))
  const resumed = device.timer ?? timer
  expect(device.write(at(201), (draft) => awakeUntil(draft, resumed))).toBe(at(201))
})

test('A start on a clock that is behind begins at its press, although the device knows of later presses', () => {
  const device = sentAt110()
  device.stop(at(111))
  // The clock shows 105 for 112.
  onWrongClock(device, 105, (draft) => start(draft, START), [], at(104))
  confirm(device, 113, 7)
  expect(device.view.value('timer')?.timer.startedAt).toBe(at(112))
})

test('A clock that was set while the device was closed makes no gap', () => {
  const device = sentAt110()
  onWrongClock(device, 300, noteAwakeSince(at(112)), [], at(110))
  expect(device.view.value('gaps')?.gaps).toHaveLength(1)
  confirm(device, 120, -180)
  expect(device.view.value('gaps')?.gaps).toEqual([])
})

test('The deletion of an entry that is placed anew can be undone', () => {
  const device = new TestDevice('laptop')
  onWrongClock(device, 100, (draft) => start(draft, START))
  onWrongClock(device, 110, stop)
  const deletion = () => ({ entries: [deleteEntry(device.entry('s'), at(111))] })
  let undo: RecordChanges = {}
  onWrongClock(device, 111, (draft) => {
    undo = applyChanges(draft, deletion())
  })
  confirm(device, 60, -60)
  device.write(at(61), (draft) => applyChanges(draft, undo))
  expect(shown(device)).toBe('write 40-50')
})

test('A trim that leaves nothing once the clock is known can be undone', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  // The clock was set two hours ahead while the app was closed: it shows 135 minutes for 15.
  onWrongClock(device, 135, stop, [], at(0) + 1)
  const trim = () => ({ entries: [editEntry(device.entry(id), { endedAt: at(60) }, at(136))] })
  let undo: RecordChanges = {}
  onWrongClock(device, 136, (draft) => (undo = applyChanges(draft, trim())), [], at(0) + 1)
  confirm(device, 16, -120)
  device.write(at(17), (draft) => applyChanges(draft, undo))
  expect(shown(device)).toBe('write 0-15')
})

test('A cut that means nothing once the clock is known leaves no part in the future', () => {
  const device = sentAt110()
  device.pause(at(115))
  device.send(at(115))
  const ahead = (minute: number, change: (draft: Draft) => unknown) =>
    onWrongClock(device, minute, change, [{ at: at(230), by: 120 * MINUTE }], at(230))
  ahead(240, stop)
  ahead(241, split)
  confirm(device, 122, -120)
  expect(shown(device)).toBe('write 110-120 (115-120)')
  const ends = device.view.entries.all().map(({ endedAt }) => endedAt)
  expect(Math.max(...ends)).toBeLessThanOrEqual(at(122))
})

test('Cuts and edits of a session keep their order, although a clock that was ahead shows it with a longer pause', () => {
  const device = new TestDevice('laptop')
  device.start(at(90))
  device.pause(at(110))
  device.send(at(110))
  const ahead = (minute: number, change: (draft: Draft) => unknown) =>
    onWrongClock(device, minute, change, [], at(110))
  const split = (minute: number) => (draft: Draft) => {
    const last = partsOf(draft).slice(-1)
    const changes = last.map((part) => splitEntry(part, at(minute), `at ${minute}`, draft.now))
    applyChanges(draft, { entries: changes.flat() })
  }
  ahead(171, resume)
  ahead(172, stop)
  ahead(173, split(100))
  ahead(174, split(130))
  ahead(175, (draft) => {
    const second = partsOf(draft).slice(1, 2)
    const shorter = second.map((part) => editEntry(part, { endedAt: at(120) }, draft.now))
    applyChanges(draft, { entries: shorter })
  })
  confirm(device, 120, -60)
  const bounds = partsOf(device.view).flatMap(({ startedAt, endedAt }) => [startedAt, endedAt])
  expect(bounds.map((each) => (each - at(0)) / MINUTE)).toEqual([90, 100, 100, 110, 110, 112])
})

test('A failed start that is tracked offline is placed anew, and nothing stays of its failure', () => {
  const device = new TestDevice('laptop', new TestBackend(), false)
  onWrongClock(device, 100, (draft) => start(draft, START))
  onWrongClock(device, 101, (draft) => failAwaited(draft, 'No connection'))
  onWrongClock(device, 102, (draft) => trackOffline(draft, 's'))
  confirm(device, 50, -60)
  expect(shown(device)).toBe('write 40-now')
  expect(logOf(device.view, 's').map((event) => event.at)).toEqual([at(40), at(41), at(42)])
  expect(device.view.entries.get('s')).toBeUndefined()
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
