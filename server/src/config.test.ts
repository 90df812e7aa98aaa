import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('starts with nothing set: this machine only, data in ./data, limits on', () => {
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
    logLevel: 'info',
    rateLimits: true,
    quota: { documents: 1_000_000, bytes: 1_073_741_824 },
  })
})

test('takes a quota as whole numbers, and none for 0 and off', () => {
  expect(readConfig({ QUOTA_DOCUMENTS: '5000', QUOTA_BYTES: '0' }).quota).toEqual({
    documents: 5000,
    bytes: null,
  })
  expect(readConfig({ QUOTA_DOCUMENTS: 'off' }).quota.documents).toBe(null)
  for (const wrong of ['1e6', '-1', '1 GiB', '9'.repeat(20)]) {
    expect(() => readConfig({ QUOTA_BYTES: wrong })).toThrow('QUOTA_BYTES must be a whole number')
  }
})

test('keeps the database in DATA_DIR, and believes the proxies that are named', () => {
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

test('lists every problem at once', () => {
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
    HOST: '0.0.0.0',
  }
  expect(() => readConfig(environment)).toThrow(
    /PORT[^]*DATABASE_URL[^]*PUBLIC_URL[^]*SMTP_URL[^]*SUPPORT_EMAIL[^]*ALLOWED_ORIGINS[^]*SIGNUP[^]*LOG_LEVEL[^]*RATE_LIMITS=off/,
  )
})

test('lets tests turn the limits off on a loopback address', () => {
  expect(readConfig({ RATE_LIMITS: 'off' }).rateLimits).toBe(false)
})
