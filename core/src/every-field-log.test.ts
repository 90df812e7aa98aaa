/**
 * Passes every field of an entry through the log of its session and through what two devices do to it, and expects
 * its value back.
 */
import { describe, expect, test } from 'vitest'

import { undoUnchanged } from '#device/changes.ts'
import { withFoundSession } from '#log/adopt-session.ts'
import { logOfEntry, withFound } from '#log/adopt.ts'
import { decodeLog, encodeLog } from '#log/codec.ts'
import { entriesOf } from '#log/documents.ts'
import type { Log } from '#log/event.ts'
import { foldState } from '#log/fold.ts'
import { projectionOf } from '#log/projection.ts'
import { isSealBroken } from '#log/seal.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { duplicateEntry, mergeEntries, splitEntry } from '#record/entry-edit.ts'
import { ENTRY, ENTRY_FIELDS, NEW_ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { at, devicesWithSession, exchange } from '#test/devices.ts'
import { BASE, LATER, LATER_ENTRY, OTHER_ENTRY, OTHER_SET } from '#test/fields.ts'
import { testWays, theOne, valueIn } from '#test/ways.ts'

const ENTRY_KEYS = Object.keys(ENTRY_FIELDS)
const SET_KEYS = Object.keys(OTHER_SET)
const OF_DEVICES = { log: 'belongs to the devices of the account' }
const FROM_BASE = 'cannot be changed: it is what the log began with'

/** The other values as the edit of a session leaves them, whose log has no pauses of unknown time. */
const EDITED: TimeEntry = {
  ...OTHER_ENTRY,
  pauses: { ...OTHER_ENTRY.pauses, unplacedSeconds: 0 },
  durationSeconds: 35 * 60,
}

describe('An entry: the log', () => {
  testWays(EDITED, ENTRY_KEYS, {
    'of an entry that had none': {
      copy: (entry) => meaningOf(entry.id, logOfEntry(entry)),
      except: OF_DEVICES,
    },
    'with the fields that another client has changed': {
      copy: (entry) => meaningOf(entry.id, withFound(logOfEntry(BASE), entry.id, entry)),
      except: { ...OF_DEVICES, sessionId: FROM_BASE },
    },
    'of a session that is edited on one device and read on another': {
      copy: (entry) => {
        const { laptop, phone, id } = devicesWithSession()
        const { startedAt, endedAt, pauses } = entry
        laptop.edit(id, { ...OTHER_SET, startedAt, endedAt, pauses: pauses.intervals }, 61)
        exchange(at(62), laptop, phone)
        return phone.entry(id)
      },
      except: { ...OF_DEVICES, entryType: FROM_BASE, sessionId: FROM_BASE },
    },
  })
})

/** Returns the entry that a log means, after its text. */
function meaningOf(id: string, log: Log): TimeEntry {
  const decoded = decodeLog(encodeLog(log))
  if (decoded.kind !== 'log') throw new Error(decoded.kind)
  const folded = foldState(decoded.log)
  const projection = folded && projectionOf(id, folded)
  if (!projection) throw new Error('It has no begin')
  const text = encodeLog(log)
  return theOne(entriesOf({ id, log, text, projection, now: LATER }, () => undefined))
}

/** Returns a session whose owner has set what can be set, on two devices. */
function devicesWithSet() {
  const devices = devicesWithSession()
  devices.laptop.edit(devices.id, OTHER_SET, 61)
  exchange(at(62), devices.laptop, devices.phone)
  return devices
}

/** What is done to a session that two devices know, and the entry in which its owner then sees what was set. */
const DONE: Readonly<Record<string, (devices: ReturnType<typeof devicesWithSet>) => TimeEntry>> = {
  'a split gives its first part': ({ laptop, phone, id }) => {
    laptop.change(at(63), { entries: splitEntry(laptop.entry(id), at(30), 'unused', at(63)) })
    exchange(at(64), laptop, phone)
    return phone.entry(id)
  },
  'a split gives its second part': ({ laptop, phone, id }) => {
    laptop.change(at(63), { entries: splitEntry(laptop.entry(id), at(30), 'unused', at(63)) })
    exchange(at(64), laptop, phone)
    return theOne(phone.view.entries.all().filter((entry) => entry.id !== id))
  },
  'a merge with a later one gives the first one': ({ laptop, phone, id }) => {
    laptop.change(at(63), { entries: [{ before: null, after: LATER_ENTRY }] })
    const both = [laptop.entry(id), LATER_ENTRY]
    laptop.change(at(72), { entries: mergeEntries(both, at(72)) })
    exchange(at(73), laptop, phone)
    return phone.entry(id)
  },
  'a duplicate': ({ laptop, phone, id }) => {
    laptop.change(at(63), { entries: [duplicateEntry(laptop.entry(id), 'copy', at(63))] })
    exchange(at(64), laptop, phone)
    return phone.entry('copy')
  },
  'a deletion that is undone': ({ laptop, phone, id }) => {
    const undo = laptop.change(at(63), { entries: [deleteEntry(laptop.entry(id), at(63))] })
    exchange(at(64), laptop, phone)
    laptop.write(at(65), (draft) => undoUnchanged(draft, undo))
    exchange(at(66), laptop, phone)
    return phone.entry(id)
  },
  'another edit that is undone': ({ laptop, phone, id }) => {
    const before = laptop.entry(id)
    const cleared = ENTRY.take(before, BASE, ENTRY.differing(before, BASE))
    const entries = [{ before, after: { ...cleared, deletedAt: null } }]
    const undo = laptop.change(at(63), { entries })
    exchange(at(64), laptop, phone)
    expect(SET_KEYS.filter((key) => isSame(phone.entry(id), before, key))).toEqual([])
    laptop.write(at(65), (draft) => undoUnchanged(draft, undo))
    exchange(at(66), laptop, phone)
    return phone.entry(id)
  },
  'a stop that is undone, and another stop': ({ laptop, phone, id }) => {
    laptop.undoStop(at(63))
    exchange(at(64), laptop, phone)
    phone.stop(at(65))
    exchange(at(66), laptop, phone)
    return laptop.entry(id)
  },
  'an edit at the same time on another device': ({ laptop, phone, id }) => {
    laptop.edit(id, { endedAt: at(55) }, 63)
    phone.edit(id, { startedAt: at(2) }, 63)
    exchange(at(64), laptop, phone)
    return phone.entry(id)
  },
  'an edit after its log is not kept any more': ({ laptop, phone, id }) => {
    const entry = { ...laptop.entry(id), log: null }
    laptop.write(at(63), (draft) => draft.entries.put(entry))
    laptop.edit(id, { endedAt: at(55) }, 64)
    exchange(at(65), laptop, phone)
    return phone.entry(id)
  },
  'a client without logs that stops it': ({ laptop, phone, id, backend }) => {
    laptop.undoStop(at(63))
    exchange(at(64), laptop, phone)
    const timer = theOne([laptop.timer])
    const { sessionId, taskId, startedAt, pauses, note } = timer
    const times = { startedAt, pauses, endedAt: at(70), durationSeconds: 70 * 60 }
    const stopped = { sessionId, taskId, note, ...times }
    backend.patchSession(id, () => ({ state: { kind: 'stopped', stopped } }), 70)
    exchange(at(71), laptop, phone)
    return phone.entry(id)
  },
  'a restored backend': ({ laptop, phone, id, backend }) => {
    backend.entries.delete(id)
    exchange(at(63), laptop, phone)
    return theOne([backend.entries.get(id)])
  },
}

/** What makes a session that no timesheet was sealed with. */
const ON_NO_SHEET = ['a split gives its second part', 'a duplicate']

describe.each(Object.entries(DONE))('An entry: after %s', (name, done) => {
  test.each(SET_KEYS)('%s is as it was set', (field) => {
    const isNew = field === 'invoiced' && ON_NO_SHEET.includes(name)
    const set = isNew ? NEW_ENTRY : OTHER_SET
    expect(done(devicesWithSet())).toHaveProperty([field], valueIn(set, field))
  })
})

function isSame(one: object, other: object, key: string): boolean {
  return valueIn(one, key) === valueIn(other, key)
}

test.each(SET_KEYS)('A part that was cut off tells that another client has changed %s', (field) => {
  const { laptop, id } = devicesWithSet()
  laptop.change(at(63), { entries: splitEntry(laptop.entry(id), at(30), 'unused', at(63)) })
  const part = theOne(laptop.view.entries.all().filter((entry) => entry.id !== id))
  const isDefault = valueIn(part, field) === valueIn(NEW_ENTRY, field)
  const changed = { ...part, [field]: valueIn(isDefault ? OTHER_SET : NEW_ENTRY, field) }
  expect([isSealBroken(part), isSealBroken(changed)]).toEqual([false, true])
})

test.each(SET_KEYS)('A session that another client stops keeps %s', (field) => {
  const { laptop, id } = devicesWithSet()
  const { log } = laptop.entry(id)
  const decoded = decodeLog(log ?? '')
  if (decoded.kind !== 'log') throw new Error(decoded.kind)
  const { taskId, note, startedAt, endedAt, pauses, durationSeconds } = laptop.entry(id)
  const times = { startedAt, endedAt, pauses, durationSeconds }
  const stopped = { sessionId: id, taskId, note: note ?? undefined, ...times }
  const state = { kind: 'stopped', stopped } as const
  const found = { id, createdAt: at(0), updatedAt: at(70), device: null, log: null, state }
  expect(meaningOf(id, withFoundSession(decoded.log, found))).toHaveProperty(
    [field],
    valueIn(OTHER_SET, field),
  )
})
