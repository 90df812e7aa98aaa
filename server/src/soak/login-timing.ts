/**
 * Whether the time a sign-in takes tells who has an account (reliability A3, H11): wrong passwords
 * for known and unknown addresses in turn, compared by Welch's t.
 */
import { createTestApp, TEST_PASSWORD } from '#test-app.ts'
import { DEFAULT_PASSWORD_COST } from '#account/password-hash.ts'

/** Beyond this a difference shows; the usual bound for leak tests. */
export const TELLING = 4.5

/** Welch's t of known against unknown addresses, after `tries` of each. */
export async function loginTiming(tries: number): Promise<number> {
  const server = await createTestApp({ passwordCost: DEFAULT_PASSWORD_COST })
  await server.browser.call('POST', '/account', {
    userId: 'ann',
    email: 'ann@example.com',
    password: TEST_PASSWORD,
  })
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let attempt = 0; attempt < tries; attempt++) {
    for (const who of ['known', 'unknown'] as const) {
      const email = who === 'known' ? 'ann@example.com' : `nobody${attempt}@example.com`
      const started = performance.now()
      await server.browser.call('POST', '/account/sessions/email', {
        email,
        password: 'wrong horse 1',
      })
      times[who].push(performance.now() - started)
    }
  }
  await server.close()
  return welch(times.known, times.unknown)
}

function welch(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [moments(a), moments(b)]
  return (first.mean - second.mean) / Math.sqrt(first.error + second.error)
}

function moments(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: squares / (values.length - 1) / values.length }
}
