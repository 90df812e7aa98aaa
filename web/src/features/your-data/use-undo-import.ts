/** Removes what an import made. */
import { t } from '@stint/core/text.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useRecord } from '#session/signed-in.ts'
import { isImportId } from './import-ids.ts'
import type { ImportReceipt } from './import-receipts.ts'

/** The number of sessions that one write changes. A press waits for one write at most. */
const SLICE = 500

/** Returns the list in parts, each for one write. */
export function sliced<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / SLICE) }, (_, index) =>
    list.slice(index * SLICE, (index + 1) * SLICE),
  )
}

export interface UndoneImport {
  /** How many sessions were changed since and stay. */
  readonly kept: number
}

/**
 * Returns a function that deletes the sessions of an import which have not changed since, and the
 * tasks that it made or restored if nothing else is on them. The deletion can be undone itself.
 */
export function useUndoImport(): (
  made: Pick<ImportReceipt, 'firstId' | 'ids' | 'restored'>,
  onUndone?: () => void,
) => Promise<UndoneImport> {
  const record = useRecord()
  const { now, changeMany } = useRecordCommands()
  return async ({ firstId, ids, restored }, onUndone = () => undefined) => {
    const made = record.entries().filter(({ id }) => isImportId(id, firstId, ids))
    const same = made.filter(({ createdAt, updatedAt }) => createdAt === updatedAt)
    const gone = new Set(same.map(({ id }) => id))
    const used = new Set(record.entries().flatMap(({ id, taskId }) => (gone.has(id) ? [] : taskId)))
    const back = new Set(restored)
    const tasks = record
      .tasks()
      .filter(({ id, isActive }) => {
        return isActive && !used.has(id) && (back.has(id) || isImportId(id, firstId, ids))
      })
      .map(({ id }) => ({ taskId: id, changes: { isActive: false } }))
    const at = now()
    const slices = sliced(same).map((some) => ({
      entries: some.map((entry) => deleteEntry(entry, at)),
    }))
    const message = t('{count, plural, one {# session removed} other {# sessions removed}}', {
      count: same.length,
    })
    await changeMany([...slices, { tasks }], message, { onProgress: () => undefined, onUndone })
    return { kept: made.length - same.length }
  }
}
