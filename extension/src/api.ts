/** Calls of a Stint server with a personal key. */
import type { Access } from '#access.ts'
import { permissionFor } from '#access.ts'

/** A task by its id. */
export interface NamedTask {
  readonly id: string
  readonly name: string
}

/** The timer as the server answers it. */
export interface Timer {
  readonly task: NamedTask
  /** Of work until the answer, without pauses. */
  readonly seconds: number
  readonly state: 'running' | 'paused'
}

/** What to start: a typed line, the name of a task as it is, or a task by its id. */
export type Start =
  | { readonly line: string }
  | {
      readonly newTask: string
      readonly category?: string
      readonly note?: string
      readonly at?: string
    }
  | { readonly taskId: string; readonly note?: string; readonly at?: string }

/** The answers by route. The server describes them in openapi.json, and its tests check them. */
interface Answers {
  'GET keys/current': { readonly access: 'read' | 'write' }
  'GET now': { readonly timer: Timer | null }
  'POST start': { readonly timer: Timer }
  'POST pause': { readonly timer: Timer }
  'POST resume': { readonly timer: Timer }
  'POST stop': {
    readonly session: { readonly task: NamedTask; readonly seconds: number } | null
  }
}

/**
 * Why a call failed: no answer, no permission of the browser, a key that is not accepted or may only read, a name that
 * several tasks have, no timer to press, or another refusal.
 */
export type FailureKind =
  | 'unreachable'
  | 'not-allowed'
  | 'key'
  | 'read-only'
  | 'tasks'
  | 'no-timer'
  | 'refused'

/** A call that failed. The message is the server's, if it answered. */
export class Failure extends Error {
  readonly kind: FailureKind
  /** Of 'tasks': those that fit. */
  readonly choices: readonly NamedTask[]
  constructor(kind: FailureKind, message = '', choices: readonly NamedTask[] = []) {
    super(message)
    this.kind = kind
    this.choices = choices
  }
}

const TIMEOUT_MILLISECONDS = 15_000

/**
 * Calls a route. The presses can be repeated: a second one changes nothing.
 * @throws Failure.
 */
export async function call<Route extends keyof Answers>(
  access: Access,
  route: Route,
  body: object = {},
): Promise<Answers[Route]> {
  const first = await send(access, route, body)
  // The settings name no zone: that of this computer is the best guess.
  const isZoneMissing = first.type === 'stint_time_zone_missing'
  const answer = isZoneMissing ? await send(access, route, { ...body, timeZone: ownZone() }) : first
  if (answer.isOk) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the server describes it
    return answer.body as Answers[Route]
  }
  throw failureOf(answer)
}

interface Answer {
  readonly isOk: boolean
  readonly status: number
  readonly body: unknown
  /** Of an error, else ''. */
  readonly type: string
}

async function send(access: Access, route: string, values: object): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const url = new URL(`${access.server}/v1/stint/${path}`)
  const headers = new Headers({ Authorization: `Bearer ${access.key}` })
  const isRead = method === 'GET'
  if (isRead) url.search = new URLSearchParams(Object.entries(values)).toString()
  else headers.set('Content-Type', 'application/json')
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: isRead ? null : JSON.stringify(values),
      credentials: 'omit',
      cache: 'no-store',
      // Another address must not get the key.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    const body: unknown = await response.json()
    return { isOk: response.ok, status: response.status, body, type: textOf(body, 'type') }
  } catch {
    const isAllowed = await chrome.permissions.contains(permissionFor(access.server))
    throw new Failure(isAllowed ? 'unreachable' : 'not-allowed')
  }
}

/** Returns what the refusal of a call means for who made it. */
export function failureOf({ status, body, type }: Omit<Answer, 'isOk'>): Failure {
  const message = textOf(body, 'message') || `HTTP ${status}`
  if (status === 401) return new Failure('key', message)
  if (type === 'stint_key_forbidden') return new Failure('read-only', message)
  if (type === 'stint_no_timer') return new Failure('no-timer', message)
  if (type !== 'stint_task_ambiguous') return new Failure('refused', message)
  return new Failure('tasks', message, namedTasks(Object(body).choices))
}

function namedTasks(value: unknown): NamedTask[] {
  if (!Array.isArray(value)) return []
  return value.map((each) => ({ id: textOf(each, 'id'), name: textOf(each, 'name') }))
}

function textOf(value: unknown, field: string): string {
  const text: unknown = Object(value)[field]
  return typeof text === 'string' ? text : ''
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
