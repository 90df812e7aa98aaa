/** What the image must do and must not contain, however it was made. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ROOT } from '../run.ts'

/** A server that was started from the image. */
export interface RunningImage {
  readonly url: string
  /** The server's process as `run` sees it. */
  readonly pid: number
  /** Runs a command beside the server, as its user. */
  run(command: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  /** Returns what the server has printed, and its exit code once it has ended. */
  state(): Promise<{ readonly output: string; readonly code: number | null }>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

/** How long a server may take to be ready, in milliseconds. */
const LONGEST_START = 60_000

/** Waits until the server answers that it is ready. @throws Error with its output if it ends or hangs. */
export async function untilReady(image: RunningImage): Promise<void> {
  const end = Date.now() + LONGEST_START
  for (;;) {
    const reply = await fetch(`${image.url}/v1/health/ready`).catch(() => null)
    await reply?.text()
    if (reply?.status === 200) return
    const { output, code } = await image.state()
    if (code !== null || Date.now() > end) {
      throw new Error(`The server did not start (exit code ${code}):\n${output}`)
    }
    await sleep(50)
  }
}

/** Creates an account and signs in. @returns the cookie. @throws Error with the refusal. */
export async function signUp(url: string, userId = 'ann'): Promise<string> {
  const account = { userId, email: `${userId}@example.com`, password: 'correct horse 1' }
  await post(url, '/account', account)
  const reply = await post(url, '/account/sessions/email', account)
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Returns the e-mail address of the account that is signed in with this cookie. */
export async function accountOf(url: string, cookie: string): Promise<string> {
  const reply = await fetch(`${url}/v1/account`, {
    headers: { 'x-appwrite-project': 'stint', cookie },
  })
  const { email }: { email: string } = JSON.parse(await reply.text())
  return email
}

/** Sends a body to a route of the API. @throws Error with the answer if it is a refusal. */
export async function post(
  url: string,
  path: string,
  body: object,
  cookie = '',
): Promise<Response> {
  const reply = await fetch(`${url}/v1${path}`, {
    method: 'POST',
    headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
  return reply
}

/** Tests, their helpers, and the packages of the web app, which are in its build. */
const UNWANTED = [
  /\.(?:test|spec)\.[a-z]+$/,
  /(?:^|\/)(?:tests?|__tests__|__snapshots__|soak|e2e|bench|benchmarks?|released)(?:\/|$)/,
  /^(?:testing|cli|extension|scripts|docs)(?:\/|$)/,
  /^node_modules\/(?:@stint\/(?:web|testing)|stint-cli|stint-extension|react|react-dom|appwrite|npm|typescript)(?:\/|$)/,
  /\.d\.[cm]?ts$/,
]

/**
 * Returns the paths that do not belong into the image: tests, tools, and packages that only
 * development needs.
 * @param paths all files and folders of the program's folder, relative to it.
 */
export function unwantedPaths(paths: readonly string[]): string[] {
  const lock: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  const development = new Set(
    Object.entries(lock.packages)
      .filter(([, { dev }]) => dev === true)
      .map(([path]) => path),
  )
  return paths.filter(
    (path) => development.has(path) || UNWANTED.some((pattern) => pattern.test(path)),
  )
}
