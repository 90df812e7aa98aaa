/** The clerk's books of random years (`core/src/test/balance-clerk.ts`) beside what programs are told. */
import { expect, test } from 'vitest'
import { daysToldAsInTheBooks } from '@stint/testing/balance-oracle.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'

const YEARS = Number(process.env['HISTORIES'] ?? 8)

const server = serverForFile()

test(
  'an independent count agrees with the API and with the file of random years',
  async () => expect(await daysToldAsInTheBooks(server, YEARS)).toBeGreaterThan(YEARS),
  60_000 + YEARS * 1000,
)
