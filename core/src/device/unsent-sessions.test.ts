/** Tests what is sent next, how it is counted, and what becomes of it. */
import { expect, test } from 'vitest'

import { newEntry } from '#record/entry-edit.ts'
import { newTask } from '#record/task.ts'
import { at, TestDevice } from '#test/devices.ts'

import { applyChanges } from './changes.ts'
import { isHeld } from './edits.ts'
import { setNote } from './timer.ts'
import { nextEdits, nextNewTask } from './unsent-edits.ts'
import {
  claimSession,
  nextSession,
  noteAttempt,
  refuseSession,
  retryRefused,
} from './unsent-sessions.ts'
import { countUnsaved, isTypedOn, isUnsent } from './unsaved.ts'
import { SAVE_FAILED } from './timer-texts.ts'

const REFUSED = { message: 'No', isOverQuota: false, isRetried: false }
const all = () => true
const counts = ({ view }: TestDevice) => [
  countUnsaved(view, all),
  countUnsaved(view, ({ refused }) => refused !== null),
]

test('A session that has ended is sent before the one that begins, and nothing when all was sent', () => {
  const device = new TestDevice('laptop')
  const first = device.start(at(0))
  device.send(at(0))
  expect(nextSession(device.view)).toBeNull()
  const second = device.start(at(5), 'read')
  expect(nextSession(device.view)).toMatchObject({ session: { id: first }, active: null })
  device.backend.sessions.clear()
  device.send(at(5))
  expect([...device.backend.sessions.keys()]).toEqual([second])
  expect(nextSession(device.view)).toBeNull()
})

test('A session that was never sent needs no document of its own after it was stopped', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  expect(nextSession(device.view)).toMatchObject({ session: { id }, isPutAside: false })
  device.stop(at(5))
  expect(nextSession(device.view)).toBeNull()
  expect(nextEdits(device.view, new Set()).map((edit) => edit.id)).toEqual([id])
})

test('A session with its entries counts as one, and refused things are counted on their own', () => {
  const device = new TestDevice('laptop')
  expect(counts(device)).toEqual([0, 0])
  const id = device.start(at(0))
  expect(counts(device)).toEqual([1, 0])
  device.send(at(1), 'answer')
  device.stop(at(5))
  expect(counts(device)).toEqual([1, 0])
  device.write(at(6), (draft) => refuseSession(draft, id, REFUSED))
  expect(counts(device)).toEqual([1, 1])
  expect(nextSession(device.view)).toBeNull()
  expect(device.view.value('banner')?.text).toBe(SAVE_FAILED)
  device.write(at(7), (draft) => retryRefused(draft))
  expect(device.view.sessions.all().some(isHeld)).toBe(false)
  device.send(at(7))
  expect(counts(device)).toEqual([0, 0])
})

test('A note that may still be typed on waits, and other presses do not', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  const here = () => {
    const session = device.view.sessions.get(id)
    if (!session) throw new Error('There is no session.')
    return session
  }
  const isTyped = () => isTypedOn(device.view, here())
  device.write(at(0), (draft) => setNote(draft, id, 'd'))
  expect(isTyped()).toBe(false)
  device.send(at(0))
  device.write(at(1), (draft) => setNote(draft, id, 'dr'))
  expect([isTyped(), isUnsent(device.view, here())]).toEqual([true, true])
  device.pause(at(2))
  expect(isTyped()).toBe(false)
})

test('An attempt that fails shows the error of a stop, and none of a timer that goes on', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  device.send(at(0))
  device.pause(at(1))
  device.write(at(1), (draft) => noteAttempt(draft, id))
  expect(device.view.value('banner')).toBeUndefined()
  device.stop(at(2))
  device.write(at(2), (draft) => noteAttempt(draft, id))
  expect(device.view.value('banner')?.text).toBe(SAVE_FAILED)
})

test('What was claimed never changes, and a press since is sent next', () => {
  const device = new TestDevice('laptop')
  const id = device.start(at(0))
  const claimed = device.write(at(0), (draft) => claimSession(draft, id))
  expect(claimed?.session).toMatchObject({ isTried: true, tried: { laptop: 1 } })
  device.pause(at(1))
  device.send(at(1))
  expect(device.view.sessions.get(id)).toMatchObject({ tried: { laptop: 2 }, awaited: null })
  expect(device.write(at(2), (draft) => claimSession(draft, 'unknown'))).toBeNull()
})

const task = (id: string, minute: number) => newTask(id, id, at(minute))
const entry = (id: string) =>
  newEntry({ id, taskId: 'write', startedAt: at(0), endedAt: at(1) }, at(2))

test('New tasks are sent oldest first, then settings, then entries, without those that are sent alone', () => {
  const device = new TestDevice('laptop')
  device.write(at(3), (draft) =>
    applyChanges(draft, {
      newTasks: [task('late', 2), task('early', 1)],
      entries: [entry('one'), entry('two')],
      prefs: { changes: { theme: 'dark' } },
    }),
  )
  const next = () => nextEdits(device.view, new Set(['one'])).map(({ id }) => id)
  const sent = (id: string) => device.write(at(4), (draft) => draft.edits.remove(id))
  expect(nextNewTask(device.view).map(({ id }) => id)).toEqual(['early'])
  sent('task:early')
  expect(next()).toEqual(['late'])
  sent('task:late')
  expect(nextNewTask(device.view)).toEqual([])
  expect(next()).toEqual(['settings'])
  sent('settings:settings')
  expect(next()).toEqual(['two'])
  sent('entry:two')
  expect(next()).toEqual(['one'])
  sent('entry:one')
  expect(next()).toEqual([])
})
