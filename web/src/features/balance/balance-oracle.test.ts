/** The clerk's books of random years (`core/src/test/balance-clerk.ts`) beside what is on screen. */
import { expect, test } from 'vitest'

import { rowsShownAsInTheBooks } from '#test/balance-pages.tsx'

const YEARS = Number(process.env['HISTORIES'] ?? 10)

test(
  'An independent count agrees with the page of the hours account over random years',
  async () => expect(await rowsShownAsInTheBooks(YEARS)).toBeGreaterThan(YEARS),
  60_000 + YEARS * 1000,
)
