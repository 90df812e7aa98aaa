import { expect, test } from 'vitest'
import { createLedger, MAX_USAGE } from './ledger.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'

const NOTHING = { sockets: 0, guests: 0, kept: 0, unsent: 0 }
const HOME = '192.0.2.1'

test('the ledger is empty when all sockets are closed, whatever the order of calls', () => {
  const ledger = createLedger(true)
  const [phone, laptop, guest] = [opened(ledger), opened(ledger), opened(ledger)]
  phone.assignTo('ann')
  laptop.assignTo(null)
  guest.assignTo(null)
  laptop.keep(1000)
  laptop.assignTo('ann')
  phone.keep(2000)
  phone.keep(500)
  guest.setUnsent(300)
  expect(ledger.total()).toEqual({ sockets: 3, guests: 1, kept: 1500, unsent: 300 })
  phone.assignTo('bob')
  for (const entry of [phone, laptop, guest, phone]) entry.close()
  expect(ledger.total()).toEqual(NOTHING)
  // A call after the socket was closed has no effect.
  guest.assignTo('ann')
  expect(guest.keep(100)).toBe(false)
  guest.setUnsent(100)
  expect(ledger.total()).toEqual(NOTHING)
})

test('an address has at most 1000 sockets, 200 of them of guests, and other addresses can still connect', () => {
  const ledger = createLedger(true)
  for (const entry of many(MAX_USAGE.address.guests, () => opened(ledger))) entry.assignTo(null)
  expect(opened(ledger).assignTo(null)).toBe(false)
  expect(opened(ledger).assignTo('ann')).toBe(true)
  many(MAX_USAGE.address.sockets - ledger.total().sockets, () => opened(ledger))
  expect(ledger.open(HOME)).toBeNull()
  expect(ledger.open('192.0.2.2')?.assignTo(null)).toBe(true)
})

test('without rate limits addresses have no bounds, but the process has', () => {
  const ledger = createLedger(false)
  many(MAX_USAGE.process.sockets, () => opened(ledger))
  expect(ledger.open(HOME)).toBeNull()
  expect(ledger.total().sockets).toBe(MAX_USAGE.process.sockets)
})

test.each([
  ['a guest', null, MAX_USAGE.guest.kept],
  ['somebody signed in', 'ann', MAX_USAGE.socket.kept],
])('the subscriptions of a socket of %s are bounded in bytes', (_, userId, max) => {
  const ledger = createLedger(false)
  const entry = opened(ledger)
  entry.assignTo(userId)
  expect(entry.keep(max)).toBe(true)
  expect(entry.keep(max + 1)).toBe(false)
  expect(ledger.total().kept).toBe(max)
  expect(entry.keep(0)).toBe(true)
})

test('the subscriptions of a user, and those of an address, are bounded in bytes', () => {
  const { socket, person, address } = MAX_USAGE
  const ledger = createLedger(true)
  const fill = (userId: string) =>
    many(person.kept / socket.kept + 1, () => {
      const entry = opened(ledger)
      entry.assignTo(userId)
      return entry.keep(socket.kept)
    })
  const kept = (outcomes: boolean[]) => outcomes.filter((outcome) => outcome).length * socket.kept
  const people = many(address.kept / person.kept, (index) => kept(fill(`p${index}`)))
  expect(people).toEqual(people.map(() => person.kept))
  expect(kept(fill('one more'))).toBe(0)
  expect(ledger.total().kept).toBe(address.kept)
})

test('a client that does not read is disconnected by the unsent bytes of its socket or of all its sockets', () => {
  const { socket, person, guest } = MAX_USAGE
  const ledger = createLedger(true)
  const stranger = opened(ledger)
  expect(stranger.setUnsent(guest.unsent)).toBe(true)
  expect(stranger.setUnsent(guest.unsent + 1)).toBe(false)
  const anns = many(person.unsent / socket.unsent, () => opened(ledger))
  for (const entry of anns) {
    entry.assignTo('ann')
    expect(entry.setUnsent(socket.unsent)).toBe(true)
  }
  const next = opened(ledger)
  next.assignTo('ann')
  expect(next.setUnsent(1000)).toBe(true)
  expect(next.setUnsent(100_000)).toBe(false)
  anns[0]?.close()
  expect(next.setUnsent(0)).toBe(true)
  expect(next.setUnsent(100_000)).toBe(true)
  expect(next.setUnsent(socket.unsent + 1)).toBe(false)
})

function opened(ledger: Ledger): LedgerEntry {
  const entry = ledger.open(HOME)
  if (entry === null) throw new Error('The ledger is full')
  return entry
}

function many<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
