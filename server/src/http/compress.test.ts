import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { serverForFile } from '@stint/testing/server-tests.ts'
import type { TestUser } from '@stint/testing/test-app.ts'

const TASKS = '/databases/stint/collections/tasks/documents'
const DECODERS = {
  zstd: promisify(zstdDecompress),
  gzip: promisify<Buffer, Buffer>(gunzip),
  none: async (bytes: Buffer) => bytes,
}
const server = serverForFile()
let ann: TestUser
let plain: string

beforeAll(async () => {
  ann = await server.signedInUser('Ann')
  for (let count = 0; count < 25; count++) {
    const data = { name: `Write chapter ${count}, ärgerlich 👩‍💻`, userId: ann.id }
    await ann.call('POST', TASKS, { documentId: `t${count}`, data })
  }
  plain = JSON.stringify((await ann.call('GET', TASKS)).body)
})

test.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=0.5, deflate', 'gzip'],
  ['zstd;q=0, GZIP', 'gzip'],
  ['br, gzip;q=0.0', 'none'],
  ['identity', 'none'],
  ['', 'none'],
] as const)(
  'a page of documents for Accept-Encoding "%s" is sent as %s',
  async (accepted, encoding) => {
    const reply = await get(TASKS, accepted)
    expect(reply.headers['content-encoding'] ?? 'none').toBe(encoding)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.headers['vary']).toBe('Origin, Accept-Encoding')
    expect((await DECODERS[encoding](reply.rawPayload)).toString()).toBe(plain)
    const least = encoding === 'none' ? 1 : 5
    expect(reply.rawPayload.length * least).toBeLessThanOrEqual(Buffer.byteLength(plain))
  },
)

test('short replies are not compressed', async () => {
  const search = `queries[0]=${encodeURIComponent('{"method":"limit","values":[1]}')}`
  const reply = await get(`${TASKS}?${search}`, 'gzip, zstd')
  expect(reply.headers['content-encoding']).toBeUndefined()
  expect(reply.json().documents).toHaveLength(1)
})

function get(path: string, accepted: string) {
  const cookie = [...ann.cookies].map((pair) => pair.join('=')).join('; ')
  return server.app.inject({
    url: `/v1${path}`,
    headers: { 'x-appwrite-project': 'stint', cookie, 'accept-encoding': accepted },
  })
}
