/** How long records are read: in pages, in turns, up to a bound. */
import { expect, test } from 'vitest'
import type { DocumentLister } from '#documents/queries/list.ts'
import { apiError } from '#errors.ts'
import { RecordReader } from './record.ts'

const PAGE = 2000
/** The pages that are read now, and the most that ever were. */
let reads: { now: number; most: number; order: string[] }

test('a record of many pages is read whole', async () => {
  const { entries, tasks } = await reader({ time_entries: 2 * PAGE + 1, tasks: 3 }).read(
    'ann',
    null,
  )
  expect([entries.length, new Set(entries.map(({ id }) => id)).size]).toEqual([4001, 4001])
  expect(tasks).toHaveLength(3)
})

test('long histories are read one after the other, those of different people in turn', async () => {
  const all = reader({ time_entries: 2 * PAGE })
  await Promise.all(['ann', 'ann', 'ann', 'bob'].map((owner) => all.read(owner, null)))
  expect(reads.most).toBe(1)
  expect(reads.order).toEqual(['ann', 'bob', 'ann', 'ann'])
})

test('a history that is too long for a program is refused, and the next is read', async () => {
  const all = reader({ time_entries: 2 * PAGE }, 2 * PAGE)
  await expect(all.read('ann', null)).rejects.toMatchObject({ type: 'stint_quota_exceeded' })
  await expect(reader({ time_entries: PAGE - 1 }, 2 * PAGE).read('ann', null)).resolves.toBeTruthy()
})

test('a page that is too large for a list is refused in words of programs', async () => {
  const refused = new RecordReader({ list: tooLarge }, { limitConcurrency: (_, work) => work() })
  await expect(refused.read('ann', null)).rejects.toMatchObject({ type: 'stint_quota_exceeded' })
})

const tooLarge: DocumentLister = () => Promise.reject(apiError('general_query_invalid'))

/** Returns a reader of so many documents of everybody. */
function reader(counts: Partial<Record<string, number>>, maxHistory?: number): RecordReader {
  reads = { now: 0, most: 0, order: [] }
  const list: DocumentLister = async (owner, collection, { cursorId }) => {
    const first = cursorId === null ? 0 : Number(cursorId.slice(1)) + 1
    const count = Math.max(0, Math.min(PAGE, (counts[collection] ?? 0) - first))
    if (first === PAGE && count > 0) reads.order.push(owner)
    // The first page is read beside other work.
    if (first > 0) reads.most = Math.max(reads.most, ++reads.now)
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (first > 0) reads.now--
    const documents = Array.from({ length: count }, (_, index) => document(first + index))
    return { documents: documents.join(','), total: 0, release() {} }
  }
  return new RecordReader({ list }, { limitConcurrency: (_, work) => work() }, maxHistory)
}

function document(index: number): string {
  const at = '2026-01-15T12:00:00.000+00:00'
  const times = { startTime: at, endTime: at, $createdAt: at, $updatedAt: at, durationSeconds: 0 }
  const rest = { taskId: 't', name: 'x', category: '', note: null, deletedAt: null, pauses: null }
  return JSON.stringify({ $id: `d${index}`, isActive: true, ...times, ...rest })
}
