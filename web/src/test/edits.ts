/** The edits that tests make on the devices of a world. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import type { TaskChanges } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { applyChanges } from '@stint/core/device/changes.ts'

import type { Device, World } from './devices.ts'

export const HOUR = 3_600_000

/** Returns the device's local entry. Throws when the device has none. */
export function local(device: Device, id: string): TimeEntry {
  const entry = device.record.view.entries.get(id)
  if (!entry) throw new Error(`There is no entry ${id}`)
  return entry
}

/** Makes the changes and sends what can be sent. */
async function change(device: Device, ...changes: EntryChange[]): Promise<void> {
  await device.press((draft) => applyChanges(draft, { entries: changes }))
  await device.sync.flush()
}

/**
 * Returns the edits. `around` is called at each use, because the world and its task are made before
 * each test.
 */
export function editsIn(around: () => { readonly world: World; readonly taskId: string }) {
  const now = () => around().world.server.clock.now()

  /** Changes the task and sends what can be sent. */
  async function changeTask(device: Device, changes: TaskChanges): Promise<void> {
    const { taskId } = around()
    await device.press((draft) => applyChanges(draft, { tasks: [{ taskId, changes }] }))
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
