import { afterEach, expect, test } from 'vitest'
import { canUndo, keepReceipt, receiptsOf } from './import-receipts.ts'
import type { ImportReceipt } from './import-receipts.ts'

const DAY = 86_400_000

function receipt(firstId: string, at: number): ImportReceipt {
  return {
    account: 'ada',
    at,
    name: 'hours.csv',
    label: 'Other table',
    sessions: 1,
    statement: {
      statedSeconds: 60,
      countedSeconds: 60,
      differences: [],
      months: [],
      fileTotalSeconds: null,
    },
    firstId,
    ids: 2,
    restored: [],
    isUndone: false,
    isComplete: true,
  }
}

afterEach(() => localStorage.clear())

test('Receipts are kept for their account, the newest first, each once', () => {
  keepReceipt(receipt('a', DAY))
  keepReceipt(receipt('b', 2 * DAY))
  keepReceipt({ ...receipt('a', DAY), isUndone: true })
  expect(receiptsOf('ada').map(({ firstId, isUndone }) => [firstId, isUndone])).toEqual([
    ['b', false],
    ['a', true],
  ])
  expect(receiptsOf('bo')).toEqual([])
})

test('Only the newest twenty receipts stay', () => {
  for (let index = 0; index < 25; index++) keepReceipt(receipt(`id-${index}`, index))
  expect(receiptsOf('ada').map(({ at }) => at)).toEqual(
    Array.from({ length: 20 }, (_, index) => 24 - index),
  )
})

test('An import can be undone for 30 days, once', () => {
  expect(canUndo(receipt('a', 0), 30 * DAY - 1)).toBe(true)
  expect(canUndo(receipt('a', 0), 30 * DAY)).toBe(false)
  expect(canUndo({ ...receipt('a', 0), isUndone: true }, 1)).toBe(false)
})

test('A damaged store has no receipts', () => {
  localStorage.setItem('stint-imports', '[{"at":1}, 7')
  expect(receiptsOf('ada')).toEqual([])
  localStorage.setItem('stint-imports', '[{"at":1}, 7]')
  expect(receiptsOf('ada')).toEqual([])
  const damaged = { ...receipt('a', DAY), statement: null }
  localStorage.setItem('stint-imports', JSON.stringify([damaged]))
  expect(receiptsOf('ada')).toEqual([])
})
