import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Where addresses of people are read, stored, looked up or compared. */
const PLACES = [
  'server/src/accounts',
  'server/src/admin.ts',
  'server/src/http/auth-proxy.ts',
  'server/src/http/params.ts',
  'server/src/http/throttle.ts',
  'web/src/backend',
  'web/src/features/auth',
  'web/src/features/settings',
  'web/src/hooks/password-check.ts',
  'web/src/hooks/use-auth.ts',
  'web/src/session',
]

/** The lower case of all alphabets makes one address of two: the Kelvin sign becomes k. */
const FOLDING = /\.to(?:Locale)?(?:Lower|Upper)Case\(/

test('where addresses are handled, no code but `normalizedEmail` changes the case of letters', () => {
  const files = PLACES.flatMap(codeIn)
  expect(files.length).toBeGreaterThan(60)
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      // Names of headers are ASCII.
      .filter((line) => FOLDING.test(line) && !line.includes('rawHeaders['))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found, 'use normalizedEmail of core/src/email-address.ts').toEqual([])
})

function codeIn(place: string): string[] {
  if (statSync(join(ROOT, place)).isFile()) return [place]
  return readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => `${place}/${name}`)
}
