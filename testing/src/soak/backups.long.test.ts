import { expect, test } from 'vitest'
import { backUpUnderLoad } from './backups.ts'

test('a backup contains every write that was acknowledged before it began, while writes continue', async () => {
  const { written, missing } = await backUpUnderLoad(5)
  expect(missing).toBe(0)
  expect(written).toBeGreaterThan(20)
})
