import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('by default the server listens on this machine only, stores its data in ./data and has limits', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: 'file:./data/stint.db',
    dataDirectory: './data',
    publicUrl: 'http://localhost:3000',
    smtpUrl: null,
    mailFrom: 'Stint <support@localhost>',
    supportEmail: 'support@localhost',
    allowedOrigins: [],
    trustProxy: false,
    signup: 'open',
    authProxy: null,
    oidc: null,
    logLevel: 'info',
    rateLimits: true,
    webhooksAllowPrivate: false,
    push: { isOn: true, privateKey: null },
    readsCalendars: true,
    readsActivityWatch: false,
    offersTryOut: true,
    quota: { documents: 1_000_000, bytes: 1_073_741_824 },
    backup: { isOn: true, folder: './data/backups', at: { hour: 3, minute: 0 } },
    metricsToken: null,
  })
})

test('a quota is a whole number, and 0 or off means no quota', () => {
  expect(readConfig({ QUOTA_DOCUMENTS: '5000', QUOTA_BYTES: '0' }).quota).toEqual({
    documents: 5000,
    bytes: null,
  })
  expect(readConfig({ QUOTA_DOCUMENTS: 'off' }).quota.documents).toBe(null)
  for (const wrong of ['1e6', '-1', '1 GiB', '9'.repeat(20)]) {
    expect(() => readConfig({ QUOTA_BYTES: wrong })).toThrow('QUOTA_BYTES must be a whole number')
  }
})

test('the database is in DATA_DIR, and the named proxies are trusted', () => {
  expect(
    readConfig({
      DATA_DIR: '/srv/stint',
      PUBLIC_URL: 'https://time.example.com/',
      ALLOWED_ORIGINS: 'https://a.example.com, https://b.example.com:8443',
      TRUST_PROXY: '10.0.0.0/8',
      SUPPORT_EMAIL: 'help@example.com',
    }),
  ).toMatchObject({
    databaseUrl: 'file:/srv/stint/stint.db',
    publicUrl: 'https://time.example.com',
    allowedOrigins: ['https://a.example.com', 'https://b.example.com:8443'],
    trustProxy: '10.0.0.0/8',
    mailFrom: 'Stint <help@example.com>',
  })
  expect(readConfig({ TRUST_PROXY: 'true' }).trustProxy).toBe(1)
})

test('an invalid configuration lists every problem at once', () => {
  const environment = {
    PORT: 'eighty',
    DATABASE_URL: 'mysql://x',
    PUBLIC_URL: 'time.example.com',
    SMTP_URL: 'mail.example.com',
    SUPPORT_EMAIL: 'nobody',
    ALLOWED_ORIGINS: 'https://a.example.com/app',
    SIGNUP: 'maybe',
    LOG_LEVEL: 'loud',
    RATE_LIMITS: 'off',
    WEBHOOKS_ALLOW_PRIVATE: 'yes',
    PUSH: 'maybe',
    VAPID_PRIVATE_KEY: 'short',
    READ_CALENDARS: 'no',
    READ_ACTIVITYWATCH: 'yes',
    TRY_WITHOUT_ACCOUNT: 'no',
    HOST: '0.0.0.0',
  }
  expect(() => readConfig(environment)).toThrow(
    /PORT[^]*DATABASE_URL[^]*PUBLIC_URL[^]*SMTP_URL[^]*SUPPORT_EMAIL[^]*ALLOWED_ORIGINS[^]*SIGNUP[^]*LOG_LEVEL[^]*RATE_LIMITS[^]*WEBHOOKS_ALLOW_PRIVATE[^]*READ_CALENDARS[^]*READ_ACTIVITYWATCH[^]*TRY_WITHOUT_ACCOUNT[^]*PUSH[^]*VAPID_PRIVATE_KEY/,
  )
})

test('an address of a mail server that is no URL is refused without its password', () => {
  for (const wrong of [
    'smtp://user:canary@',
    'smtp://user:canary@:::',
    'smtp://canary:x@h:99999',
  ]) {
    expect(() => readConfig({ SMTP_URL: wrong })).toThrow(/^[^]*SMTP_URL must be a URL(?!.*canary)/)
  }
  expect(readConfig({ SMTP_URL: 'smtps://user:p%40ss@mail.example.com' }).smtpUrl).toBeTruthy()
})

test.each(['0x10', '1e3', '-1', '3000.0', '70000'])('the port %s is refused', (wrong) => {
  expect(() => readConfig({ PORT: wrong })).toThrow(`to 65535, not "${wrong}"`)
})

test('webhooks can be allowed on private addresses', () => {
  expect(readConfig({ WEBHOOKS_ALLOW_PRIVATE: 'on' }).webhooksAllowPrivate).toBe(true)
  expect(readConfig({ READ_CALENDARS: 'off' }).readsCalendars).toBe(false)
  expect(readConfig({}).readsActivityWatch).toBe(false)
  expect(readConfig({ READ_ACTIVITYWATCH: 'on' }).readsActivityWatch).toBe(true)
  expect(readConfig({ TRY_WITHOUT_ACCOUNT: 'off' }).offersTryOut).toBe(false)
  expect(readConfig({ PUSH: 'off' }).push.isOn).toBe(false)
})

test('the limits can be turned off on a loopback address', () => {
  expect(readConfig({ RATE_LIMITS: 'off' }).rateLimits).toBe(false)
})

