import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { startTestDns } from '@stint/testing/dns.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Reply, TestApp, TestUser } from '@stint/testing/test-app.ts'
import type { Config } from '#config.ts'
import type { Database } from '#storage/database.ts'
import { calendarUrl } from './read.ts'

const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'
const MINUTE = 60_000

let db: Database
let server: TestApp
let ann: TestUser
let host: Server
let url: string
let asked: IncomingHttpHeaders[]
let answers: (response: ServerResponse) => void

beforeAll(async () => {
  db = await openTestDatabase()
  server = await createTestApp({ db, config: { webhooksAllowPrivate: true } })
  host = createServer((request, response) => {
    asked.push(request.headers)
    answers(response)
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const address = host.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/secret.ics`
})
beforeEach(async () => {
  asked = []
  answers = (response) => response.writeHead(200, { etag: '"a"' }).end(CALENDAR)
  ann = await server.signedInUser()
})
afterAll(async () => {
  host.closeAllConnections()
  host.close()
  await server.close()
  await db.close()
})

function read(body: object, user = ann): Promise<Reply> {
  return user.call('POST', '/stint/calendars/read', body)
}

test('a calendar is read, and once it is known only what has changed', async () => {
  expect((await read({ url })).body).toEqual({ text: CALENDAR, etag: '"a"' })
  expect(asked[0]).toMatchObject({ accept: 'text/calendar', 'accept-encoding': 'identity' })
  expect(asked[0]).not.toHaveProperty('if-none-match')
  expect(asked[0]).not.toHaveProperty('cookie')
  answers = (response) => response.writeHead(304).end()
  expect((await read({ url, etag: '"a"' })).body).toEqual({ text: null, etag: '"a"' })
  expect(asked[1]).toMatchObject({ 'if-none-match': '"a"' })
})

test('an address is read once in 15 minutes for each person', async () => {
  const { app, ann: one } = await apiWith({ webhooksAllowPrivate: true, rateLimits: true })
  await read({ url }, one)
  const refused = await read({ url }, one)
  expect([refused.status, refused.body.type]).toEqual([429, 'general_rate_limit_exceeded'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await read({ url: `${url}?other` }, one)).status).toBe(200)
  expect((await read({ url }, await app.signedInUser())).status).toBe(200)
  app.clock.advance(15 * MINUTE)
  expect((await read({ url }, one)).status).toBe(200)
  await app.close()
})

test.each([
  ['a redirect', 302, CALENDAR, 'The address answered with status 302, not with a calendar.'],
  ['a refusal', 404, CALENDAR, 'The address answered with status 404, not with a calendar.'],
  ['not changed, unasked', 304, '', 'The address answered with status 304, not with a calendar.'],
  ['a page', 200, '<html>', 'What is at this address is no calendar.'],
  ['too much', 200, CALENDAR.padEnd(6_000_000), 'The calendar is larger than 5 MB.'],
])('%s is refused with the reason', async (_, status, body, message) => {
  answers = (response) => response.writeHead(status, { location: '/elsewhere' }).end(body)
  const refused = await read({ url })
  expect([refused.status, refused.body.message]).toEqual([422, message])
  expect(asked).toHaveLength(1)
})

test('a host that closes the connection, or that nobody listens at, is refused with the reason', async () => {
  answers = (response) => response.destroy()
  const message = 'The calendar does not answer in time.'
  expect((await read({ url })).body).toMatchObject({ message })
  answers = (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(CALENDAR)
    response.destroy()
  }
  expect((await read({ url: `${url}?half` })).body).toMatchObject({ message })
  expect((await read({ url: 'http://127.0.0.1:1/' })).body).toMatchObject({ message })
})

test('two calendars of one person are read at once, and of another person as well', async () => {
  const open: ServerResponse[] = []
  answers = (response) => void open.push(response)
  const first = [read({ url: `${url}?1` }), read({ url: `${url}?2` })]
  await expect.poll(() => open.length).toBe(2)
  expect((await read({ url: `${url}?3` })).status).toBe(429)
  answers = (response) => response.end(CALENDAR)
  expect((await read({ url }, await server.signedInUser())).status).toBe(200)
  for (const response of open) response.end(CALENDAR)
  for (const reply of first) expect((await reply).status).toBe(200)
})

test('a wrong parameter and a guest are refused', async () => {
  expect((await read({ url: 'ftp://example.org/a.ics' })).status).toBe(400)
  expect((await read({ url, etag: 'a\r\nhost: b' })).status).toBe(400)
  expect((await read({})).body.message).toContain('url')
  expect((await server.browser.call('POST', '/stint/calendars/read', { url })).status).toBe(401)
  expect(asked).toEqual([])
})

test('webcal means https; without leave, only public addresses of https are called', () => {
  expect(calendarUrl(' webcal://example.org/a.ics ', false)?.href).toBe('https://example.org/a.ics')
  for (const address of [
    'http://example.org/',
    'https://ann:secret@example.org/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
    'file:///etc/passwd',
    'nothing',
  ])
    expect(calendarUrl(address, false)).toBeNull()
})

test('a name with an address that is not public is refused, and nothing is read once it is off', async () => {
  const dns = await startTestDns(() => ({ 4: [[127, 0, 0, 1]] }))
  const closed = await apiWith({ webhooksAllowPrivate: false }, [dns.address])
  const refused = await closed.ann.call('POST', '/stint/calendars/read', {
    url: 'https://inside.example/',
  })
  expect(refused.status).toBe(400)
  expect(refused.body.message).toContain('must be an https address on the public internet')
  await closed.app.close()
  await dns.close()
  const off = await apiWith({ readsCalendars: false, webhooksAllowPrivate: true })
  const { status, body } = await off.ann.call('POST', '/stint/calendars/read', { url })
  expect([status, body.type]).toEqual([403, 'stint_calendars_off'])
  expect(asked).toEqual([])
  await off.app.close()
})

async function apiWith(config: Partial<Config>, nameServers?: readonly string[]) {
  const app = await createTestApp({ config, ...(nameServers && { nameServers }) })
  return { app, ann: await app.signedInUser() }
}
