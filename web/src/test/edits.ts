/** The edits that tests make on the devices of a world. */
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { editEntry, newEntry, splitEntry } from '@stint/core/record/entry-edit.ts'
import type { EntryEdit } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import type { TaskChanges } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { applyChanges } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'

import type { Device, World } from './devices.ts'

export const HOUR = 3_600_000

/** Returns the device's local entry. Throws when the device has none. */
export function local(device: Device, id: string): TimeEntry {
  const entry = device.record.view.entries.get(id)
  if (!entry) throw new Error(`There is no entry ${id}`)
  return entry
}

/** Returns the entry of the device that starts first. Throws when the device has none. */
export function firstEntry({ record }: Device): TimeEntry {
  const [entry] = record.entries()
  if (!entry) throw new Error('The device has no entry')
  return entry
}

/** Returns the entry of the device that starts last. Throws when the device has none. */
export function lastEntry({ record }: Device): TimeEntry {
  const entry = record.entries().at(-1)
  if (!entry) throw new Error('The device has no entry')
  return entry
}

/**
 * Edits an entry of the device, the first one unless another is given, and sends nothing. Returns
 * the undo. Throws when the device has no entry.
 */
export function editOn(
  device: Device,
  edit: EntryEdit,
  entry = firstEntry(device),
): Promise<RecordChanges> {
  return device.press((draft, now) =>
    applyChanges(draft, { entries: [editEntry(entry, edit, now)] }, now),
  )
}

/**
 * Ends an entry of the device so many seconds after its start, and sends nothing. It is the first
 * entry unless another is given. Returns the undo. Throws when the device has no entry.
 */
export function trimAfter(
  device: Device,
  seconds: number,
  entry = firstEntry(device),
): Promise<RecordChanges> {
  return editOn(device, { endedAt: entry.startedAt + seconds * 1000 }, entry)
}

interface Split {
  /** The entry that is split: the first one of the device unless given. */
  readonly entry?: TimeEntry
  /** The id of the second half: the one that every device derives unless given. */
  readonly id?: string
  /** The time of the split: that of the device's clock unless given. */
  readonly now?: number
}

/**
 * Splits an entry of the device so many seconds after its start, and sends nothing. Returns the
 * undo. Throws when the device has no entry, and when the entry does not last that long.
 */
export function splitAfter(
  device: Device,
  seconds: number,
  { entry = firstEntry(device), id, now }: Split = {},
): Promise<RecordChanges> {
  const half = id ?? splitId(entry, device.record.view.edit('entry', entry.id)?.base ?? entry)
  const cut = entry.startedAt + seconds * 1000
  return device.press((draft, time) =>
    applyChanges(draft, { entries: splitEntry(entry, cut, half, now ?? time) }, time),
  )
}

/** Trims the session after some seconds, or splits it there. Nothing is sent. */
export async function trimOrSplit(
  device: Device,
  seconds: number,
  what: 'trim' | 'split',
): Promise<void> {
  if (what === 'trim') await trimAfter(device, seconds)
  else await splitAfter(device, seconds, { id: `half-${seconds}` })
}

/** Trims the device's first entry to 35 seconds, or deletes it, after a second. Sends that. */
export async function trimOrDelete(
  { server }: World,
  device: Device,
  change: 'trim' | 'delete',
): Promise<void> {
  const entry = firstEntry(device)
  server.clock.advance(1000)
  if (change === 'trim') await trimAfter(device, 35, entry)
  else
    await device.press((draft, now) =>
      applyChanges(draft, { entries: [deleteEntry(entry, now)] }, now),
    )
  await device.sync.flush()
}

/**
 * Returns the edits. `around` is called at each use, because the world and its task are made before
 * each test.
 */
export function editsIn(around: () => { readonly world: World; readonly taskId: string }) {
  const now = () => around().world.server.clock.now()

  /** Makes the changes and sends what can be sent. */
  async function change(device: Device, ...changes: EntryChange[]): Promise<void> {
    await device.press((draft) => applyChanges(draft, { entries: changes }, now()))
    await device.sync.flush()
  }

  /** Changes the task and sends what can be sent. */
  async function changeTask(device: Device, changes: TaskChanges): Promise<void> {
    const { taskId } = around()
    await device.press((draft) => applyChanges(draft, { tasks: [{ taskId, changes }] }, now()))
    await device.sync.flush()
  }

  /** Returns a new entry of `minutes` minutes, five hours ago. */
  function manual(id: string, minutes = 60): EntryChange {
    const startedAt = now() - 5 * HOUR
    const { taskId } = around()
    return newEntry({ id, taskId, startedAt, endedAt: startedAt + minutes * 60_000 }, now())
  }

  /** Returns new entries with the ids 'import-0', 'import-1' … */
  function entries(count: number): EntryChange[] {
    return Array.from({ length: count }, (_, index) => manual(`import-${index}`, 1 + (index % 200)))
  }

  return { now, change, changeTask, manual, entries }
}
