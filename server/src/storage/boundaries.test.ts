/** Checks of files outside of this folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')
/** What is imported as more than a type. */
const IMPORTS = /^import (?!type )(?:[^'"]*from )?'([^']+)'/gm

test('no file outside of storage depends on which database is used', () => {
  expect(filesWith(/dialect\.name|['"](?:better-sqlite3|pg)['"]/)).toEqual([])
})

test('no file outside of storage writes its own SQL to change accounts or sign-ins', () => {
  expect(filesWith(/\b(?:update|delete from|into) "?(?:users|sessions)\b/)).toEqual([])
})

test('the check of files outside of storage reads the files of the server', () => {
  expect(filesWith(/#storage\/database\.ts/)).toContain('services.ts')
})

test('the thread of slow reads, for which somebody waits, loads no package but that of SQLite', () => {
  expect(packagesOf(join(SOURCES, 'storage/sqlite/slow-read-worker.ts'))).toEqual([
    'better-sqlite3',
    'node:worker_threads',
  ])
})

/** Returns the names of all packages that a file loads, by itself and by the files that it imports. */
function packagesOf(start: string): string[] {
  const files = new Set([start])
  const packages = new Set<string>()
  // A set is read to its end, with what is added meanwhile.
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      if (name.startsWith('#')) files.add(join(SOURCES, name.slice(1)))
      else if (name.startsWith('.')) files.add(join(dirname(file), name))
      else packages.add(name)
    }
  }
  return [...packages].toSorted()
}

function filesWith(pattern: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      !file.startsWith(`storage${sep}`) &&
      pattern.test(readFileSync(join(SOURCES, file), 'utf8')),
  )
}
