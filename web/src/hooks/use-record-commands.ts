/** Changes to the record. Each change is durable at once and can be undone. */
import { newTask } from '@stint/core/record/task.ts'
import type { TaskChanges } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { maySealedChange } from './ask-sealed.ts'
import { resumeJustStopped, UNDO_STOP_SECONDS } from './use-timer-commands.ts'
import { newDocumentId } from '#record/document-id.ts'
import {
  applyChanges,
  isChangedSince,
  startNewTask,
  undoStartNewTask,
  undoUnchanged,
} from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'
import { useRecord } from '#session/signed-in.ts'
import { start } from '@stint/core/device/timer.ts'
import { showToast } from '#ui/toast.tsx'
import { offerUndo } from '#ui/undo.ts'

export interface StartOptions {
  /** Epoch milliseconds, not in the future; default: now. */
  readonly startedAt?: number | undefined
  readonly note?: string | null | undefined
}

export interface RecordCommands {
  readonly newId: () => string
  /** Epoch milliseconds of server time. */
  readonly now: () => number
  /**
   * Applies the changes and offers to undo them. `message` describes what was done, and `undone` what
   * an undo has done. Asks before sessions change that are on a sealed timesheet.
   */
  readonly change: (changes: RecordChanges, message: string, undone?: string) => Promise<boolean>
  /**
   * Applies many changes in slices, so that the page stays responsive, and offers to undo all of them
   * as one. Calls `onProgress` with the number of durable slices, and `onUndone` after an undo. A tab
   * closed half-way keeps what was done.
   */
  readonly changeMany: (
    slices: readonly RecordChanges[],
    message: string,
    callbacks: { readonly onProgress: (slices: number) => void; readonly onUndone: () => void },
    undone?: string,
  ) => Promise<void>
  /** Starts a timer on a task. */
  readonly start: (taskId: string, options: StartOptions) => Promise<boolean>
  /** Adds a task of that name and fields, starts a timer on it, and offers to undo both. */
  readonly startNew: (name: string, options: StartOptions, fields?: TaskChanges) => Promise<boolean>
}

/**
 * Returns the commands that change the record. Each resolves once the change is durable on this device,
 * or with false after a toast when the device could not save it.
 */
export function useRecordCommands(): RecordCommands {
  const record = useRecord()
  const { clock, device } = record

  function apply(changes: RecordChanges): Promise<RecordChanges> {
    return record.write((draft) => applyChanges(draft, changes))
  }

  async function changeAll(changes: RecordChanges, message: string, undone?: string) {
    const inverse = await apply(changes)
    const undo = () =>
      record.write((draft) => {
        if (isChangedSince(draft, inverse)) return t('Couldn’t undo: it has changed since.')
        applyChanges(draft, inverse)
        return undefined
      })
    const run = async () => {
      const undoing = undo()
      return (await isSaved(undoing)) ? undoing : undefined
    }
    // Deletions say what an undo has done. Several are one line.
    const several = undone === undefined ? undefined : (count: number) => `${message} (${count})`
    offerUndo(message, run, { undone, several })
  }

  async function startNew(name: string, options: StartOptions, fields?: TaskChanges) {
    const task = newTask(newDocumentId(), name, clock.now(), fields)
    const sessionId = newDocumentId(clock.now())
    const stopped = await record.write((draft) =>
      startNewTask(draft, task, { ...options, sessionId, device }),
    )
    const undo = async () => {
      const isUndone = await record.write((draft) => undoStartNewTask(draft, task, sessionId))
      if (!isUndone) return t('Couldn’t undo: it has changed since.')
      if (stopped) await resumeJustStopped(record, stopped)
      return undefined
    }
    offerUndo(t('Created and started {task}', { task: name }), undo, {
      seconds: UNDO_STOP_SECONDS,
    })
  }

  return {
    newId: newDocumentId,
    now: () => clock.now(),
    async change(changes, message, undone) {
      // Without sealed sessions it is written at once.
      const may = maySealedChange(changes.entries ?? [])
      if (may !== true && !(await may)) return false
      return isSaved(changeAll(changes, message, undone))
    },
    async changeMany(slices, message, { onProgress, onUndone }, undone) {
      if (!(await maySealedChange(slices.flatMap(({ entries = [] }) => entries)))) return
      const inverses: RecordChanges[] = []
      const undo = async () => {
        let kept = 0
        for (const inverse of inverses.toReversed()) {
          kept += await record.write((draft) => undoUnchanged(draft, inverse))
        }
        onUndone()
        if (kept === 0) return undefined
        return t(
          '{count, plural, one {Kept # session that changed since} other {Kept # sessions that changed since}}',
          { count: kept },
        )
      }
      try {
        for (const slice of slices) {
          inverses.push(await apply(slice))
          onProgress(inverses.length)
        }
      } finally {
        if (inverses.length > 0) offerUndo(message, undo, { undone })
      }
    },
    async start(taskId, options) {
      const input = { ...options, sessionId: newDocumentId(clock.now()), taskId, device }
      return isSaved(record.write((draft) => start(draft, input)))
    },
    startNew: (...wanted) => isSaved(startNew(...wanted)),
  }
}

/** What a person reads when a change could not be saved. */
export const SAVE_FAILED = t('Couldn’t save on this device. Free up storage and try again.')

/** Returns whether the write succeeded. Shows a toast when it failed. */
async function isSaved(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch {
    showToast({ text: SAVE_FAILED, tone: 'danger' })
    return false
  }
}
