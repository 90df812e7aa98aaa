/**
 * Fifty users subscribe to their own channels and those of others while all of them write. Each
 * receives all of their own events and none of another's.
 */
import { WebSocket } from 'ws'
import { createTestApp } from '#test-app.ts'
import type { Reply, TestUser } from '#test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const CHANNEL = 'databases.stint.collections.tasks.documents'
const PEOPLE = 50
/** The number of parallel requests of one user. */
const AT_ONCE = 4

export interface EventReport {
  /** The expected events, each on one socket. */
  readonly events: number
  readonly missing: number
  /** Events that reached another user than their owner. */
  readonly foreign: number
}

/** Causes at least this many events. */
export async function strangeSubscribers(events: number): Promise<EventReport> {
  const server = await createTestApp()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `${server.app.listeningOrigin.replace('http', 'ws')}/v1/realtime?project=stint`
  const people: TestUser[] = []
  for (let person = 0; person < PEOPLE; person++) {
    people.push(await server.signedInUser(`P${person}`))
  }
  const ears = await Promise.all(
    people.map((person, index) => listen(url, person, channelsFor(people, index))),
  )
  const each = Math.ceil(events / PEOPLE)
  await Promise.all(people.map((person) => work(person, each)))
  await Promise.all(ears.map(({ heardLast }) => heardLast))

  const report = { events: each * PEOPLE, missing: 0, foreign: 0 }
  ears.forEach((ear, index) => {
    report.foreign += ear.owners.filter((owner) => owner !== people[index]?.id).length
    report.missing += each - ear.owners.filter((owner) => owner === people[index]?.id).length
    ear.socket.terminate()
  })
  await server.close()
  return report
}

/**
 * Returns the user's own channels and forbidden ones: other accounts, other documents, everything.
 */
function channelsFor(people: readonly TestUser[], index: number): string[] {
  const others = people.filter((_, other) => other !== index && (other + index) % 7 === 0)
  return [
    'documents',
    '*',
    'account',
    `${CHANNEL}.*`,
    ...others.flatMap(({ id }) => [`account.${id}`, `users.${id}`, `${CHANNEL}.${id}-0`]),
  ]
}

/** Creates, changes and deletes documents; the last one is named 'last'. */
async function work(person: TestUser, events: number): Promise<void> {
  const ids = Array.from({ length: Math.floor((events - 1) / 3) }, (_, at) => `${person.id}-${at}`)
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await Promise.all(ids.slice(start, start + AT_ONCE).map((id) => threeEvents(person, id)))
  }
  for (let spare = ids.length * 3; spare < events - 1; spare++) {
    await create(person, `spare-${spare}`)
  }
  await create(person, 'last')
}

async function threeEvents(person: TestUser, id: string): Promise<void> {
  await create(person, id)
  await answered(() => person.call('PATCH', `${TASKS}/${id}`, { data: { name: 'changed' } }))
  await answered(() => person.call('DELETE', `${TASKS}/${id}`, {}))
}

async function create(person: TestUser, id: string): Promise<void> {
  const data = { name: 'x', userId: person.id }
  await answered(() => person.call('POST', TASKS, { documentId: id, data }))
}

/** Retries while the server is overloaded, as clients do. */
async function answered(call: () => Promise<Reply>): Promise<void> {
  for (;;) {
    const { status } = await call()
    if (status < 300) return
    if (status !== 503) throw new Error(`A write was answered ${status}`)
  }
}

async function listen(url: string, person: TestUser, channels: readonly string[]) {
  const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ')
  const socket = new WebSocket(url, { headers: { cookie } })
  const owners: string[] = []
  const ready = Promise.withResolvers<void>()
  const last = Promise.withResolvers<void>()
  socket.on('message', (bytes) => {
    const { type, data } = JSON.parse(Buffer.isBuffer(bytes) ? bytes.toString() : '')
    if (type === 'connected') {
      const subscription = { subscriptionId: 's1', channels, queries: [] }
      socket.send(JSON.stringify({ type: 'subscribe', data: [subscription] }))
    }
    if (type === 'response') ready.resolve()
    if (type !== 'event') return
    owners.push(data.payload.userId ?? data.payload.$id)
    if (data.payload.$id === 'last') last.resolve()
  })
  await ready.promise
  return { socket, owners, heardLast: last.promise }
}
