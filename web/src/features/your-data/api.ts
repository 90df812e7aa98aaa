/** Restoring from a file, whose code is loaded when it is needed. */
import { later } from '#ui/later.tsx'
import { readTextFile } from './read-file.ts'
import type { RestoreSource } from './restore-dialog.tsx'

export type { RestoreSource }

/** The dialog that previews what a file would restore. */
export const RestoreDialog = later(async () => (await import('./restore-dialog.tsx')).RestoreDialog)

/** Reads a file as it is. Rejects when it cannot be read. */
export async function restoreSourceOf(name: string, file: Blob): Promise<RestoreSource> {
  return { name, text: await readTextFile(file) }
}
