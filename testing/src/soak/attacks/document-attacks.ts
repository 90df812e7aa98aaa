/** Writes of one user's own documents, as many as the server accepts. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { anyOf, inParallel } from './attack.ts'
import type { Attack, Counts, Target } from './attack.ts'
import { queriesOf } from './client.ts'
import type { Ask } from './client.ts'
import { ENTRIES, saveTogether } from './people.ts'
import type { Person } from './people.ts'

/** The quota of the servers under attack: more than the rows that `ownDevices` imports. */
export const SMALL_QUOTA = { QUOTA_DOCUMENTS: '8000', QUOTA_BYTES: '4000000' }
const QUOTA_EXCEEDED = 'stint_quota_exceeded'
const OVER_QUOTA = 'over quota'
/** The refusals of the complete attack; each is followed by a tenth of a second. */
const REFUSALS = 50

/**
 * One user saves as fast as the limits allow, and continues for a while after the quota is
 * exhausted.
 */
export const diskFiller: Attack = {
  people: 1,
  seconds: 30,
  async run({ people, size }, ask, counts) {
    const person = anyOf(people, 0)
    // Random, because PostgreSQL would compress repeated text.
    const pauses = randomBytes(45_000).toString('base64')
    for (let call = 0; counts.get(OVER_QUOTA) < REFUSALS * size; call += 1) {
      const entries = Array.from({ length: 16 }, (_, index) => ({
        id: `fill${call}x${index}`,
        attributes: { pauses },
      }))
      const { status, type } = await saveTogether(ask, person, entries)
      counts.add(type === QUOTA_EXCEEDED ? OVER_QUOTA : `status ${status}`)
      if (status === 403 || status === 429) await sleep(100)
    }
  },
  missed: (counts) => (counts[OVER_QUOTA] ? [] : ['The quota was never reached']),
}

/** Simultaneous imports, each changing all documents of the one before. */
export const bulkWrites: Attack = {
  people: 1,
  async run({ people }, ask, counts) {
    const person = anyOf(people, 0)
    await inParallel(12, async (place, round) => {
      const entries = Array.from({ length: 500 }, (_, index) => ({
        id: `bulk${place}x${index}`,
        attributes: { note: `${round}` },
      }))
      const { status } = await saveTogether(ask, person, entries, false)
      counts.add(`status ${status}`)
      if (status !== 200) await sleep(200)
    })
  },
}

const ROWS = 5000
const DEVICES = 10

/** Not an attack: a long import, and then all devices of its owner at once. */
export const ownDevices: Attack = {
  people: 1,
  seconds: 60,
  async run(target, ask, counts) {
    const person = anyOf(target.people, 0)
    let started = performance.now()
    for (let first = 0; first < ROWS * target.size; first += 500) {
      const entries = Array.from({ length: 500 }, (_, index) => ({
        id: `row${first + index}`,
        attributes: { note: `Row ${first + index} of what another tracker had` },
      }))
      const { status } = await saveTogether(ask, person, entries)
      counts.add(status < 300 ? 'saved' : `refused ${status}`)
    }
    counts.add('import milliseconds', Math.round(performance.now() - started))
    started = performance.now()
    await Promise.all(Array.from({ length: DEVICES }, () => wake(target, ask, person, counts)))
    counts.add('waking milliseconds', Math.round(performance.now() - started))
  },
  missed: (counts) => {
    const refusals = Object.keys(counts).filter((name) => name.startsWith('refused'))
    const isDone = (counts['devices'] ?? 0) === DEVICES && refusals.length === 0
    return isDone ? [] : ['Not all of the own devices were served']
  },
}

/**
 * Does what a device does when it reconnects: reads the account, subscribes, and reads all
 * documents page by page.
 */
async function wake(target: Target, ask: Ask, person: Person, counts: Counts): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${target.port}/v1/realtime?project=stint`, {
    headers: { cookie: person.cookie },
    localAddress: target.address,
  })
  const listening = new Promise<boolean>((resolve) => {
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.on('message', (bytes) => {
      const text = Buffer.isBuffer(bytes) ? bytes.toString() : ''
      if (text.startsWith('{"type":"response"')) resolve(true)
      else if (text.startsWith('{"type":"connected"')) {
        socket.send('{"type":"subscribe","data":[{"subscriptionId":"s","channels":["documents"]}]}')
      }
    })
  })
  const { cookie } = person
  const answers = [await ask('GET', '/v1/account', { cookie })]
  for (let offset = 0; offset < ROWS * target.size; offset += 1000) {
    const queries = [
      { method: 'orderAsc', attribute: '$updatedAt' },
      { method: 'limit', values: [1000] },
      { method: 'offset', values: [offset] },
    ]
    answers.push(await ask('GET', `${ENTRIES}?${queriesOf(queries)}`, { cookie }))
  }
  for (const { status } of answers) if (status !== 200) counts.add(`refused ${status}`)
  counts.add((await listening) ? 'devices' : 'refused sockets')
}
