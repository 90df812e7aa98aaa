import { afterEach, expect, test, vi } from 'vitest'

import { rateLimitOf, watchRateLimits } from './rate-limits.ts'

afterEach(() => vi.unstubAllGlobals())

const DATE = 'Thu, 15 Jan 2026 12:00:20 GMT'
const RESET = String(Date.UTC(2026, 0, 15, 12, 1) / 1000)

test.each([
  ['Retry-After', { 'Retry-After': '7' }, { retryAfterSeconds: 7, limit: null }],
  [
    'X-RateLimit-Reset and the server’s clock',
    { Date: DATE, 'X-RateLimit-Reset': RESET, 'X-RateLimit-Limit': '120' },
    { retryAfterSeconds: 40, limit: 120 },
  ],
  [
    'a reset in the past',
    { Date: DATE, 'X-RateLimit-Reset': '0' },
    { retryAfterSeconds: 1, limit: null },
  ],
  ['a response without readable headers', {}, null],
  ['a Retry-After date, which counts as none', { 'Retry-After': DATE }, null],
])('The rate limit is read from %s', (_, headers, expected) => {
  expect(rateLimitOf(new Headers(Object.entries(headers)))).toEqual(expected)
})

test('Only 429 responses from the endpoint count', async () => {
  const status = new Map([
    ['https://api.example.com/v1/account', 200],
    ['https://elsewhere.example.com/v1/x', 429],
    ['https://api.example.com/v1/documents', 429],
  ])
  vi.stubGlobal('fetch', async (url: string) => {
    return new Response(null, { status: status.get(url) ?? 500, headers: { 'Retry-After': '9' } })
  })
  const limit = watchRateLimits('https://api.example.com/v1')
  const [first = '', second = '', third = ''] = status.keys()
  await fetch(first)
  await fetch(second)
  expect(limit()).toBeNull()
  await fetch(third)
  expect(limit()).toEqual({ retryAfterSeconds: 9, limit: null })
})
