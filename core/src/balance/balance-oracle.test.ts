/** An independent calculation of the hours account, compared over random years. */
import { expect, test } from 'vitest'
import { daysAsInTheBooks } from '#test/balance-oracle.ts'

const YEARS = Number(process.env['YEARS'] ?? 300)

test(
  'An independent count agrees with the balance of every day of random years, to the second',
  () => expect(daysAsInTheBooks(YEARS)).toBeGreaterThan(YEARS),
  60_000 + YEARS * 500,
)
