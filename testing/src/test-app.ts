/**
 * The real server in memory, for the tests of server and web: a new database, a stopped clock, a
 * `fetch` with a cookie jar, and signed-in users.
 */
import type { FastifyInstance } from 'fastify'
import type { PasswordCost } from '@stint/server/accounts/password-hash.ts'
import { openTestDatabase, PATIENT } from './databases.ts'
import type { Database } from '@stint/server/storage/database.ts'
import { openDatabase } from '@stint/server/storage/open.ts'
import { buildApp } from '@stint/server/app.ts'
import type { AppOptions } from '@stint/server/app.ts'
import { readConfig } from '@stint/server/config.ts'
import type { Config } from '@stint/server/config.ts'
import { checkReplies } from './replies.ts'

export interface TestAppOptions {
  /** Changes to the configuration. Default: rate limits are off. */
  readonly config?: Partial<Config>
  /** The start of the clock, epoch milliseconds. Default: 2026-01-15T12:00:00Z. */
  readonly now?: number
  /**
   * Intercepts every `fetch`: call `send` to let the request through. Without that call the request
   * is lost; throwing after it loses the reply; any other reply can be returned instead.
   */
  readonly onRequest?: Intercept
  readonly siteFolder?: string | null
  /** The folder that follows it. Default: none. */
  readonly nextSite?: AppOptions['nextSite']
  /** The cost of a password hash. Default: a very cheap one. */
  readonly passwordCost?: PasswordCost
  /** True: requests are refused when the server is slow or overloaded. Default: false. */
  readonly shedsLoad?: boolean
  /** A database to use instead of a new one. It is not closed. */
  readonly db?: Database
  /** The address of the database to open instead of a new one. */
  readonly url?: string
  /** The logger of the server. Default: none. */
  readonly logger?: AppOptions['logger']
  /** The name servers for webhooks. Default: those of the system. */
  readonly nameServers?: readonly string[]
  /** What the server knows about its backups. Default: it makes none. */
  readonly backupStatus?: AppOptions['backupStatus']
}

export type Intercept = (request: Request, send: () => Promise<Response>) => Promise<Response>

/** A browser as the server sees one: its own cookies, and `fetch`. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  /** `fetch` for absolute and root-relative URLs, all of which reach the test server. */
  readonly fetch: typeof globalThis.fetch
  /** Calls the API with the SDK's headers: path after `/v1`; a body is sent as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>
}

export interface Reply {
  readonly status: number
  /** The parsed JSON body; `{}` if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare what came, whatever it is
  readonly body: any
  readonly headers: Headers
}

/** Calls the API with a personal key: path after `/v1/stint`. */
export type Program = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

/** A user with an account and a browser that is signed in to it. */
export interface TestUser extends TestBrowser {
  readonly id: string
  readonly email: string
  readonly password: string
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly db: Database
  readonly config: Config
  readonly clock: TestClock
  /** The browser of a guest; `fetch` is its fetch. */
  readonly browser: TestBrowser
  readonly fetch: typeof globalThis.fetch
  newBrowser(): TestBrowser
  /** Creates an account and signs in with a new browser. Default: a name that no other user has. */
  signedInUser(name?: string): Promise<TestUser>
  /** Creates a key of the user. Returns calls with it. */
  program(user: TestUser, access?: 'read' | 'write'): Promise<Program>
  /** Replaces `onRequest`. */
  intercept(onRequest: Intercept | undefined): void
  /** Closes the server. @throws Error with every reply that did not match its route. */
  close(): Promise<void>
}

export interface TestClock {
  readonly now: () => number
  readonly set: (epochMilliseconds: number) => void
  readonly advance: (milliseconds: number) => void
}

const START = Date.UTC(2026, 0, 15, 12)
const CHEAP: PasswordCost = { memoryKibibytes: 64, passes: 1 }
export const TEST_PASSWORD = 'correct horse 1'

/** How many users of this process have a name by their number, so that servers with one database share none. */
let users = 0

