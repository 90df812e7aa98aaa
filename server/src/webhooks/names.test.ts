import { lookup } from 'node:dns/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestDns } from '@stint/testing/dns.ts'
import type { TestDns } from '@stint/testing/dns.ts'
import { createUrlCheck } from './addresses.ts'
import { createNameResolver } from './names.ts'
import type { ResolveName } from './names.ts'

const V6 = [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]

let dns: TestDns
let resolveName: ResolveName

beforeEach(async () => {
  dns = await startTestDns((name) => {
    if (name.endsWith('.silent.example')) return null
    if (name === 'both.example') return { 4: [[1, 1, 1, 1]], 6: [V6] }
    if (name === 'six.example') return { 6: [V6] }
    if (name === 'mixed.example') return { 4: [[1, 1, 1, 1], [10, 0, 0, 1]], 6: [V6] } // prettier-ignore
    if (name === 'nothing.example') return {}
    return undefined
  })
  resolveName = createNameResolver([dns.address])
})
afterEach(() => dns.close())

test('a name has all its addresses, of both families', async () => {
  const [v4, v6] = [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]
  expect(await resolveName('both.example')).toEqual([v4, v6])
  expect(await resolveName('six.example')).toEqual([v6])
  await expect(resolveName('missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(resolveName('nothing.example')).rejects.toMatchObject({ code: 'ENODATA' })
})

test('names of this machine are answered without a query', async () => {
  for (const name of ['localhost', 'app.localhost', 'LOCALHOST.']) {
    expect(await resolveName(name)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  }
  expect(dns.queries).toEqual([])
})

test('a name server that never answers ends with a timeout', async () => {
  await expect(resolveName('a.silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

test('names that never resolve delay neither other names nor the rest of the process', async () => {
  const mayBeSentTo = createUrlCheck(resolveName, false)
  const hanging = Array.from({ length: 55 }, (_, index) =>
    mayBeSentTo(`person ${index}`, `https://${index}.silent.example/`),
  )
  expect(await mayBeSentTo('bob', 'https://both.example/')).toBe(true)
  expect(await mayBeSentTo('bob', 'https://mixed.example/')).toBe(false)
  // What mail, sign-in providers and the database use.
  expect((await lookup('localhost')).address).toMatch(/^(?:127\.0\.0\.1|::1)$/)
  const asked = new Set(dns.queries.map(({ name }) => name))
  expect([...asked].filter((name) => name.endsWith('.silent.example'))).toHaveLength(55)
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => false))
})

test('two names of one person and a hundred of all are checked at once, and no more', async () => {
  const waiting: PromiseWithResolvers<[]>[] = []
  const mayBeSentTo = createUrlCheck(() => {
    const each = Promise.withResolvers<[]>()
    waiting.push(each)
    return each.promise
  }, false)
  const check = (owner: string) => mayBeSentTo(owner, 'https://a.silent.example/')
  const first = [check('ann'), check('ann')]
  await expect(check('ann')).rejects.toMatchObject({ type: 'general_rate_limit_exceeded' })
  const others = Array.from({ length: 98 }, (_, index) => check(`person ${index}`))
  await expect(check('bob')).rejects.toMatchObject({ type: 'general_service_unavailable' })
  expect(await mayBeSentTo('bob', 'https://1.1.1.1/')).toBe(true)
  for (const { reject } of waiting.splice(0)) reject(new Error('no answer'))
  expect(await Promise.all([...first, ...others])).toEqual(Array.from({ length: 100 }, () => false))
  const again = check('ann')
  for (const { resolve } of waiting) resolve([])
  expect(await again).toBe(true)
})
