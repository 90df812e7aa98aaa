/** Restoring from a file, whose code is loaded when it is needed. */
import { readTextFile } from './read-file.ts'
import type { RestoreSource } from './restore-dialog.tsx'

export type { RestoreSource }

/** Loads the dialog that previews what a file would restore. */
export const loadRestoreDialog = () => import('./restore-dialog.tsx')

/** Reads a file as it is. Rejects when it cannot be read. */
export async function restoreSourceOf(name: string, file: Blob): Promise<RestoreSource> {
  return { name, text: await readTextFile(file) }
}
