import { expect, test } from 'vitest'

import { permissionFor, serverAt } from '#access.ts'

test.each([
  ['https://time.example.com', 'https://time.example.com'],
  [' time.example.com ', 'https://time.example.com'],
  ['time.example.com:8443', 'https://time.example.com:8443'],
  ['https://time.example.com/dashboard?x=1#y', 'https://time.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
])('the server at "%s" is %s', (typed, server) => {
  expect(serverAt(typed)).toBe(server)
})

test.each([
  '',
  'https://',
  'http://time.example.com',
  'http://192.168.1.5:3000',
  'http://localhost.example.com',
  'ftp://time.example.com',
  'javascript://time.example.com',
])('no key goes to "%s"', (typed) => {
  expect(serverAt(typed)).toBeNull()
})

test('the permission is for the host of the server alone', () => {
  expect(permissionFor('https://time.example.com:8443').origins).toEqual([
    'https://time.example.com/*',
  ])
})
