import { expect, test } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'

const OWN = /^req-[0-9a-f]{8}[0-9a-z]+$/

test('every reply has an id of its own, which its log line has too', async () => {
  const lines: string[] = []
  const server = await createTestApp({
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
  const replies = [
    await server.app.inject('/v1/health'),
    await server.app.inject('/v1/nothing'),
    await server.app.inject('/page'),
    await server.app.inject({ method: 'OPTIONS', url: '/v1/account' }),
    await server.app.inject('/%zz'),
  ]
  const ids = replies.map(({ headers }) => String(headers['x-request-id']))
  for (const id of ids) expect(id).toMatch(OWN)
  expect(new Set(ids).size).toBe(ids.length)
  const account = { email: 'no@example.com', password: 'wrong horse 1' }
  const refused = await server.browser.call('POST', '/account/sessions/email', account)
  expect(lines.join('')).toContain(`"reqId":"${refused.headers.get('x-request-id')}"`)
  await server.close()
})

test.each<[string, false | number | string, string, string, boolean]>([
  ['of a trusted proxy', '127.0.0.1', '127.0.0.1', 'a1B2-c3_d.e:f', true],
  ['of a trusted network', '10.0.0.0/8', '10.1.2.3', 'a1', true],
  ['of one of a number of proxies', 1, '10.1.2.3', 'a1', true],
  ['of somebody else', '127.0.0.1', '203.0.113.7', 'a1', false],
  ['without any proxy', false, '127.0.0.1', 'a1', false],
  ['that breaks a line', '127.0.0.1', '127.0.0.1', 'a\tb', false],
  ['that is a script', '127.0.0.1', '127.0.0.1', '<script>', false],
  ['that is too long', '127.0.0.1', '127.0.0.1', 'a'.repeat(65), false],
  ['that is empty', '127.0.0.1', '127.0.0.1', '', false],
])('an id %s: is it kept?', async (_, trustProxy, remoteAddress, id, isKept) => {
  const server = await createTestApp({ config: { trustProxy } })
  const headers = { 'x-request-id': id }
  const reply = await server.app.inject({ url: '/v1/health', remoteAddress, headers })
  expect(reply.headers['x-request-id'] === id).toBe(isKept)
  expect(OWN.test(String(reply.headers['x-request-id']))).toBe(!isKept)
  await server.close()
})
