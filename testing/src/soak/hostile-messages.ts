/**
 * Hostile messages on sockets. The server must reply to all of them and continue, and no user may
 * receive anything of another.
 */
import { WebSocket } from 'ws'
import { createTestApp } from '#test-app.ts'
import { generator, pick, scalar } from './hostile.ts'
import type { Random } from './hostile.ts'

const SEED = 47_110_815
const CANARY = 'canary-of-ann'
/**
 * The number of messages a socket may send in a minute, without the last one, which checks that it
 * still replies.
 */
const MESSAGES_EACH = 31

export interface HostileMessagesReport {
  readonly messages: number
  /** Sockets that were closed, or did not reply to the last, valid message. */
  readonly dead: number
  /** Messages that reached a user with a text of another user. */
  readonly leaked: number
}

/** Sends this many messages over many sockets, half of them signed in. */
export async function hostileMessages(messages: number): Promise<HostileMessagesReport> {
  const server = await createTestApp()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const ann = await server.signedInUser('Ann')
  const bob = await server.signedInUser('Bob')
  const cookie = [...bob.cookies].map((pair) => pair.join('=')).join('; ')
  const url = `${server.app.listeningOrigin.replace('http', 'ws')}/v1/realtime?project=stint`
  const random = generator(SEED)
  const report = { messages: 0, dead: 0, leaked: 0 }
  while (report.messages < messages) {
    const talk = await converse(url, random() < 0.5 ? cookie : '', random, () =>
      ann.call('PUT', '/databases/stint/collections/tasks/documents/anns', {
        data: { name: `${CANARY} ${report.messages}`, userId: ann.id },
      }),
    )
    report.messages += MESSAGES_EACH
    if (!talk.isAlive) report.dead++
    if (talk.heard.includes(CANARY)) report.leaked++
  }
  await server.close()
  return report
}

async function converse(
  url: string,
  cookie: string,
  random: Random,
  meanwhile: () => Promise<unknown>,
): Promise<{ isAlive: boolean; heard: string }> {
  const socket = new WebSocket(url, { headers: { cookie } })
  let heard = ''
  const end = Promise.withResolvers<boolean>()
  const connected = Promise.withResolvers<void>()
  socket.on('message', (bytes) => {
    const text = Buffer.isBuffer(bytes) ? bytes.toString() : ''
    heard += text
    if (text.startsWith('{"type":"connected"')) connected.resolve()
    if (text === '{"type":"pong"}' && isLast) end.resolve(true)
  })
  socket.on('close', () => end.resolve(false))
  socket.on('error', () => {})
  let isLast = false
  await connected.promise
  for (let count = 0; count < MESSAGES_EACH; count++) {
    const message = hostileMessage(random)
    socket.send(message, { binary: random() < 0.1 })
  }
  await meanwhile()
  isLast = true
  socket.send('{"type":"ping"}')
  const isAlive = await end.promise
  socket.terminate()
  return { isAlive, heard }
}

const TYPES = [
  'authentication',
  'subscribe',
  'unsubscribe',
  'presence',
  'event',
  '__proto__',
  7,
  null,
]

function hostileMessage(random: Random): string {
  const dice = random()
  if (dice < 0.05) return '['.repeat(20_000)
  if (dice < 0.1) return '{"type":"subscribe","data":['.repeat(1000)
  if (dice < 0.15) return String(scalar(random))
  const entries = Array.from({ length: Math.floor(random() * 4) }, () => entry(random))
  return JSON.stringify({
    type: pick(random, TYPES),
    data: random() < 0.8 ? entries : random() < 0.5 ? entry(random) : scalar(random),
  })
}

function entry(random: Random): unknown {
  const several = (): unknown =>
    random() < 0.8 ? Array.from({ length: 3 }, () => channel(random)) : scalar(random)
  return {
    subscriptionId: random() < 0.5 ? 's1' : scalar(random),
    channels: several(),
    queries: random() < 0.5 ? [] : several(),
    session: scalar(random),
  }
}

function channel(random: Random): unknown {
  return pick(random, [
    'documents',
    '*',
    'databases.*.collections.*.documents.*',
    'databases.stint.collections.tasks.documents.anns',
    'account.*',
    '{"method":"equal","attribute":"__proto__","values":[1]}',
    '{"method":"or","values":[]}',
    scalar(random),
  ])
}
