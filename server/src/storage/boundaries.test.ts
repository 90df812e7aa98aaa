/** Checks of files outside of this folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')

test('no file outside of storage depends on which database is used', () => {
  expect(filesWith(/dialect\.name|['"](?:better-sqlite3|pg)['"]/)).toEqual([])
})

test('no file outside of storage writes its own SQL to change accounts or sign-ins', () => {
  expect(filesWith(/\b(?:update|delete from|into) "?(?:users|sessions)\b/)).toEqual([])
})

test('the check of files outside of storage reads the files of the server', () => {
  expect(filesWith(/#storage\/database\.ts/)).toContain('services.ts')
})

function filesWith(pattern: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      !file.startsWith(`storage${sep}`) &&
      pattern.test(readFileSync(join(SOURCES, file), 'utf8')),
  )
}
