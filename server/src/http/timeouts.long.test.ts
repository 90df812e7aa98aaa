import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { limitHandlers } from './timeouts.ts'

/** Only a clock can tell a slow client from a silent one: long enough that a busy machine does not silence one. */
const SILENCE_MILLISECONDS = 5000
/** The whole reply takes several times that. */
const PAUSE_MILLISECONDS = 25

test('a client that does not read its reply is disconnected, and a slow one is not', async () => {
  const app = Fastify({ forceCloseConnections: true, connectionTimeout: SILENCE_MILLISECONDS })
  limitHandlers(app, 50)
  const large = Buffer.alloc(40_000_000)
  app.get('/large', async () => large)
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const ask = async () => {
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n')
    await once(socket, 'readable')
    return socket
  }
  const [deaf, slow] = [await ask(), await ask()]
  let taken = 0
  const take = setInterval(() => {
    taken += slow.read()?.length ?? 0
  }, PAUSE_MILLISECONDS)
  const isOpen = () =>
    new Promise<number>((done, failed) =>
      app.server.getConnections((error, count) => (error ? failed(error) : done(count))),
    )
  await vi.waitFor(async () => expect(await isOpen()).toBe(1))
  await vi.waitFor(() => expect(taken).toBeGreaterThan(large.length))
  clearInterval(take)
  deaf.destroy()
  slow.destroy()
  await app.close()
})
