/** Sockets that repeatedly subscribe to as much as fits into a message. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { anyOf } from './attack.ts'
import type { Attack, Counts, Target } from './attack.ts'
import { saveTogether } from './people.ts'

const GUESTS = 375
const SOCKETS_OF_ONE = 60
const COSTLY_SOCKETS = 10
/** The largest number of messages a minute that the server handles. */
const MESSAGES = 31
/** The contents of a subscription. */
interface Asked {
  readonly channels: readonly string[]
  readonly queries: readonly string[]
}

/**
 * The most that fits into a message (60 KB, 14 queries of 4,000 characters), then smaller ones: a
 * refused socket continues with the next. Each `{}` of three characters takes many times that in
 * memory.
 */
const MUCH_MEMORY: readonly Asked[] = [
  ...conditions({}),
  {
    channels: Array.from({ length: 15 }, (_, index) => `${index}`.padStart(4000, 'c')),
    queries: [],
  },
  {
    channels: Array.from({ length: 100 }, (_, index) => `${index}`.padStart(20, 'c')),
    queries: [],
  },
  { channels: ['documents'], queries: [] },
]

/** Conditions whose last value decides. */
const MUCH_WORK: readonly Asked[] = conditions(1)

function conditions(value: unknown): Asked[] {
  return [
    { queries: 14, values: 1330 },
    { queries: 14, values: 100 },
    { queries: 3, values: 100 },
    { queries: 1, values: 25 },
  ].map(({ queries, values }) => ({
    channels: ['documents'],
    queries: Array.from({ length: queries }, () =>
      JSON.stringify({
        method: 'notEqual',
        attribute: 'note',
        values: Array.from({ length: values }, () => value),
      }),
    ),
  }))
}

/** Sockets of guests. */
export const guestSockets: Attack = {
  people: 0,
  run: (target, _ask, counts) => subscribers(target, counts, GUESTS, () => ''),
}

/** Many sockets of one user. */
export const socketsOfOnePerson: Attack = {
  people: 1,
  run: (target, _ask, counts) =>
    subscribers(target, counts, SOCKETS_OF_ONE, () => anyOf(target.people, 0).cookie),
}

/**
 * One user's devices subscribe with as many conditions as allowed, and then many documents are
 * saved.
 */
export const costlyEvents: Attack = {
  people: 1,
  async run(target, ask, counts) {
    const person = anyOf(target.people, 0)
    for (let index = 0; index < COSTLY_SOCKETS; index += 1) {
      void subscribeUntilClosed(connect(target, person.cookie), counts, MUCH_WORK)
    }
    await sleep(500)
    for (let round = 0; ; round += 1) {
      const entries = Array.from({ length: 500 }, (_, index) => ({
        id: `event${index}`,
        attributes: { durationSeconds: 0, note: `${round}` },
      }))
      const { status } = await saveTogether(ask, person, entries, false)
      counts.add(`status ${status}`)
      if (status !== 200) await sleep(100)
    }
  },
}

async function subscribers(
  target: Target,
  counts: Counts,
  sockets: number,
  cookie: () => string,
): Promise<void> {
  await Promise.all(
    Array.from({ length: sockets }, async () => {
      for (;;) {
        await subscribeUntilClosed(connect(target, cookie()), counts, MUCH_MEMORY)
        await sleep(1000)
      }
    }),
  )
}

function subscribeUntilClosed(
  socket: WebSocket,
  counts: Counts,
  choice: readonly Asked[],
): Promise<void> {
  return new Promise((closed) => {
    let sent = 0
    let refused = 0
    const send = (): void => {
      if (socket.readyState !== socket.OPEN || sent >= MESSAGES) return
      const asked = choice[Math.min(refused, choice.length - 1)]
      const entry = { subscriptionId: `s${sent}`, ...asked }
      sent += 1
      counts.add('messages')
      socket.send(JSON.stringify({ type: 'subscribe', data: [entry] }), () => setTimeout(send, 50))
    }
    socket.on('message', (bytes) => {
      const text = Buffer.isBuffer(bytes) ? bytes.toString('latin1', 0, 40) : ''
      if (text.startsWith('{"type":"error"')) {
        counts.add('refused')
        refused += 1
      } else if (text.startsWith('{"type":"connected"')) {
        counts.add('opened')
        send()
      } else if (text.startsWith('{"type":"response"')) counts.add('subscribed')
    })
    socket.on('error', () => counts.add('errors'))
    socket.on('close', () => closed())
  })
}

function connect({ address, port }: Target, cookie: string): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=stint`, {
    localAddress: address,
    ...(cookie === '' ? {} : { headers: { cookie } }),
  })
}
