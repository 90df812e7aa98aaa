import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from './errors.ts'

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

test('docs/api.md lists every error type with its status, and no others', () => {
  const documented = [...page.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm)]
  expect(Object.fromEntries(documented.map(([, type, status]) => [type, Number(status)]))).toEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([type, { status }]) => [type, status])),
  )
})
