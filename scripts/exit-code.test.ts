import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

test('a failed process that uses the PostgreSQL of the tests exits with its own code', () => {
  const program = `
    import { startPostgres } from '@stint/testing/postgres.ts'
    const postgres = await startPostgres()
    await postgres.stop()
    process.exitCode = 3
  `
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: ROOT, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  expect(status).toBe(3)
})
