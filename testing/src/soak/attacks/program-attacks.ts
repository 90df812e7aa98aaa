/** Programs and assistants of people with a long record, with as many keys as there may be. */
import { setTimeout as sleep } from 'node:timers/promises'
import { anyOf, inParallel } from './attack.ts'
import type { Attack } from './attack.ts'
import type { Asked } from './client.ts'
import { saveMany, saveTasks } from './people.ts'

const TASKS = 5000
const ENTRIES = 10_000
const KEYS = 20

/** A call of the record by an assistant. */
export function tool(name: string, sent: object): readonly [string, string, Asked] {
  const params = { name, arguments: { timeZone: 'UTC', ...sent } }
  return ['POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } }]
}

const CALLS: readonly (readonly [string, string, Asked])[] = [
  ['GET', '/v1/stint/now?timeZone=UTC', {}],
  ['GET', '/v1/stint/tasks?q=task', {}],
  ['GET', '/v1/stint/total?timeZone=UTC&by=day&from=0001-01-01&to=9998-12-31', {}],
  ['GET', '/v1/stint/total?timeZone=UTC&by=task', {}],
  ['GET', '/v1/stint/sessions?timeZone=UTC&limit=500&filter=a+-b', {}],
  ['POST', '/v1/stint/start', { body: { task: 'task 1', timeZone: 'UTC' } }],
  ['POST', '/v1/stint/stop', { body: { timeZone: 'UTC' } }],
  ['POST', '/v1/stint/start', { body: { line: 'task 10 yesterday 9:00', timeZone: 'UTC' } }],
  tool('now', {}),
  tool('total', { by: 'tag' }),
  tool('propose_changes', { reason: 'none', changes: [{ id: 'none', delete: true }] }),
]

/** Every call of programs, over a long record, with all keys at once. */
export const programs: Attack = {
  people: 2,
  // The package of the protocol of assistants, and histories that were read and are not collected yet.
  memory: 600,
  async prepare({ people, size }, ask) {
    for (const person of people) {
      await saveTasks(ask, person, TASKS * size)
      await saveMany(ask, person, 'entry', ENTRIES * size, 400, { note: `#tag ${'a'.repeat(400)}` })
    }
  },
  async run({ people }, ask, counts) {
    const keys: string[] = []
    for (const { cookie } of people) {
      for (let count = 0; count < KEYS; count++) {
        const body = { name: `key ${count}`, access: 'write' }
        keys.push((await ask('POST', '/v1/stint/keys', { cookie, body })).secret)
      }
    }
    await inParallel(24, async (place, round) => {
      const [method, path, asked] = anyOf(CALLS, place + round)
      const { status } = await ask(method, path, { ...asked, key: anyOf(keys, place * 7 + round) })
      counts.add(`status ${status}`)
      if (status === 429) await sleep(100)
    })
  },
}
