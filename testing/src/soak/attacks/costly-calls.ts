/**
 * Single calls of programs, each of which costs as much as one call can: names that fit in many ways, notes of hundreds
 * of tags, sessions of unknown tasks, filters of many parts, and calendars of long odd notes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { anyOf, inParallel } from './attack.ts'
import type { Attack } from './attack.ts'
import type { Asked } from './client.ts'
import { saveMany, saveTasks } from './people.ts'

/** A call of the record by an assistant. */
function tool(name: string, sent: object): Call {
  const params = { name, arguments: { timeZone: 'UTC', ...sent } }
  return ['POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } }]
}

const TASKS = 9_900
const NOTES_OF_TAGS = 10_000
const UNKNOWN_TASKS = 30_000
const EVENTS = 2_000

const MANY_WAYS = `${'a '.repeat(110)}b`
const MANY_PARTS = encodeURIComponent('-b '.repeat(160).trim())
const ODD = '👩‍💻;,\\\n'.repeat(222)

/** The calls of each record; FEED stands for its calendar. */
const FEED = 'feed'
type Call = readonly [string, string, Asked]

const OF_NAMES: readonly Call[] = [
  ['GET', `/v1/stint/tasks?q=${encodeURIComponent(MANY_WAYS)}`, {}],
  ['POST', '/v1/stint/start', { body: { task: MANY_WAYS, timeZone: 'UTC' } }],
  tool('propose_changes', {
    reason: 'many',
    changes: Array.from({ length: 100 }, (_, index) => ({
      task: `a a a a a ${index}`,
      start: '2026-01-14T08:00:00Z',
      end: '2026-01-14T09:00:00Z',
    })),
  }),
]
const OF_SESSIONS: readonly Call[] = [
  ['GET', '/v1/stint/total?timeZone=UTC&by=tag', {}],
  ['GET', '/v1/stint/total?timeZone=UTC&by=category', {}],
  ['GET', `/v1/stint/sessions?timeZone=UTC&limit=500&filter=${MANY_PARTS}`, {}],
]
const CALLS: readonly (readonly Call[])[] = [
  OF_NAMES,
  OF_SESSIONS,
  OF_SESSIONS,
  [['GET', FEED, {}]],
]

/** How many calls of each person are underway. */
const AT_ONCE = 8

/** The costliest calls, eight of each of four people at once. */
export const costlyCalls: Attack = {
  people: 4,
  // The thread that reads histories may have half a gigabyte of its own.
  memory: 900,
  async prepare({ people: [names, tags, unknown, odd], size }, ask) {
    if (names === undefined || tags === undefined || unknown === undefined || odd === undefined)
      return
    await saveTasks(ask, names, TASKS * size, (index) => `${'a '.repeat(126)}${index % 1000}`)
    await saveMany(ask, tags, 'tags', NOTES_OF_TAGS * size, 20, (index: number) => ({
      note: Array.from({ length: 280 }, (_, tag) => `#${index % 100}t${tag}`)
        .join(' ')
        .slice(0, 2000),
    }))
    await saveMany(ask, unknown, 'unknown', UNKNOWN_TASKS * size, 300, (index: number) => ({
      taskId: `unknown${index}`,
    }))
    await saveMany(ask, odd, 'odd', EVENTS * size, 8, { note: ODD })
  },
  async run({ people }, ask, counts) {
    const secrets: string[] = []
    const feeds: string[] = []
    for (const { cookie } of people) {
      const body = { name: 'key', access: 'write' }
      secrets.push((await ask('POST', '/v1/stint/keys', { cookie, body })).secret)
      feeds.push(`/feed/${(await ask('PUT', '/v1/stint/feed', { cookie, body: {} })).secret}.ics`)
    }
    await inParallel(people.length * AT_ONCE, async (place, round) => {
      const [method, path, asked] = anyOf(anyOf(CALLS, place), round)
      const url = path === FEED ? anyOf(feeds, place) : path
      const { status } = await ask(method, url, { ...asked, key: anyOf(secrets, place) })
      counts.add(`status ${status}`)
      if (status === 429 || status === 503) await sleep(100)
    })
  },
  missed: (counts) => [
    ...((counts['status 500'] ?? 0) > 0 ? ['A call was answered with 500'] : []),
    ...((counts['status 200'] ?? 0) > 0 ? [] : ['No call was answered']),
  ],
}
