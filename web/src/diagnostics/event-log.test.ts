import { afterEach, expect, test, vi } from 'vitest'

import { notedEvents, noteErrors, noteEvent } from './event-log.ts'

afterEach(() => localStorage.clear())

test('The log keeps the last 200 events, the newest last', () => {
  for (let count = 1; count <= 205; count++) noteEvent(`event ${count}`)
  const texts = notedEvents().map(({ what }) => what)
  expect(texts).toHaveLength(200)
  expect(texts[0]).toBe('event 6')
  expect(texts.at(-1)).toBe('event 205')
})

test('A text that is too long is truncated', () => {
  noteEvent('x'.repeat(5000))
  expect(notedEvents()[0]?.what).toHaveLength(200)
})

test.each(['not JSON', '{}', '[1,null,{"at":"then","what":1}]'])(
  'A log with the content %s counts as empty and can be written',
  (stored) => {
    localStorage.setItem('stint-events', stored)
    expect(notedEvents()).toEqual([])
    noteEvent('opened')
    expect(notedEvents()).toHaveLength(1)
  },
)

test('Logging an event does not throw without storage', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => noteEvent('opened')).not.toThrow()
})

test('The log records uncaught errors with the file and the line', () => {
  const stop = noteErrors()
  const filename = 'http://localhost/assets/tasks-abc.js'
  dispatchEvent(new ErrorEvent('error', { message: 'x is undefined', filename, lineno: 7 }))
  stop()
  dispatchEvent(new ErrorEvent('error', { message: 'later', filename, lineno: 8 }))
  expect(notedEvents().map(({ what }) => what)).toEqual(['error: x is undefined (tasks-abc.js:7)'])
})

test('The log records the page of an inline script without its query', () => {
  const stop = noteErrors()
  const filename = 'http://localhost/recovery?userId=ada&secret=0123456789abcdef'
  dispatchEvent(new ErrorEvent('error', { message: 'x is undefined', filename, lineno: 7 }))
  stop()
  expect(notedEvents().map(({ what }) => what)).toEqual(['error: x is undefined (recovery:7)'])
})
