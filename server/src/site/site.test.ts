import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SCREENS } from '@stint/core/screens.ts'
import type { Screen } from '@stint/core/screens.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Config } from '#config.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

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
  // This build has no prerendered page for it.
  ['/login', 200, 'shell'],
  ['/nowhere', 404, 'shell'],
  ['/nowhere.png', 404, 'shell'],
])('a browser that requests %s gets %i and the %s page', async (path, status, text) => {
  const reply = await server.app.inject({ url: path, headers: PAGE })
  expect(reply.statusCode).toBe(status)
  expect(reply.body).toContain(text)
  expect(reply.headers['cache-control']).toBe('no-cache')
  expect(reply.headers['etag']).toBeDefined()
})

test.each(Object.entries<Screen>(SCREENS))('the screen %s is served', async (path, screen) => {
  const address = path.replaceAll(/:\w+/g, 'abc123')
  expect(await statusAt(address)).toBe(200)
  expect(await statusAt(`${address}x/y`)).toBe(404)
  if (path === '/') return
  expect(await statusAt(`${address}/`)).toBe(screen.isOnlyPage === true ? 404 : 200)
})

async function statusAt(url: string): Promise<number> {
  return (await server.app.inject({ url, headers: PAGE })).statusCode
}

test('the policy of a page allows its inline style by hash, and nothing else inline', async () => {
  expect(await policy('/')).toMatch(/style-src 'self' 'sha256-[\w+/=]+';/)
  expect(await policy('/dashboard')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self' ws://localhost:3000; manifest-src 'self'; worker-src 'self'; " +
      "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  )
})

test('hashed assets are immutable, and compressed when the browser can', async () => {
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

test('the service worker, the manifest and the API are never cached', async () => {
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
])('the path %s cannot reach a file outside of the folder', async (path) => {
  const reply = await server.app.inject({ url: path })
  expect(reply.statusCode).toBeGreaterThanOrEqual(400)
  expect(reply.statusCode).toBeLessThan(500)
})

test('an unknown API route is an API error, not a page', async () => {
  const reply = await server.app.inject({ url: '/v1/nowhere', headers: PAGE })
  expect(reply.statusCode).toBe(404)
  expect(reply.json()).toMatchObject({ code: 404, type: 'general_route_not_found' })
})

describe('addresses that the build left open', () => {
  const SHARED = `<style>p{color:red}</style><meta property="og:type" content="website">
<meta property="og:image" content="/og.png">
<a href="mailto:support@stint.example" data-support="" class="x">support@stint.example</a>`
  let build: string
  beforeAll(() => {
    build = mkdtempSync(join(tmpdir(), 'stint-site-'))
    for (const [name, text] of [
      ['index.html', SHARED],
      ['terms.html', SHARED],
      ['privacy.html', `${SHARED}${'x'.repeat(2000)}`],
      ['login.html', 'login'],
      ['app.html', 'shell'],
      ['robots.txt', 'built'],
      ['terms.html.br', 'stale'],
    ] as const) {
      writeFileSync(join(build, name), text)
    }
  })
  afterAll(() => rmSync(build, { recursive: true }))

  test('the server fills its addresses into pages and robots.txt where the build left them open', async () => {
    const own = await createTestApp({
      siteFolder: build,
      config: { publicUrl: 'https://time.example.com', supportEmail: '"o&m"@example.com' },
    })
    const { body, headers } = await own.app.inject({ url: '/terms', headers: PAGE })
    expect(body)
      .toBe(`<style>p{color:red}</style><link rel="canonical" href="https://time.example.com/terms">
<meta property="og:url" content="https://time.example.com/terms">
<meta property="og:type" content="website">
<meta property="og:image" content="https://time.example.com/og.png">
<a href="mailto:&quot;o&amp;m&quot;@example.com" data-support="" class="x">&quot;o&amp;m&quot;@example.com</a>`)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(/style-src 'self' 'sha256-/),
      'strict-transport-security': 'max-age=31536000',
    })
    expect((await own.app.inject('/robots.txt')).body).toContain(
      'Sitemap: https://time.example.com/sitemap.xml\n',
    )
    const { body: sitemap } = await own.app.inject('/sitemap.xml')
    expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      'https://time.example.com/',
      'https://time.example.com/terms',
      'https://time.example.com/privacy',
    ])
    expect((await own.app.inject({ url: '/login', headers: PAGE })).body).toBe('login')
    await own.close()
  })

  test('filled pages are compressed for clients that accept it, and not sent twice', async () => {
    const own = await createTestApp({
      siteFolder: build,
      config: { publicUrl: 'https://time.example.com' },
    })
    const get = (headers: Record<string, string>) =>
      own.app.inject({ url: '/privacy.html', headers: { ...PAGE, ...headers } })
    const plain = await get({})
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    const tags = new Set([plain.headers.etag])
    for (const encoding of ['br', 'gzip'] as const) {
      const reply = await get({ 'accept-encoding': encoding })
      expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(reply.rawPayload.length).toBeLessThan(1000)
      expect(unpack[encoding](reply.rawPayload).toString()).toBe(plain.body)
      tags.add(reply.headers.etag)
      const again = await get({
        'accept-encoding': encoding,
        'if-none-match': reply.headers.etag ?? '',
      })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    expect(tags.size).toBe(3)
    const head = await own.app.inject({ method: 'HEAD', url: '/privacy', headers: PAGE })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    await own.close()
  })

  test('no address is filled in while PUBLIC_URL names this machine only', async () => {
    const local = await createTestApp({ siteFolder: build })
    const { body } = await local.app.inject({ url: '/', headers: PAGE })
    expect(body).not.toContain('canonical')
    expect(body).toContain('mailto:support@localhost')
    expect((await local.app.inject('/robots.txt')).body).toBe('built')
    expect((await local.app.inject('/sitemap.xml')).statusCode).toBe(404)
    await local.close()
  })
})

describe('languages', () => {
  const PAGES = {
    'index.html': 'landing',
    'terms.html': 'terms',
    'app.html': 'shell',
  }
  const SHARED = '<meta property="og:type" content="website">'
  let build: string
  let own: TestApp
  beforeAll(async () => {
    build = mkdtempSync(join(tmpdir(), 'stint-site-'))
    for (const language of ['', 'de/', 'fr/']) {
      mkdirSync(join(build, language), { recursive: true })
      for (const [name, text] of Object.entries(PAGES)) {
        const mark = name === 'app.html' ? '' : SHARED
        const style = `<style>p{--in:"${language}"}</style>`
        writeFileSync(join(build, language, name), `${style}${mark}${text} in ${language || 'en/'}`)
      }
    }
    own = await createTestApp({
      siteFolder: build,
      config: { publicUrl: 'https://time.example.com' },
    })
  })
  afterAll(async () => {
    await own.close()
    rmSync(build, { recursive: true })
  })

  const get = (url: string, headers: Record<string, string> = {}) =>
    own.app.inject({ url, headers: { ...PAGE, ...headers } })

  test.each([
    ['/', {}, 'landing in en/'],
    ['/', { 'accept-language': 'fr-CA, de;q=0.5' }, 'landing in fr/'],
    ['/terms', { 'accept-language': 'de' }, 'terms in de/'],
    ['/dashboard', { 'accept-language': 'de' }, 'shell in de/'],
    // This build has no prerendered page for it.
    ['/login', { 'accept-language': 'de' }, 'shell in de/'],
    ['/nowhere', { 'accept-language': 'de' }, 'shell in de/'],
    ['/', { cookie: 'stint_language=fr', 'accept-language': 'de' }, 'landing in fr/'],
    ['/', { cookie: 'a=b; stint_language=en', 'accept-language': 'de' }, 'landing in en/'],
    ['/?language=de', { cookie: 'stint_language=fr' }, 'landing in de/'],
    ['/reports?view=month&language=fr', {}, 'shell in fr/'],
    // A language that this build lacks, and nonsense.
    ['/', { 'accept-language': 'es' }, 'landing in en/'],
    ['/?language=es', { cookie: 'stint_language=de' }, 'landing in de/'],
    ['/?language=../de', {}, 'landing in en/'],
    ['/?language=%', { 'accept-language': 'de' }, 'landing in de/'],
    ['/?language', {}, 'landing in en/'],
    ['/', { cookie: 'stint_language=../fr' }, 'landing in en/'],
    ['/', { cookie: 'stint_language=%E0%A4%A', 'accept-language': 'fr' }, 'landing in fr/'],
    ['/', { cookie: ';;=;stint_language' }, 'landing in en/'],
    ['/', { 'accept-language': ';q=,,*;q=x' }, 'landing in en/'],
  ])('%s with %j is %s', async (url, headers, text) => {
    const reply = await get(url, headers)
    expect(reply.statusCode).toBe(url === '/nowhere' ? 404 : 200)
    expect(reply.body.endsWith(text)).toBe(true)
    expect(reply.headers['vary']).toBe('accept-encoding, accept-language, cookie')
  })

  test('the language of an address is remembered for a year, where scripts can read it', async () => {
    expect((await get('/terms?language=de')).headers['set-cookie']).toBe(
      'stint_language=de; Max-Age=31536000; Path=/; Secure; SameSite=Lax',
    )
    for (const url of ['/?language=es', '/?language=xx', '/']) {
      expect((await get(url)).headers['set-cookie']).toBeUndefined()
    }
  })

  test('each language has its own policy, tag and addresses', async () => {
    const replies = await Promise.all(
      ['en', 'de', 'fr'].map((each) => get(`/terms?language=${each}`)),
    )
    expect(new Set(replies.map(({ headers }) => headers['etag'])).size).toBe(3)
    expect(new Set(replies.map(({ headers }) => headers['content-security-policy'])).size).toBe(3)
    const [english, german] = replies
    expect(german?.body)
      .toContain(`<link rel="canonical" href="https://time.example.com/terms?language=de">
<link rel="alternate" hreflang="x-default" href="https://time.example.com/terms">
<link rel="alternate" hreflang="en" href="https://time.example.com/terms">
<link rel="alternate" hreflang="de" href="https://time.example.com/terms?language=de">
<link rel="alternate" hreflang="fr" href="https://time.example.com/terms?language=fr">
`)
    expect(english?.body).toContain('<link rel="canonical" href="https://time.example.com/terms">')
    const tag = german?.headers['etag'] ?? ''
    expect((await get('/terms?language=de', { 'if-none-match': tag })).statusCode).toBe(304)
    expect((await get('/terms', { 'if-none-match': tag })).statusCode).toBe(200)
    const { body: sitemap } = await get('/sitemap.xml')
    expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      'https://time.example.com/',
      'https://time.example.com/terms',
      'https://time.example.com/?language=de',
      'https://time.example.com/terms?language=de',
      'https://time.example.com/?language=fr',
      'https://time.example.com/terms?language=fr',
    ])
  })

  test('a file in a folder of a language is that file in any browser', async () => {
    const reply = await get('/de/app.html', { cookie: 'stint_language=fr' })
    expect(reply.body).toContain('shell in de/')
    expect(reply.headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-/)
  })
})

