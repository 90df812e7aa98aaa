import { once } from 'node:events'
import { connect } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { registerErrorHandler } from '#errors.ts'
import { limitHandlers } from './timeouts.ts'

test('a request whose handler never replies gets 503, and others do not', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  limitHandlers(app, 50)
  app.get('/never', () => new Promise(() => {}))
  app.post('/never', () => new Promise(() => {}))
  app.get('/now', async () => 'done')
  const body = await app.inject({ method: 'POST', url: '/never', payload: { some: 'body' } })
  expect([body.statusCode, body.headers['retry-after']]).toEqual([503, '2'])
  const [never, soon] = await Promise.all([app.inject('/never'), app.inject('/now')])
  expect([never.statusCode, never.headers['retry-after']]).toEqual([503, '2'])
  expect(soon.body).toBe('done')
  await app.close()
})

test('a request whose handler never replies gets 503 on a reused connection too', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  limitHandlers(app, 50)
  app.get('/never', () => new Promise(() => {}))
  app.post('/posted', () => new Promise(() => {}))
  app.get('/now', async () => 'done')
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(url.port), '127.0.0.1')
  let said = ''
  socket.on('data', (bytes) => (said += String(bytes)))
  for (const [path, answer] of [
    ['/now', 'HTTP/1.1 200 OK'],
    ['/never', 'HTTP/1.1 503 Service Unavailable'],
    ['/posted', 'HTTP/1.1 503 Service Unavailable'],
    ['/now', 'HTTP/1.1 200 OK'],
  ]) {
    said = ''
    const isPost = path === '/posted'
    const body = isPost ? 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}' : '\r\n'
    socket.write(`${isPost ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: here\r\n${body}`)
    await vi.waitFor(() => expect(said).toContain('\r\n\r\n'))
    expect(said).toContain(answer)
  }
  socket.destroy()
  await app.close()
})

test('a WebSocket on which nothing is sent stays open', async () => {
  const app = Fastify({ connectionTimeout: 100 })
  limitHandlers(app, 50)
  await app.register(fastifyWebsocket)
  app.get('/quiet', { websocket: true }, (socket) => {
    socket.on('message', (text) => socket.send(text))
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/quiet`)
  await once(socket, 'open')
  // Ten times as long as a client may leave its reply unread.
  await new Promise((later) => setTimeout(later, 1000))
  socket.send('still here')
  const [heard] = await once(socket, 'message')
  expect(String(heard)).toBe('still here')
  socket.close()
  await app.close()
})
