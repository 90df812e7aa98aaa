import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isFields } from '#guards.ts'
import { activityWatchExport } from './activity-watch-here.ts'
import { readActivityWatch } from './activity-watch.ts'

const SPAN = { start: Date.UTC(2026, 10, 1), end: Date.UTC(2026, 11, 1) }
const EXPORT = readFileSync(`${import.meta.dirname}/fixtures/activity-watch.json`, 'utf8')

test('What ActivityWatch answers is read like its export', async () => {
  const all = bucketsOf(JSON.parse(EXPORT))
  const asked: string[] = []
  const text = await activityWatchExport(async (path) => {
    asked.push(path)
    const id = /^\/api\/0\/buckets\/([^/]+)\/events\?/.exec(path)?.[1]
    if (id === undefined)
      return Object.fromEntries([...all].map(([key, bucket]) => [key, { ...bucket, events: null }]))
    return all.get(decodeURIComponent(id))?.['events']
  }, SPAN)
  const { traces, name } = readActivityWatch(EXPORT)
  expect(readActivityWatch(text)).toMatchObject({ traces, name })
  expect(asked[0]).toBe('/api/0/buckets/')
  expect(asked[1]).toBe(
    '/api/0/buckets/aw-watcher-window_desk/events?start=2026-11-01T00:00:00.000Z&end=2026-12-01T00:00:00.000Z&limit=-1',
  )
  expect(asked.join()).not.toContain('vim')
})

test.each([null, [], 'no', { a: 1 }, { a: { type: 'other' } }])(
  'Of an answer that is no list of buckets nothing is read: %j',
  async (answer) => {
    const text = await activityWatchExport(() => Promise.resolve(answer), SPAN)
    expect(readActivityWatch(text).traces).toEqual([])
  },
)

test('What cannot be asked is passed on', async () => {
  const failure = new TypeError('Failed to fetch')
  await expect(activityWatchExport(() => Promise.reject(failure), SPAN)).rejects.toBe(failure)
})

function bucketsOf(file: unknown): ReadonlyMap<string, Record<string, unknown>> {
  const buckets = isFields(file) && isFields(file['buckets']) ? file['buckets'] : {}
  return new Map(
    Object.entries(buckets).flatMap(([id, bucket]) =>
      isFields(bucket) ? [[id, { ...bucket }] as const] : [],
    ),
  )
}
