/** Mending the record: every change is durable at once and can be taken back. */
import { newDocumentId } from '#record/document-id.ts'
import { applyChanges, isChangedSince, isEntryChangedSince } from '#record/changes.ts'
import type { RecordChanges } from '#record/changes.ts'
import { useRecord } from '#session/signed-in.ts'
import { start } from '#record/timer.ts'
import { counted } from '#ui/counted.ts'
import { showToast } from '#ui/toast.tsx'
import { offerUndo } from '#ui/undo.ts'

export interface RecordCommands {
  readonly newId: () => string
  /** Epoch milliseconds of server time. */
  readonly now: () => number
  /** Does the changes and offers to take them back; `said` is what was done. */
  readonly change: (changes: RecordChanges, said: string) => Promise<boolean>
  /**
   * Does many changes, a slice after the other so that the page stays alive, and offers to take all
   * of them back as one. `onProgress` hears how many slices are durable, `onUndone` when all of it
   * was taken back. Stopped half-way by a closed tab, what is done stays done.
   */
  readonly changeMany: (
    slices: readonly RecordChanges[],
    said: string,
    heard: { readonly onProgress: (slices: number) => void; readonly onUndone: () => void },
  ) => Promise<void>
  /** Starts a task as of a moment ago. */
  readonly startAt: (taskId: string, startedAt: number) => Promise<boolean>
}

/**
 * What can be done to the record. Each resolves once it is durable here; false, when this device could
 * not save it, which was said then.
 */
export function useRecordCommands(): RecordCommands {
  const record = useRecord()
  const { clock, device } = record

  function apply(changes: RecordChanges): Promise<RecordChanges> {
    return record.write((draft, now) => applyChanges(draft, changes, now))
  }

  async function changeAll(changes: RecordChanges, said: string) {
    const inverse = await apply(changes)
    const takeBack = () =>
      record.write((draft, now) => {
        if (isChangedSince(draft, inverse)) return 'Not undone: it has changed since.'
        applyChanges(draft, inverse, now)
        return undefined
      })
    offerUndo(said, async () => {
      const undoing = takeBack()
      return (await isSaved(undoing)) ? undoing : undefined
    })
  }

  /** Takes back what was not changed again since; returns how many entries stay for that. */
  function takeBackRest({ entries = [], ...others }: RecordChanges): Promise<number> {
    return record.write((draft, now) => {
      const same = entries.filter((entry) => !isEntryChangedSince(draft, entry))
      applyChanges(draft, { ...others, entries: same }, now)
      return entries.length - same.length
    })
  }

  return {
    newId: newDocumentId,
    now: () => clock.now(),
    change: (changes, said) => isSaved(changeAll(changes, said)),
    async changeMany(slices, said, { onProgress, onUndone }) {
      const inverses: RecordChanges[] = []
      const takeBack = async () => {
        let kept = 0
        for (const inverse of inverses.toReversed()) kept += await takeBackRest(inverse)
        onUndone()
        return kept > 0 ? `${counted(kept, 'session')} changed again since, and kept` : undefined
      }
      try {
        for (const slice of slices) {
          inverses.push(await apply(slice))
          onProgress(inverses.length)
        }
      } finally {
        if (inverses.length > 0) offerUndo(said, takeBack)
      }
    },
    async startAt(taskId, startedAt) {
      const input = { sessionId: newDocumentId(record.clock.now()), taskId, device, startedAt }
      return isSaved(record.write((draft, now) => start(draft, { ...input, now })))
    },
  }
}

/** Whether it could be written down; if not, that is said. */
async function isSaved(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch {
    showToast({ text: 'This device couldn’t save it. Its storage may be full.', tone: 'danger' })
    return false
  }
}
