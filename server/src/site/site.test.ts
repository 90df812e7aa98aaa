import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '#test-app.ts'
import type { TestApp } from '#test-app.ts'

const PAGE = { accept: 'text/html,*/*' }
let folder: string
let server: TestApp

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stint-site-'))
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of [
    ['index.html', '<style>p{color:red}</style><p>landing'],
    ['terms.html', 'terms'],
    ['privacy.html', 'privacy'],
    ['signup.html', 'sign up'],
    ['app.html', '<script type="module" src="/assets/main-abc.js"></script>shell'],
    ['sw.js', 'worker'],
    ['manifest.webmanifest', '{}'],
    ['assets/main-abc.js', 'plain'],
    ['assets/main-abc.js.br', 'brotli'],
    ['assets/main-abc.js.gz', 'gzip'],
  ] as const) {
    writeFileSync(join(folder, name), text)
  }
  server = await createTestApp({ siteFolder: folder })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['/', 200, 'landing'],
  ['/terms', 200, 'terms'],
  ['/privacy', 200, 'privacy'],
  ['/dashboard', 200, 'shell'],
  ['/tasks/abc123?view=weekly', 200, 'shell'],
  ['/reports', 200, 'shell'],
  ['/signup', 200, 'sign up'],
  // Not prerendered in this build.
  ['/login', 200, 'shell'],
  ['/nowhere', 404, 'shell'],
  ['/nowhere.png', 404, 'shell'],
])('%s answers a browser with %i and the %s page', async (path, status, text) => {
  const reply = await server.app.inject({ url: path, headers: PAGE })
  expect(reply.statusCode).toBe(status)
  expect(reply.body).toContain(text)
  expect(reply.headers['cache-control']).toBe('no-cache')
  expect(reply.headers['etag']).toBeDefined()
})

test('allows the inline style of a page by its hash, and nothing else inline', async () => {
  expect(await policy('/')).toMatch(/style-src 'self' 'sha256-[\w+/=]+';/)
  expect(await policy('/dashboard')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self' ws://localhost:3000; manifest-src 'self'; worker-src 'self'; " +
      "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  )
})

test('serves hashed assets for ever, compressed when the browser can', async () => {
  expect((await asset('br, gzip')).body).toBe('brotli')
  expect((await asset('gzip')).body).toBe('gzip')
  const plain = await asset('identity')
  expect(plain.body).toBe('plain')
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect((await asset('br')).headers['content-type']).toContain('javascript')
})

test('never keeps the service worker, the manifest or the API', async () => {
  for (const [path, control] of [
    ['/sw.js', 'no-cache'],
    ['/manifest.webmanifest', 'no-cache'],
    ['/v1/health', 'no-store'],
    ['/v1/nowhere', 'no-store'],
  ]) {
    expect((await server.app.inject({ url: path ?? '' })).headers['cache-control']).toBe(control)
  }
})

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
  '/.env',
  '/%00.js',
  '/%.js',
])('leaves nothing outside the folder to be had by %s', async (path) => {
  const reply = await server.app.inject({ url: path })
  expect(reply.statusCode).toBeGreaterThanOrEqual(400)
  expect(reply.statusCode).toBeLessThan(500)
})

test('an unknown API route is an API error, not a page', async () => {
  const reply = await server.app.inject({ url: '/v1/nowhere', headers: PAGE })
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({ code: 404, type: 'general_route_not_found' })
})

test('says how to build the web app when it is not there', async () => {
  const bare = await createTestApp({ siteFolder: join(folder, 'missing') })
  const reply = await bare.app.inject({ url: '/', headers: PAGE })
  expect([reply.statusCode, reply.body]).toEqual([503, expect.stringContaining('npm run build')])
  await bare.close()
})

async function policy(path: string): Promise<string> {
  const { headers } = await server.app.inject({ url: path, headers: PAGE })
  return String(headers['content-security-policy'])
}

function asset(encoding: string) {
  return server.app.inject({
    url: '/assets/main-abc.js',
    headers: { 'accept-encoding': encoding },
  })
}
