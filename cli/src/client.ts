/** Calls of the server's API for programs. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { AnsweredSession } from '@stint/core/transfer/session-csv.ts'

import type { Access } from './config.ts'
import { Failure } from './failure.ts'
import type { FailureKind } from './failure.ts'

export interface Task {
  readonly id: string
  readonly name: string
}

interface Noted {
  readonly note: string | null
}

/** Instants are ISO 8601 texts, durations are whole seconds. */
export interface Timer extends Noted {
  readonly id: string
  readonly task: Task
  readonly startedAt: string
  readonly seconds: number
  readonly state: 'running' | 'paused'
}

export type Session = AnsweredSession

export interface Now {
  readonly now: string
  readonly timeZone: string
  readonly timer: Timer | null
  readonly todaySeconds: number
}

export interface Found {
  readonly sessions: readonly Session[]
  readonly total: { readonly count: number; readonly seconds: number }
  /** The cursor of the next page. */
  readonly next: string | null
}

export interface Total {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly seconds: number
  readonly groups: readonly { readonly name: string; readonly seconds: number }[]
  readonly explain: string
}

export interface BalanceSum {
  readonly from: string
  readonly to: string
  readonly before: number
  readonly opening: number
  readonly worked: number
  readonly owed: number
  readonly holidays: number
  readonly daysOff: number
  readonly corrections: number
  readonly lapsed: number
  readonly after: number
}

export interface Balance {
  readonly balance: BalanceSum | null
  readonly zeroAt: string | null
  readonly periods: readonly BalanceSum[]
}

export interface Money {
  readonly amount: string
  readonly currency: string
}

export interface Timesheet {
  readonly from: string
  readonly to: string
  /** The rule of rounding as a sentence. */
  readonly rule: string
  readonly seconds: number
  readonly amounts: readonly Money[]
  readonly lines: readonly {
    readonly date: string
    readonly task: Task
    readonly notes: readonly string[]
    readonly seconds: number
    readonly amount: Money | null
  }[]
}

/** A timesheet that was sealed. Durations are whole seconds. */
export interface Sealed {
  readonly sheet: {
    readonly from: string
    readonly to: string
    readonly seconds: number
    readonly sha256: string
  }
  readonly sessions: number
  /** The page of the app with this sheet. */
  readonly explain: string
}

/** Durations are whole seconds. */
export interface Target {
  readonly bound: 'least' | 'most'
  readonly span: 'day' | 'week' | 'month'
  readonly of: { readonly name: string }
  readonly seconds: number
  readonly worked: number
  readonly percent: number
  readonly state: 'reached' | 'onTrack' | 'behind' | 'over' | 'fast'
  readonly left: number
  readonly over: number
  readonly daysLeft: number
  readonly perDay: number | null
  readonly reachedAt: string | null
}

export interface Answers {
  'GET now': Now
  'GET keys/current': { readonly name: string; readonly access: 'read' | 'write' }
  'GET sessions': Found
  'GET total': Total
  'GET balance': Balance
  'GET balance.csv': string
  'GET timesheet': Timesheet
  'GET timesheet.csv': string
  'GET targets': { readonly targets: readonly Target[] }
  'GET tasks': { readonly tasks: readonly Task[] }
  'POST start': {
    readonly timer: Timer
    readonly stopped: Session | null
    readonly overlaps: readonly Session[]
  }
  'POST stop': { readonly session: Session | null }
  'POST pause': { readonly timer: Timer }
  'POST resume': { readonly timer: Timer }
  'POST toggle': { readonly timer: Timer }
  'POST timesheets': Sealed
  'POST sessions': { readonly session: Session; readonly overlaps: readonly Session[] }
}

type Values = Readonly<Record<string, string | boolean | undefined>>

/** Calls a route, named 'GET now', with its parameters. Throws Failure. */
export type Client = <Route extends keyof Answers>(
  route: Route,
  values?: Values,
) => Promise<Answers[Route]>

