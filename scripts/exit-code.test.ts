import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from './run.ts'

it('what failed beside a PostgreSQL of the tests has failed, and does not pass for good', () => {
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
}, 60_000)
