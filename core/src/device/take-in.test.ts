/** What is taken in: lost answers, older documents, and missing ones. Presses of two devices are in walks/. */
import { expect, test } from 'vitest'

import { readLog } from '#log/documents.ts'
import { eventsOf, idOf } from '#log/event.ts'
import { splitEntry } from '#record/entry-edit.ts'
import { newTask } from '#record/task.ts'
import {
  at,
  devicesWithSession,
  devicesWithTimer,
  exchange,
  MINUTE,
  TestDevice,
  twoDevices,
} from '#test/devices.ts'
import { testEntry } from '#test/entries.ts'
import { agreed, shown } from '#test/shown.ts'

import type { Draft } from './draft.ts'
import { takeIn, takeInEarlier } from './take-in.ts'
import { append } from './session-log.ts'
import { claimEdits, takeAnswers } from './unsent-edits.ts'
import { claimSession, noteGone } from './unsent-sessions.ts'

test('An entry that was created again lets the next pull ask for everything', () => {
  const { laptop, id } = devicesWithSession()
  const pulled = {
    key: 'pull:time_entries',
    complete: true,
    since: '2026-01-15T00:00:00.000Z',
  } as const
  laptop.write(at(70), (draft) => draft.putValue(pulled))
  const again = { ...laptop.entry(id), createdAt: at(69), updatedAt: at(69) }
  laptop.write(at(70), (draft) => takeIn(draft, 'entry', id, again))
  expect(laptop.view.value('pull:time_entries')?.since).toBe('1970-01-01T00:00:00.000Z')
})

test('An older event changes nothing, and one of a press that was answered meanwhile neither', () => {
  const { backend, laptop, id } = devicesWithTimer()
  const older = backend.sessions.get(id)
  if (!older) throw new Error('There is no session.')
  laptop.pause(at(10))
  laptop.write(at(10), (draft) => claimSession(draft, id))
  laptop.send(at(10))
  const copy = backend.copy()
  backend.sessions.set(id, older)
  laptop.pull(at(11))
  expect(shown(laptop)).toBe('write 0-10 paused')
  laptop.backend = copy
  laptop.pull(at(12))
  expect(shown(laptop)).toBe('write 0-10 paused')
})

test('What is known already is not written again', () => {
  const { backend, laptop, phone, id } = devicesWithSession()
  const plain = testEntry({ id: 'plain', start: at(-60), end: at(-30) })
  const task = { ...newTask('task', 'Read', at(0)), updatedAt: at(1) }
  laptop.stop(at(60))
  exchange(at(61), laptop, phone)
  const logged = backend.entries.get(id)
  expect(logged?.log).toContain('stop')
  const takeAll = (draft: Draft) => {
    if (logged) takeIn(draft, 'entry', id, logged)
    takeIn(draft, 'entry', 'plain', plain)
    takeIn(draft, 'task', 'task', task)
    return draft.isChanged
  }
  expect(laptop.write(at(62), takeAll)).toBe(true)
  expect(laptop.write(at(63), takeAll)).toBe(false)
})

test('A log that this version cannot read is taken in as it is, however plain it looks', () => {
  const { laptop } = twoDevices()
  const entry = testEntry({ id: 'later', start: at(0), end: at(30) })
  const log = `[1,${at(0)},["phone"],[[0,1,0,0,0,0,"dance","${'x'.repeat(200)}"]]]`
  for (const days of [1, 100]) {
    const there = { ...entry, log, updatedAt: at(30) - days * 24 * 60 * MINUTE }
    laptop.write(at(31), (draft) => {
      draft.entries.remove('later')
      takeIn(draft, 'entry', 'later', there)
    })
    expect(laptop.view.entries.get('later')).toEqual(there)
  }
})

/** The laptop has split a session whose stop on the phone it had not heard of, and the phone reads no second half. */
function withoutSecondHalf() {
  const { backend, laptop, phone, id } = devicesWithTimer()
  phone.stop(at(10))
  laptop.stop(at(30))
  laptop.change(at(31), { entries: splitEntry(laptop.entry(id), at(20), 'part', at(31)) })
  laptop.send(at(31))
  const half = [...backend.entries.values()].find((entry) => entry.id !== id)
  if (!half) throw new Error('There is no second half.')
  backend.entries.delete(half.id)
  exchange(at(32), phone)
  backend.entries.set(half.id, half)
  return { backend, laptop, phone, id, half }
}