const TIMEOUT_MILLISECONDS = 30_000
/** A write whose answer was lost is sent again under the same name, so that it is carried out once. */
const MAX_TRIES = 3
/** How often and how long a call waits for a limit: an export of a long history makes more calls than a minute allows. */
const MAX_WAITS = 3
const MAX_WAIT_SECONDS = 60
const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Returns a client of the server. */
export function createClient(access: Access): Client {
  return async (route, values = {}) => {
    const name = randomUUID()
    const first = await call(access, route, values, name)
    // Neither the settings nor the call name a zone: this computer's zone is the best guess.
    const answer =
      first.type === 'stint_time_zone_missing'
        ? await call(access, route, { ...values, timeZone: ownZone() }, randomUUID())
        : first
    if (answer.status >= 400) throw failureOf(answer)
    // The server describes its answers in openapi.json, and its tests check them.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return answer.body as never
  }
}

interface Answer {
  readonly status: number
  readonly body: unknown
  /** The error's type, '' without one. */
  readonly type: string
}

async function call(access: Access, route: string, values: Values, name: string): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const url = new URL(`${access.server}/v1/stint/${path}`)
  const headers: Record<string, string> = { Authorization: `Bearer ${access.key}` }
  let body: string | null = null
  if (method === 'GET') {
    for (const [key, value] of Object.entries(values)) {
      if (value !== undefined) url.searchParams.set(key, String(value))
    }
  } else {
    body = JSON.stringify(values)
    headers['Content-Type'] = 'application/json'
    headers['Idempotency-Key'] = name
  }
  let waits = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
      const response = await send(url, { method, headers, body, signal })
      const isFile = response.headers.get('content-type')?.startsWith('text/csv') === true
      const answer: unknown = isFile ? await response.text() : await response.json()
      const seconds = Number(response.headers.get('retry-after'))
      const isLimited = response.status === 429 && seconds > 0 && seconds <= MAX_WAIT_SECONDS
      if (isLimited && waits < MAX_WAITS) {
        waits += 1
        attempt = 0
        process.stderr.write(`Too many calls: waiting ${seconds} s.\n`)
        await sleep(seconds * 1000)
        continue
      }
      return { status: response.status, body: answer, type: textOf(answer, 'type') }
    } catch (error) {
      if (error instanceof Failure) throw error
      if (attempt === MAX_TRIES) {
        throw new Failure('unreachable', `No answer from ${access.server}.`)
      }
    }
  }
}

/**
 * Sends a request. Only a read follows redirects, within the server's origin: what follows one elsewhere would hand over
 * the key, or the name of a task. Throws Failure for any other redirect.
 */
async function send(
  url: URL,
  request: RequestInit & { readonly method: string },
): Promise<Response> {
  let target = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(target, { ...request, redirect: 'manual' })
    const location = response.headers.get('location')
    if (!REDIRECTS.has(response.status) || location === null) return response
    await response.body?.cancel()
    const next = URL.canParse(location, target.href) ? new URL(location, target) : null
    if (next?.origin !== url.origin) {
      const place = next?.origin ?? location
      throw new Failure(
        'refused',
        `${url.origin} redirects to ${place}, which gets no key. If that is your server: stint login ${place}`,
      )
    }
    if (request.method !== 'GET') {
      throw new Failure(
        'refused',
        `${url.origin} redirects to ${next.href}, and changes follow no redirect.`,
      )
    }
    target = next
  }
  throw new Failure('refused', `${url.origin} redirects too often.`)
}

function failureOf({ status, body, type }: Answer): Failure {
  const kind: FailureKind =
    type === 'stint_no_timer' ? 'no-timer' : status === 401 || status === 403 ? 'access' : 'refused'
  const choices: unknown = Object(body).choices
  const names = Array.isArray(choices) ? choices.map((each) => `\n  ${textOf(each, 'name')}`) : []
  const message = textOf(body, 'message') || `The server answered ${status}.`
  return new Failure(kind, message + names.join(''))
}

function textOf(value: unknown, field: string): string {
  const text: unknown = Object(value)[field]
  return typeof text === 'string' ? text : ''
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
