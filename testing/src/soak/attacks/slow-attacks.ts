/** Clients that never finish a request, and clients that never read a reply. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyOf } from './attack.ts'
import type { Attack, Counts, Target } from './attack.ts'
import { queriesOf } from './client.ts'
import { ENTRIES, saveMany } from './people.ts'

const CONNECTIONS = 600
const NOTES = 1000

/** Headers and bodies that never end. */
export const slowClients: Attack = {
  people: 0,
  run: (target, _ask, counts) =>
    again(CONNECTIONS, (index) => anyOf([slowHeaders, slowBody], index)(target, counts)),
}

/** Long lists that are requested and never read. */
export const unreadAnswers: Attack = {
  people: 1,
  async prepare({ people, size }, ask) {
    await saveMany(ask, anyOf(people, 0), 'note', NOTES * size, 400, { note: 'n'.repeat(2000) })
  },
  run: (target, _ask, counts) => again(CONNECTIONS / 3, () => neverReads(target, counts)),
}

/** Opens this many connections, and reopens each when it is closed. */
async function again(connections: number, open: (index: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      for (;;) {
        await open(index)
        await sleep(500)
      }
    }),
  )
}

/** One byte of a header each second. */
function slowHeaders(target: Target, counts: Counts): Promise<void> {
  return trickle(target, counts, 'GET /v1/account HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
}

/** One byte of a body each second. */
function slowBody(target: Target, counts: Counts): Promise<void> {
  return trickle(
    target,
    counts,
    [
      'POST /v1/account/sessions/email HTTP/1.1',
      'Host: localhost',
      'X-Appwrite-Project: stint',
      'Content-Type: application/json',
      'Content-Length: 60000',
      '',
      '{"email":"',
    ].join('\r\n'),
  )
}

/** Requests a long list many times over one connection, and reads nothing. */
function neverReads(target: Target, counts: Counts): Promise<void> {
  const { cookie } = anyOf(target.people, 0)
  const path = `${ENTRIES}?${queriesOf([{ method: 'limit', values: [1000] }])}`
  const request = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'X-Appwrite-Project: stint',
    `Cookie: ${cookie}`,
    '',
    '',
  ].join('\r\n')
  return talk(target, counts, (socket) => {
    socket.pause()
    socket.write(request.repeat(20))
  })
}

function trickle(target: Target, counts: Counts, beginning: string): Promise<void> {
  return talk(target, counts, (socket) => {
    socket.write(beginning)
    const drip = setInterval(() => socket.write('x'), 1000)
    socket.on('close', () => clearInterval(drip))
    socket.resume()
  })
}

/** Resolves when the connection is closed. */
function talk(
  { address, port }: Target,
  counts: Counts,
  begin: (socket: Socket) => void,
): Promise<void> {
  return new Promise((closed) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: address }, () => {
      counts.add('connected')
      begin(socket)
    })
    socket.on('error', () => counts.add('errors'))
    socket.on('close', () => {
      counts.add('closed')
      closed()
    })
  })
}
