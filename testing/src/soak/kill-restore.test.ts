import { expect, test } from 'vitest'
import { canTrace, killRestores } from './kill-restore.ts'

// The command is for SQLite, and its system calls are those of Linux.
test.runIf(process.env['TEST_DATABASE'] === 'sqlite' && canTrace())(
  'a restore that is killed at any of its system calls leaves everything old or everything restored (needs strace)',
  async () => {
    const { kills, old, restored, wrong } = await killRestores(20)
    expect(wrong).toEqual([])
    expect(kills).toBeGreaterThanOrEqual(20)
    expect(old).toBeGreaterThan(0)
    expect(restored).toBeGreaterThan(0)
  },
)