describe('a build in English that another one follows', () => {
  let builds: string
  beforeAll(() => {
    builds = mkdtempSync(join(tmpdir(), 'stint-site-'))
    for (const [folder, mark] of [
      ['first', 'first'],
      ['next', 'next'],
      ['next/de', 'German'],
    ] as const) {
      mkdirSync(join(builds, folder))
      for (const name of ['index.html', 'app.html']) {
        writeFileSync(join(builds, folder, name), `<style>p{--a:"${mark}"}</style>${mark}`)
      }
    }
    writeFileSync(join(builds, 'next/sw.js'), 'worker')
  })
  afterAll(() => rmSync(builds, { recursive: true }))

  /** Starts a server with the build in English; `follow` is called when the next one is there. */
  async function started() {
    const { promise, resolve: follow } = Promise.withResolvers<string>()
    const own = await createTestApp({ siteFolder: join(builds, 'first'), nextSite: promise })
    const get = (url: string, language = 'en') =>
      own.app.inject({ url, headers: { ...PAGE, 'accept-language': language } })
    return { own, follow, get }
  }

  test('serves English at once, and every file of the next one when it is there', async () => {
    const { own, follow, get } = await started()
    for (const [url, language] of [
      ['/', 'en-GB'],
      ['/login', 'ja'],
      ['/dashboard?language=en', 'de'],
    ] as const) {
      expect((await get(url, language)).body).toMatch(/first$/)
    }
    expect((await get('/sw.js')).statusCode).toBe(404)
    follow(join(builds, 'next'))
    await vi.waitFor(async () => expect((await get('/')).body).toMatch(/next$/))
    expect((await get('/sw.js')).body).toBe('worker')
    expect((await get('/', 'de')).body).toMatch(/German$/)
    await own.close()
  })

  test.each([
    ['/dashboard', 'de'],
    ['/nowhere', 'de'],
    ['/?language=de', 'en'],
  ])('%s for a browser in %s is loaded again until German is there', async (url, language) => {
    const { own, follow, get } = await started()
    const early = await get(url, language)
    expect([early.statusCode, early.body]).toEqual([503, expect.stringContaining('?language=en')])
    expect(early.headers).toMatchObject({ refresh: '3', 'cache-control': 'no-store' })
    follow(join(builds, 'next'))
    await vi.waitFor(async () => expect((await get(url, language)).body).toMatch(/German$/))
    const { headers } = await get(url, language)
    expect(headers['content-security-policy']).toMatch(/style-src 'self' 'sha256-/)
    expect(headers['refresh']).toBeUndefined()
    await own.close()
  })

  test('is served to everybody where the next one could not be built', async () => {
    const { own, follow, get } = await started()
    expect((await get('/', 'de')).statusCode).toBe(503)
    follow(join(builds, 'first'))
    await vi.waitFor(async () => expect((await get('/', 'de')).body).toMatch(/first$/))
    await own.close()
  })
})

describe('a server that nobody new can sign up on', () => {
  let build: string
  beforeAll(() => {
    build = mkdtempSync(join(tmpdir(), 'stint-site-'))
    mkdirSync(join(build, 'de'))
    for (const name of ['index', 'terms', 'privacy', 'login', 'signup', 'app']) {
      writeFileSync(join(build, `${name}.html`), `<!doctype html><html lang="en">${name}`)
      writeFileSync(join(build, 'de', `${name}.html`), `<!doctype html><html lang="de">${name}`)
    }
    writeFileSync(join(build, 'index.html.br'), 'stale')
    for (const name of ['sw.js', 'sw.de.js']) {
      writeFileSync(
        join(build, name),
        'e([{url:"index.html",revision:"1f"},{url:"x.js",revision:"2f"},{url:"de/app.html",revision:"3f"}])',
      )
    }
  })
  afterAll(() => rmSync(build, { recursive: true }))

  async function served(config: Partial<Config>, url: string, headers = {}) {
    const own = await createTestApp({ siteFolder: build, config })
    const reply = await own.app.inject({ url, headers: { ...PAGE, ...headers } })
    await own.close()
    return reply
  }
  const closed = { signup: 'closed' } as const

  test.each([
    ['/', 'login'],
    ['/index.html', 'login'],
    ['/login', 'login'],
    ['/signup', 'app'],
    ['/terms', 'terms'],
    ['/privacy', 'privacy'],
    ['/dashboard', 'app'],
  ])('serves at %s the page %s, which says so', async (url, page) => {
    const { body, statusCode } = await served(closed, url, { 'accept-encoding': 'identity' })
    expect([statusCode, body]).toEqual([
      200,
      `<!doctype html><html data-signup="closed" lang="en">${page}`,
    ])
  })

  test.each([
    ['/', 'login'],
    ['/signup', 'app'],
    ['/terms', 'terms'],
  ])('serves at %s the page %s in German as well', async (url, page) => {
    const { body } = await served(closed, url, { 'accept-language': 'de' })
    expect(body).toBe(`<!doctype html><html data-signup="closed" lang="de">${page}`)
  })

  test('does not send a compressed copy of the page that the build had there', async () => {
    const { rawPayload } = await served(closed, '/', { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(rawPayload).toString()).toContain('login')
  })

  test.each(['/sw.js', '/sw.de.js'])(
    'sends a worker %s that loads the pages again',
    async (url) => {
      const open = await served({}, url)
      const { body, headers } = await served(closed, url)
      expect(open.body).toContain('{url:"index.html",revision:"1f"}')
      expect(body).toBe(
        'e([{url:"index.html",revision:"closed-1f"},{url:"x.js",revision:"2f"},{url:"de/app.html",revision:"closed-3f"}])',
      )
      expect(headers).toMatchObject({
        'content-type': expect.stringContaining('javascript'),
        'cache-control': 'no-cache',
      })
    },
  )

  test('where there can be no passkeys, the pages say so and are loaded again', async () => {
    const plain = { publicUrl: 'http://stint.example.com' }
    expect((await served(plain, '/login')).body).toContain('data-passkeys="none" lang="en">login')
    expect((await served(plain, '/sw.js')).body).toContain('revision:"open-passwords-1f"')
    const secure = { publicUrl: 'https://stint.example.com' }
    expect((await served(secure, '/login')).body).not.toContain('data-passkeys')
  })

  test('with invitations the front page stays, and the form is not in the page', async () => {
    const invite = { signup: 'invite' } as const
    expect((await served(invite, '/')).body).toContain('data-signup="invite" lang="en">index')
    expect((await served(invite, '/signup')).body).toContain('lang="en">app')
  })

  test('where nobody may use the app without an account, the pages say so', async () => {
    const off = { offersTryOut: false } as const
    expect((await served(off, '/')).body).toContain('<html data-try="off" lang="en">index')
    expect((await served(off, '/sw.js')).body).toContain('revision:"open-no-try-1f"')
  })

  test('where pages may read ActivityWatch, they say so and may connect to it', async () => {
    const on = { readsActivityWatch: true } as const
    const page = await served(on, '/rebuild')
    expect(page.body).toContain('<html data-activitywatch="" lang="en">app')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("connect-src 'self' ws://localhost:3000 http://localhost:5600;")
    expect((await served(on, '/sw.js')).body).toContain('revision:"open-activitywatch-1f"')
  })

  test('behind a proxy that signs people in, the front page leads into the app', async () => {
    const authProxy = { emailHeader: 'remote-email', nameHeader: null, signOutUrl: null }
    const proxy = { authProxy, trustProxy: '127.0.0.1' }
    const { statusCode, headers } = await served(proxy, '/')
    expect([statusCode, headers['location']]).toEqual([302, '/dashboard'])
    expect((await served(proxy, '/dashboard')).body).toContain('<html data-proxy="" lang="en">app')
    expect((await served(proxy, '/index.html')).body).toContain('data-proxy="" lang="en">login')
    expect((await served(proxy, '/sw.js')).body).toContain('revision:"open-proxy-1f"')
  })
})

test('a server without a build replies with how to build the web app', async () => {
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
