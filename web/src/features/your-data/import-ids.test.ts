import { expect, test } from 'vitest'
import { newDocumentId } from '#record/document-id.ts'
import { firstImportId, importIds, isImportId } from './import-ids.ts'

test('The ids of an import follow each other and are told from all others', () => {
  const first = firstImportId(newDocumentId(Date.UTC(2026, 10, 28)))
  const next = importIds(first)
  const ids = Array.from({ length: 300 }, next)
  expect(new Set(ids).size).toBe(300)
  expect(ids.every((id) => id.length === first.length && /^[0-9a-f]{20}$/.test(id))).toBe(true)
  expect(ids.every((id) => isImportId(id, first, 300))).toBe(true)
  expect(isImportId(next(), first, 300)).toBe(false)
  expect(isImportId(newDocumentId(Date.UTC(2026, 10, 29)), first, 300)).toBe(false)
  expect(isImportId('x', first, 300)).toBe(false)
})

test('There is room for the ids of the largest import', () => {
  const next = importIds(firstImportId(`0123456789abc${'f'.repeat(7)}`))
  expect(Array.from({ length: 3 }, next).map((id) => id.length)).toEqual([20, 20, 20])
})
