import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from './errors.ts'
import { createTestApp } from '@stint/testing/test-app.ts'

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

test('docs/api.md lists every route, and no other', async () => {
  const server = await createTestApp()
  const documented = [...page.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) \/v1\S+)`/gm)]
  expect(documented.map(([, route]) => route).toSorted(byText)).toEqual(
    server.app.routeTable.map(({ name }) => name).toSorted(byText),
  )
  await server.close()
})

test('docs/api.md lists every error type with its status, and no other', () => {
  const documented = [...page.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm)]
  expect(Object.fromEntries(documented.map(([, type, status]) => [type, Number(status)]))).toEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([type, { status }]) => [type, status])),
  )
})

function byText(a = '', b = ''): number {
  return a < b ? -1 : 1
}
