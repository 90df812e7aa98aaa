import { expect, test } from 'vitest'
import { canTrace, killRestores } from './kill-restore.ts'

const KILLS = 8

// The command is for SQLite, and its system calls are those of Linux.
test.runIf(process.env['TEST_DATABASE'] === 'sqlite' && canTrace())(
  'a restore that is killed at any of its system calls leaves everything old or everything restored (needs strace)',
  async () => {
    const { kills, old, restored, wrong } = await killRestores(KILLS)
    expect(wrong).toEqual([])
    expect(kills).toBeGreaterThanOrEqual(KILLS)
    expect(old).toBeGreaterThan(0)
    expect(restored).toBeGreaterThan(0)
  },
)
