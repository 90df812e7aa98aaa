import { expect, test } from 'vitest'
import { createUrlCheck, isPublic } from './addresses.ts'
import { createNameResolver } from './names.ts'

const resolveName = createNameResolver([])
const isAllowed = createUrlCheck(resolveName, false)
const isAllowedWithPrivate = createUrlCheck(resolveName, true)

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82b::200e',
])('%s is public', (address) => expect(isPublic(address)).toBe(true))

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  'localhost',
  '',
])('%j is not public', (address) => expect(isPublic(address)).toBe(false))

test.each([
  'http://1.1.1.1/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://localhost/',
  'https://user:password@1.1.1.1/',
  'ftp://1.1.1.1/',
  'file:///etc/passwd',
  '1.1.1.1',
  '',
])('a webhook may not be %j', async (url) => expect(await isAllowed('ann', url)).toBe(false))

test('a webhook may be a public address, and a private one when the operator allows it', async () => {
  expect(await isAllowed('ann', 'https://1.1.1.1/hook?key=1')).toBe(true)
  expect(await isAllowedWithPrivate('ann', 'http://127.0.0.1:8123/api/webhook/1')).toBe(true)
  expect(await isAllowedWithPrivate('ann', 'file:///etc/passwd')).toBe(false)
})
