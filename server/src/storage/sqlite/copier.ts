/**
 * Copies a SQLite file in a process of its own: copying and checking keep a processor busy for
 * seconds, and SQLite cannot be interrupted in a thread.
 */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rm } from 'node:fs/promises'
import { fileNameOf } from '#storage/copier.ts'
import type { Copier } from '#storage/copier.ts'
import { runProgram } from '#storage/run-program.ts'

const PROGRAM = fileURLToPath(new URL('./copy-file.ts', import.meta.url))

/** Returns the copier of a SQLite file. */
export function sqliteCopier(file: string): Copier {
  return {
    name: fileNameOf(basename(file).replace(/\.\w+$/, '')),
    extension: 'db',
    obstacle: async () => null,
    // One server at most has the file open.
    alone: (work) => work(),
    async copy(target, signal) {
      try {
        await runProgram(process.execPath, [PROGRAM, file, target], { signal })
      } catch (error) {
        // A process that was killed could not do it.
        await rm(`${target}.partial`, { force: true })
        throw error
      }
    },
  }
}