test.each([
  ['https://time.example.com/', 'https://time.example.com'],
  ['https://Time.Example.com:443', 'https://time.example.com'],
  ['http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
])('PUBLIC_URL %s is the origin %s', (text, origin) => {
  expect(readConfig({ PUBLIC_URL: text }).publicUrl).toBe(origin)
})

test.each([
  'https://time.example.com/stint',
  'https://ann:secret@time.example.com',
  'https://time.example.com?x=1',
  'https://time.example.com/#top',
])('PUBLIC_URL %s is refused because it is more than an origin', (text) => {
  expect(() => readConfig({ PUBLIC_URL: text })).toThrow(
    'PUBLIC_URL must be an address like https://time.example.com, without a path, a query or a user name.',
  )
})

test.each([
  ['https://a.example.com/app', 'https://a.example.com'],
  ['https://A.example.com', 'https://a.example.com'],
  ['*', 'https://app.example.com'],
  ['null', 'https://app.example.com'],
])('ALLOWED_ORIGINS %s is refused with an example', (text, example) => {
  expect(() => readConfig({ ALLOWED_ORIGINS: text })).toThrow(
    `ALLOWED_ORIGINS must be a list of origins like ${example}, not "${text}".`,
  )
})

test.each([
  'proxy.example.com',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/8/8',
  '10.0.0',
  '-1',
  '1.5',
  'fe80::1%eth0',
  '127.0.0.1, nginx',
])('TRUST_PROXY %s is refused at the start', (text) => {
  const [, wrong = text] = text.split(', ')
  expect(() => readConfig({ TRUST_PROXY: text })).toThrow(
    `TRUST_PROXY must be addresses or networks like 127.0.0.1 or 10.0.0.0/8, or the number of proxies, not "${wrong}"`,
  )
})

test.each([
  ['0', false],
  ['00', false],
  ['2', 2],
])('TRUST_PROXY %s is a number of proxies', (text, proxies) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(proxies)
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1, ::1', '127.0.0.1,::1'],
  ['10.0.0.0/8 fd00::/8,', '10.0.0.0/8,fd00::/8'],
  ['loopback,uniquelocal', 'loopback,uniquelocal'],
])('TRUST_PROXY %s is accepted, by Fastify as well', (text, trustProxy) => {
  expect(readConfig({ TRUST_PROXY: text }).trustProxy).toBe(trustProxy)
  expect(() => Fastify({ trustProxy })).not.toThrow()
})

describe('a proxy that signs people in', () => {
  const PROXY = { AUTH_PROXY_HEADER: 'Remote-Email' }

  test('is trusted by its addresses', () => {
    const { authProxy } = readConfig({ ...PROXY, TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' })
    expect(authProxy).toEqual({ emailHeader: 'remote-email', nameHeader: null, signOutUrl: null })
  })

  test.each([undefined, '', 'false', '1', 'true', '2'])(
    'with TRUST_PROXY=%s the server does not start',
    (TRUST_PROXY) => {
      expect(() => readConfig({ ...PROXY, TRUST_PROXY })).toThrow(
        'AUTH_PROXY_HEADER needs TRUST_PROXY with the addresses or networks of the proxy, like 127.0.0.1. A number of proxies is not enough',
      )
    },
  )

  test.each([
    [{ AUTH_PROXY_HEADER: 'Remote Email' }, 'AUTH_PROXY_HEADER must be the name of a header'],
    [{ ...PROXY, AUTH_PROXY_NAME_HEADER: 'a:b' }, 'AUTH_PROXY_NAME_HEADER must be the name'],
    [{ AUTH_PROXY_NAME_HEADER: 'Remote-Name' }, 'need AUTH_PROXY_HEADER'],
    [{ ...PROXY, AUTH_PROXY_LOGOUT_URL: 'javascript:1' }, 'AUTH_PROXY_LOGOUT_URL must be a URL'],
  ])('%j is refused', (environment, message) => {
    expect(() => readConfig({ TRUST_PROXY: 'loopback', ...environment })).toThrow(message)
  })
})

describe('a provider that signs people in', () => {
  const OIDC = {
    OIDC_ISSUER: 'https://auth.example.com/realms/home',
    OIDC_CLIENT_ID: 'stint',
    OIDC_CLIENT_SECRET: 'secret',
  }

  test('is called by its name, else by its host', () => {
    expect(readConfig(OIDC).oidc).toEqual({
      issuer: 'https://auth.example.com/realms/home',
      clientId: 'stint',
      clientSecret: 'secret',
      name: 'auth.example.com',
    })
    expect(readConfig({ ...OIDC, OIDC_NAME: 'Home' }).oidc?.name).toBe('Home')
  })

  test.each([
    [{ OIDC_CLIENT_ID: '' }, 'must be set together'],
    [{ OIDC_ISSUER: '' }, 'must be set together'],
    [{ OIDC_ISSUER: 'auth.example.com' }, 'OIDC_ISSUER must be a URL that begins with https://'],
    [
      { OIDC_ISSUER: 'http://auth.example.com' },
      'OIDC_ISSUER must be a URL that begins with https://',
    ],
  ])('%j is refused', (change, message) => {
    expect(() => readConfig({ ...OIDC, ...change })).toThrow(message)
  })

  test('may use http on this machine', () => {
    expect(readConfig({ ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9000' }).oidc).not.toBeNull()
  })
})
