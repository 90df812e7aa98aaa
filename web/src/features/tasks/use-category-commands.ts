/** The commands that rename, merge and colour categories: each one step, with one undo. */
import { renameCategory, mergesInto, recolorCategory } from './rename-category.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useRecord } from '#session/signed-in.ts'

export interface CategoryCommands {
  /** Renames a category, or merges it into the one that has the name; `color` also gives it that colour. */
  readonly rename: (from: string, to: string, color: TaskColor | null) => Promise<boolean>
  readonly recolor: (name: string, color: TaskColor) => Promise<boolean>
}

/** Returns the commands. Each resolves with false when the device could not save it. */
export function useCategoryCommands(): CategoryCommands {
  const record = useRecord()
  const { change } = useRecordCommands()
  // As they are when it is pressed.
  const all = () => ({ tasks: record.tasks(), prefs: record.value('settings')?.prefs ?? {} })
  return {
    rename: (from, to, color) =>
      change(
        renameCategory(all(), from, to, color),
        mergesInto(record.tasks(), from, to)
          ? t('Merged {from} into {to}', { from, to: to.trim() })
          : t('Renamed {from} to {to}', { from, to: to.trim() }),
      ),
    recolor: (name, color) =>
      change(
        recolorCategory(all(), name, color),
        t('Colour of {category} changed', { category: name }),
      ),
  }
}
