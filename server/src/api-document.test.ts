import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from './errors.ts'

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

test('docs/api.md lists every error type with its status, and no others', () => {
  const [, errors = ''] = page.split('\n## Errors\n')
  const documented = errors.split('\n- **').flatMap((line) => {
    const status = Number(line.slice(0, 3))
    return Number.isNaN(status)
      ? []
      : [...line.matchAll(/`([a-z_]+)`/g)].map(([, type]) => [type, status] as const)
  })
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.entries(ERRORS).map(([type, { status }]) => [type, status])),
  )
})