/** Starts a separate server. Close it when the test is over. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const db =
    options.db ??
    (await (options.url === undefined ? openTestDatabase() : openDatabase(options.url, PATIENT)))
  const config: Config = { ...readConfig({ RATE_LIMITS: 'off' }), ...options.config }
  const clock = testClock(options.now ?? START)
  let onRequest = options.onRequest
  const app = await buildApp({
    db,
    config,
    now: clock.now,
    passwordCost: options.passwordCost ?? CHEAP,
    siteFolder: options.siteFolder ?? null,
    ...(options.nextSite === undefined ? {} : { nextSite: options.nextSite }),
    logger: options.logger ?? false,
    ...(options.nameServers === undefined ? {} : { nameServers: options.nameServers }),
    ...(options.backupStatus === undefined ? {} : { backupStatus: options.backupStatus }),
    shedsLoad: options.shedsLoad ?? false,
  })
  const problems = checkReplies(app)
  await app.ready()
  const newBrowser = (): TestBrowser => testBrowser(app, () => onRequest)
  const browser = newBrowser()

  return {
    app,
    db,
    config,
    clock,
    browser,
    fetch: browser.fetch,
    newBrowser,
    intercept: (next) => void (onRequest = next),
    async signedInUser(name = `User ${++users}`) {
      const own = newBrowser()
      const email = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@example.com`
      const password = TEST_PASSWORD
      const account = { userId: 'unique()', email, password, name }
      const created = await own.call('POST', '/account', account)
      const session = await own.call('POST', '/account/sessions/email', { email, password })
      if (created.status !== 201 || session.status !== 201) {
        throw new Error(
          `Could not sign ${name} in: ${JSON.stringify([created.body, session.body])}`,
        )
      }
      return { ...own, id: String(created.body.$id), email, password }
    },
    async program(user, access = 'write') {
      const { body } = await user.call('POST', '/stint/keys', { name: 'Shell', access })
      return programOf(newBrowser(), body.secret)
    },
    async close() {
      await app.close()
      if (options.db === undefined) await db.close()
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  }
}

/** Returns calls with a key from a browser without a session. */
export function programOf(browser: TestBrowser, secret: string): Program {
  return (method, path, body, headers = {}) => {
    const authorization = `Bearer ${secret}`
    return browser.call(method, `/stint${path}`, body, { ...headers, authorization })
  }
}

function testClock(start: number): TestClock {
  let time = start
  return {
    now: () => time,
    set: (epochMilliseconds) => void (time = epochMilliseconds),
    advance: (milliseconds) => void (time += milliseconds),
  }
}

const ORIGIN = 'http://localhost:3000'
const SDK_HEADERS = { 'x-appwrite-project': 'stint', accept: 'application/json' }

function testBrowser(app: FastifyInstance, intercept: () => Intercept | undefined): TestBrowser {
  const cookies = new Map<string, string>()

  const browserFetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : new URL(input, ORIGIN).href
    const request = new Request(input instanceof Request ? input : url, init)
    const onRequest = intercept()
    return onRequest === undefined
      ? inject(request)
      : onRequest(request, () => inject(request.clone()))
  }

  async function inject(request: Request): Promise<Response> {
    const { host, pathname, search } = new URL(request.url)
    const headers: Record<string, string> = { host, ...Object.fromEntries(request.headers) }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie !== '') headers['cookie'] = cookie
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const reply = await app.inject({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any method will do
      method: request.method as 'GET',
      url: pathname + search,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    const received = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) {
      for (const each of Array.isArray(value) ? value : [value]) received.append(name, String(each))
    }
    for (const each of reply.cookies) {
      const isGone = each.maxAge === 0 || each.value === ''
      if (isGone) cookies.delete(each.name)
      else cookies.set(each.name, each.value)
    }
    const isEmpty = [204, 205, 304].includes(reply.statusCode)
    return new Response(isEmpty ? null : new Uint8Array(reply.rawPayload), {
      status: reply.statusCode,
      headers: received,
    })
  }

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const reply = await browserFetch(`${ORIGIN}/v1${path}`, {
      method,
      headers: {
        ...SDK_HEADERS,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    const isJson = (reply.headers.get('content-type') ?? '').includes('json')
    return {
      status: reply.status,
      body: isJson && text !== '' ? JSON.parse(text) : text === '' ? {} : text,
      headers: reply.headers,
    }
  }

  return { cookies, fetch: browserFetch, call }
}
