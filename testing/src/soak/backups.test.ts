import { expect, test } from 'vitest'
import { backUpUnderLoad } from './backups.ts'

test(
  'a backup holds whatever was answered before it began, while people go on writing',
  { timeout: 60_000 },
  async () => {
    const { written, missing } = await backUpUnderLoad(5)
    expect(missing).toBe(0)
    expect(written).toBeGreaterThan(20)
  },
)
