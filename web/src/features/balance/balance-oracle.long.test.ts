/** The clerk's books of five hundred random years beside what is on screen. */
import { expect, test } from 'vitest'

import { rowsShownAsInTheBooks } from '#test/balance-pages.tsx'

const YEARS = Number(process.env['HISTORIES'] ?? 500)

test(
  'An independent count agrees with the page of the hours account over five hundred years',
  async () => expect(await rowsShownAsInTheBooks(YEARS)).toBeGreaterThan(YEARS),
  60_000 + YEARS * 2000,
)
