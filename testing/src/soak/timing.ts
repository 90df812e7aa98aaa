/**
 * Measures whether the time of a reply reveals who has an account: the same request with addresses
 * of several kinds, in random order, compared by Welch's t.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_PASSWORD_COST } from '@stint/server/accounts/password-hash.ts'
import { startTestSmtp } from '#smtp.ts'
import { createTestApp } from '#test-app.ts'
import type { TestApp } from '#test-app.ts'

/** The value of t from which a difference is significant; the usual bound of leak tests. */
export const TELLING = 4.5

/** The address of an account, an unknown one, or that of a blocked account. */
const KINDS = ['known', 'unknown', 'blocked'] as const
type Kind = (typeof KINDS)[number]

/** The pause between two requests, in milliseconds. */
const PAUSE = 5

export interface TimingReport {
  readonly tries: number
  readonly meanMilliseconds: Readonly<Record<Kind, number>>
  /** Welch's t of the unknown addresses against each other kind. */
  readonly welch: Readonly<Record<'known' | 'blocked', number>>
}

/** Sends this many wrong passwords for each kind of address. */
export async function loginTiming(tries: number): Promise<TimingReport> {
  return withServer({}, (server) =>
    measure(tries, async (email) => {
      const body = { email, password: 'wrong horse 1' }
      return server.newBrowser().call('POST', '/account/sessions/email', body)
    }),
  )
}

/** Requests a recovery this often for each kind of address; known addresses get their mail. */
export async function recoveryTiming(tries: number): Promise<TimingReport> {
  const smtp = await startTestSmtp()
  try {
    return await withServer({ smtpUrl: smtp.url }, (server) =>
      measure(tries, async (email) => {
        const body = { email, url: `${server.config.publicUrl}/recovery` }
        return server.newBrowser().call('POST', '/account/recovery', body)
      }),
    )
  } finally {
    await smtp.close()
  }
}

async function withServer<Result>(
  config: { readonly smtpUrl?: string },
  work: (server: TestApp) => Promise<Result>,
): Promise<Result> {
  const server = await createTestApp({ config, passwordCost: DEFAULT_PASSWORD_COST })
  try {
    await server.signedInUser('Known')
    const blocked = await server.signedInUser('Blocked')
    await blocked.call('PATCH', '/account/status', {})
    return await work(server)
  } finally {
    await server.close()
  }
}

async function measure(
  tries: number,
  ask: (email: string) => Promise<unknown>,
): Promise<TimingReport> {
  const times: Record<Kind, number[]> = { known: [], unknown: [], blocked: [] }
  // The first requests warm up the code and are not counted.
  for (let attempt = -20; attempt < tries; attempt++) {
    for (const kind of shuffled(KINDS)) {
      await sleep(PAUSE)
      const email = kind === 'unknown' ? `nobody${attempt}@example.com` : `${kind}@example.com`
      const started = performance.now()
      await ask(email)
      if (attempt >= 0) times[kind].push(performance.now() - started)
    }
  }
  return {
    tries,
    meanMilliseconds: {
      known: moments(times.known).mean,
      unknown: moments(times.unknown).mean,
      blocked: moments(times.blocked).mean,
    },
    welch: {
      known: welch(times.unknown, times.known),
      blocked: welch(times.unknown, times.blocked),
    },
  }
}

function shuffled<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
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
