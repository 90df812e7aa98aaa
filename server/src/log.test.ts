import { beforeEach, expect, test } from 'vitest'
import { loggerOptions } from './log.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'

const lines: string[] = []
const stream = { write: (line: string) => void lines.push(line) }
const config = { logLevel: 'debug' } as const
beforeEach(() => void (lines.length = 0))
const server = serverForFile({ config, logger: { ...loggerOptions(config), stream } })

test('a line of the log controls no terminal, and keeps what was written', () => {
  const text = 'refused \u202E\u2066\u009B2J\u007F\u2028\u001B'
  server.app.log.error({ err: new Error(text), answer: text }, text)
  server.app.log.child({ reqId: text }).debug(text)
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toMatch(/^\P{Cc}*\n$/u)
    expect(line).not.toMatch(/[\u2028\u202E\u2066]/)
  }
  const [first, second] = lines.map((line) => JSON.parse(line))
  expect(first).toMatchObject({ msg: text, answer: text, err: { message: text } })
  expect(second).toMatchObject({ msg: text, reqId: text })
})

test('the line of a request has its route, and nothing of what the caller typed', async () => {
  const headers = { 'x-appwrite-project': 'stint' }
  for (const url of ['/v1/account?q=typed', '/v1/typed', '/typed', '/feed/typed.ics', '//typed']) {
    await server.app.inject({ url, headers })
  }
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['GET', '/v1/account', 401],
    ['GET', '/v1/*', 404],
    ['GET', '*', 404],
    ['GET', '/feed/*', 404],
    ['GET', '*', 404],
  ])
  expect(lines.join('')).not.toContain('typed')
})