test.each(['phone', 'laptop'] as const)(
  'A half of a session that had ended before is deleted by the device that sees it first (the %s)',
  (first) => {
    const devices = withoutSecondHalf()
    const { laptop, phone } = devices
    exchange(at(33), devices[first])
    exchange(at(34), laptop, phone)
    expect(agreed(laptop, phone)).toBe('write 0-10, asks 10-30')
  },
)

test('A half that comes back arrives before the log that brings it back, and stays', () => {
  const { backend, laptop, phone, id, half } = withoutSecondHalf()
  exchange(at(33), laptop, phone)
  const stops = eventsOf(readLog(phone.entry(id).log) ?? [], 'stop')
  const [stop = ''] = stops.filter((event) => event.at === at(10)).map(idOf)
  phone.write(at(34), (draft) => append(draft, id, [{ action: { kind: 'undo', of: [stop] } }]))
  phone.send(at(34))
  const back = backend.entries.get(half.id)
  if (!back) throw new Error('There is no second half.')
  expect(back.deletedAt).toBeNull()
  laptop.write(at(35), (draft) => takeIn(draft, 'entry', half.id, back))
  laptop.send(at(35))
  exchange(at(36), laptop, phone)
  expect(agreed(laptop, phone)).toBe('write 0-20, write 20-30')
})

test('A session that is gone for good asks about what was shown here', () => {
  const { laptop, id } = devicesWithTimer()
  laptop.write(at(30), (draft) => noteGone(draft, id))
  // It was there at 1, and may have been discarded then.
  expect(shown(laptop)).toBe('asks 1-30')
})

test('An entry that Undo has deleted here is sent with the events that its document has by then', () => {
  const { backend, laptop, phone, id } = devicesWithSession()
  phone.change(at(62), { entries: splitEntry(phone.entry(id), at(20), 'second', at(62)) })
  laptop.undoStop(at(63))
  phone.send(at(64))
  laptop.send(at(65))
  const sent = readLog(backend.entries.get(id)?.log ?? null) ?? []
  expect(sent.map(({ action }) => action.kind)).toEqual(['start', 'stop', 'cut', 'undo'])
})

test('A part that is other than the log of its session means is sent as the log means it', () => {
  const { backend, laptop, phone, id } = devicesWithTimer()
  const tablet = new TestDevice('tablet', backend)
  phone.stop(at(60))
  phone.change(at(61), { entries: splitEntry(phone.entry(id), at(20), 'second', at(61)) })
  phone.send(at(61))
  tablet.pull(at(62))
  expect(shown(tablet)).toBe('write 0-20, write 20-60')
  laptop.stop(at(40))
  laptop.pull(at(63))
  // It dies when the backend has the first part with its stop, and the second one as it was.
  backend.entries.set(id, { ...laptop.entry(id), updatedAt: backend.stamp(at(63)) })
  exchange(at(64), tablet, phone)
  expect(agreed(tablet, phone)).toBe('write 0-20, write 20-40, asks 40-60')
})

test('A part whose session is not known here is unsent no more once a restored server has it again', () => {
  const { backend, laptop, phone, id } = devicesWithSession()
  const tablet = new TestDevice('tablet', backend)
  laptop.stop(at(60))
  laptop.change(at(61), { entries: splitEntry(laptop.entry(id), at(20), 'second', at(61)) })
  laptop.send(at(61))
  const part = [...backend.entries.values()].find((entry) => entry.id !== id)
  if (!part) throw new Error('The part was not sent')
  tablet.write(at(62), (draft) => takeIn(draft, 'entry', part.id, part))
  tablet.write(at(63), (draft) => takeInEarlier(draft, 'entry', part.id, null))
  expect(tablet.view.edits.all().map((edit) => [edit.id, edit.base])).toEqual([[part.id, null]])

  const again = { ...part, createdAt: at(64), updatedAt: at(64) }
  tablet.write(at(64), (draft) => {
    const unsent = claimEdits(draft, draft.edits.all())
    takeAnswers(draft, unsent, [again])
  })
  expect(tablet.view.edits.all()).toEqual([])
  expect(tablet.entry(part.id)).toEqual(again)
  exchange(at(65), tablet, phone)
  expect(agreed(tablet, phone)).toBe('write 0-20, write 20-60')
})
