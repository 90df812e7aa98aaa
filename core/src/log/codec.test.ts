import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorTime } from '#test/processor-time.ts'
import { decodeLog, encodeLog } from './codec.ts'
import { anyLog, Devices, PAUSE, RESUME, STOP } from './test/devices.ts'

/** A text with one event, whose fields after the kind are these. */
function textWith(...fields: readonly unknown[]): string {
  const at = Date.UTC(2026, 10, 28)
  return JSON.stringify([1, at, ['a'], [[0, 1, 0, 0, 0, 0, ...fields]]])
}

test('Any log is the same after its text was read.', () => {
  fc.assert(
    fc.property(anyLog(), (log) => {
      const decoded = decodeLog(encodeLog(log))
      expect(decoded).toEqual({ kind: 'log', log })
      expect(decoded.kind === 'log' && encodeLog(decoded.log)).toBe(encodeLog(log))
    }),
  )
})

test('A note that is sent with every letter has few bytes for each of them.', () => {
  const devices = new Devices('k3f9a2bd')
  devices.press('k3f9a2bd', 0, { kind: 'start', task: 'task', deviceName: null, note: null })
  const text = 'Write the report. '.repeat(20)
  for (let letters = 1; letters <= text.length; letters += 1)
    devices.press('k3f9a2bd', letters, {
      kind: 'set',
      field: 'note',
      value: text.slice(0, letters),
      boundary: 'start',
    })
  const log = devices.all()
  const encoded = encodeLog(log)
  expect(encoded.length / text.length).toBeLessThan(60)
  expect(decodeLog(encoded)).toEqual({ kind: 'log', log })
})

test('The log of a session with two pauses has at most 400 bytes.', () => {
  const devices = new Devices('k3f9a2bd')
  const task = '6927f0c81a2b3c4d5e6f'
  const deviceName = 'Chrome on Linux'
  devices.press('k3f9a2bd', 0, { kind: 'start', task, deviceName, note: null })
  for (const [minutes, action] of [
    [61, PAUSE],
    [75, RESUME],
    [130, PAUSE],
    [171, RESUME],
    [240, STOP],
  ] as const)
    // prettier-ignore
    devices.press('k3f9a2bd', minutes, action)
  expect(new TextEncoder().encode(encodeLog(devices.all())).length).toBeLessThanOrEqual(400)
})

test('Any text is read without an error.', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(decodeLog(text).kind).toBe('unreadable')
    }),
  )
})

test('A log that was cut off anywhere is unreadable.', () => {
  fc.assert(
    fc.property(anyLog(), fc.nat(), (log, length) => {
      const text = encodeLog(log)
      expect(decodeLog(text.slice(0, length % text.length)).kind).toBe('unreadable')
    }),
  )
})

test('A log with any value changed is a log with the same text again, or says what is wrong with it.', () => {
  const found = new Set<string>()
  fc.assert(
    fc.property(anyLog(), fc.nat(), anyValue(), (log, place, value) => {
      let values = 0
      const count = (_: string, each: unknown) => (values++, each)
      JSON.stringify(JSON.parse(encodeLog(log)), count)
      let index = 0
      const changed = JSON.stringify(JSON.parse(encodeLog(log)), (_, each: unknown) =>
        index++ === place % values ? value : each,
      )
      const decoded = decodeLog(changed)
      found.add(decoded.kind)
      const again = decoded.kind === 'log' ? decodeLog(encodeLog(decoded.log)) : decoded
      expect(again).toEqual(decoded)
    }),
    { numRuns: 600 },
  )
  expect([...found]).toEqual(expect.arrayContaining(['log', 'unreadable']))
})

/** Returns any value, and often one that a log has somewhere. */
function anyValue(): fc.Arbitrary<unknown> {
  const kinds = ['pause', 'stop', 'undo', 'count', 'bound', 'before', 'start', 'later', 'a', 'a.1']
  return fc.oneof(
    fc.jsonValue(),
    fc.integer({ min: -3, max: 20 }),
    fc.constantFrom<unknown>(...kinds, 1e12, -1e13, 9e15, true, null, [1000, 2000], ['a', 'b']),
  )
}

const later = JSON.stringify([1, 32503680000000, ['a'], [[0, 1, 0, 0, 0, 0, 'pause']]])

test.each([
  ['a later version', '[2,0,[],[]]', 'unreadable'],
  ['a later version of another shape', '[9]', 'unreadable'],
  ['an unknown kind of event', textWith('z'), 'unreadable'],
  ['an event with a field too much', textWith('pause', 1), 'unreadable'],
  ['a move to no instant', textWith('move', 'noon'), 'unreadable'],
  ['a move to the year 1600', textWith('move', Date.UTC(1600, 0)), 'impossible'],
  ['a fraction of a millisecond', textWith('move', 1.5e12 + 0.5), 'impossible'],
  ['a span that ends first', textWith('delete', 'start', [1e9, -1]), 'impossible'],
  ['a press in the year 3000', later, 'impossible'],
  ['an event twice', '[1,1e12,["a"],[[0,1,0,0,0,0,"stop"],[0,1,1,0,0,0,"stop"]]]', 'unreadable'],
  [
    'events out of order',
    '[1,1e12,["a"],[[0,1,0,1,0,0,"stop"],[0,2,0,0,0,0,"stop"]]]',
    'unreadable',
  ],
  ['a device that is none', '[1,1e12,["a b"],[[0,1,0,0,0,0,"pause"]]]', 'unreadable'],
  ['a place without a device', '[1,1e12,["a"],[[1,1,0,0,0,0,"pause"]]]', 'unreadable'],
])('A text with %s is put aside.', (_, text, kind) => {
  expect(decodeLog(text).kind).toBe(kind)
})

test('Reading and writing a log of 3000 events takes at most 250 ms of processor time.', () => {
  const devices = Array.from({ length: 40 }, (_, index) => `device${index}`)
  const events = Array.from({ length: 3000 }, (_, index) => [index % 40, 1 + Math.floor(index / 40), 1, 0, 0, 0, 'pause']) // prettier-ignore
  const text = JSON.stringify([1, 1.7e12, devices, events])
  const milliseconds = processorTime(250, () => {
    const decoded = decodeLog(text)
    expect(decoded.kind === 'log' && encodeLog(decoded.log)).toBeTruthy()
  })
  expect(milliseconds).toBeLessThanOrEqual(250)
})
