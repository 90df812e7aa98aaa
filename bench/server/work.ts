/** The work of all servers, and its requests for Stint. */
import type { TestPostgres } from '@stint/testing/postgres.ts'

import { httpRequest, load } from './load.ts'

export const DOCUMENTS = '/v1/databases/stint/collections/time_entries/documents'

/** A server and its requests. */
export interface Subject {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** The PostgreSQL with its data; null: the data is in its own process. */
  readonly postgres: TestPostgres | null
  readonly work: Readonly<Record<string, Work>>
  stop(): Promise<void>
}

export interface Work {
  readonly request: () => Buffer
  readonly status: number
}

export interface Account {
  readonly userId: string
  readonly email: string
  readonly password: string
  /** The headers that a browser sends with every request. */
  readonly headers: Readonly<Record<string, string>>
}

/** For a load whose processor time is not measured. */
export const noProcesses = () => []

let people = 0

/** Creates a user and signs in. */
export async function signUp(port: number): Promise<Account> {
  const url = `http://127.0.0.1:${port}/v1/account`
  const headers = { 'X-Appwrite-Project': 'stint', 'Content-Type': 'application/json' }
  people += 1
  const who = { email: `bench-${Date.now()}-${people}@example.com`, password: 'correct horse 7' }
  const created = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ userId: 'unique()', name: 'Bench', ...who }),
  })
  const { $id } = await created.json()
  const session = await fetch(`${url}/sessions/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(who),
  })
  const cookie = session.headers.getSetCookie().find((each) => each.startsWith('a_session_'))
  await session.text()
  return {
    userId: String($id),
    ...who,
    headers: { 'X-Appwrite-Project': 'stint', Cookie: cookie?.split(';', 1)[0] ?? '' },
  }
}

/** Creates the initial documents over so many connections; returns their ids. */
export async function seed(
  port: number,
  documents: number,
  request: (id: string) => Buffer,
  connections = 1,
): Promise<string[]> {
  const ids: string[] = []
  const next = () => {
    const id = nextId()
    ids.push(id)
    return request(id)
  }
  await load({
    port,
    pids: noProcesses,
    connections,
    requests: Math.ceil(documents / connections),
    request: next,
    status: 201,
  })
  return ids
}

/** Returns the request that creates a time entry at Stint. */
export function createEntry({ userId, headers }: Account, id: string): Buffer {
  return httpRequest('POST', DOCUMENTS, headers, entry(id, userId))
}

/**
 * Returns the app's request for the newest entries, or for the newest of those since an instant.
 */
export function listNewest({ userId, headers }: Account, limit: number, since?: string): Buffer {
  return listRequest(headers, [
    { method: 'equal', attribute: 'userId', values: [userId] },
    { method: 'orderDesc', attribute: '$createdAt' },
    { method: 'limit', values: [limit] },
    ...(since === undefined
      ? []
      : [{ method: 'greaterThanEqual', attribute: '$createdAt', values: [since] }]),
  ])
}

/** Returns sync's request for 100 entries that changed since an instant. */
export function listChanged({ userId, headers }: Account, since: string): Buffer {
  const queries = [
    { method: 'equal', attribute: 'userId', values: [userId] },
    { method: 'greaterThanEqual', attribute: '$updatedAt', values: [since] },
    { method: 'orderAsc', attribute: '$updatedAt' },
    { method: 'limit', values: [100] },
  ]
  return listRequest(headers, queries, '&total=false')
}

/** Returns the request for entries that changed between two instants. */
export function listChanges({ userId, headers }: Account, since: string, until: string): Buffer {
  return listRequest(headers, [
    { method: 'equal', attribute: 'userId', values: [userId] },
    { method: 'greaterThanEqual', attribute: '$updatedAt', values: [since] },
    { method: 'lessThan', attribute: '$updatedAt', values: [until] },
    { method: 'orderAsc', attribute: '$updatedAt' },
    { method: 'limit', values: [1000] },
  ])
}

function listRequest(
  headers: Account['headers'],
  queries: readonly object[],
  further = '',
): Buffer {
  const search = queries
    .map((query, index) => `queries[${index}]=${encodeURIComponent(JSON.stringify(query))}`)
    .join('&')
  return httpRequest('GET', `${DOCUMENTS}?${search}${further}`, headers)
}

let lastId = 0

/** Returns a new id. */
export function nextId(): string {
  lastId += 1
  return `bench${Date.now().toString(36)}${lastId.toString(36).padStart(8, '0')}`
}

/** Returns a random item. */
export function anyOf<Thing>(things: readonly Thing[]): Thing {
  const thing = things[Math.floor(Math.random() * things.length)]
  if (thing === undefined) throw new Error('There is none')
  return thing
}

/** Returns the body of a request that creates an entry of half an hour. */
export function entry(documentId: string, userId: string) {
  const end = Date.now()
  const startTime = new Date(end - 1_800_000).toISOString()
  return {
    documentId,
    data: {
      taskId: 'task',
      userId,
      startTime,
      endTime: new Date(end).toISOString(),
      entryType: 'timer',
      durationSeconds: 1800,
      date: startTime,
      sessionId: documentId,
    },
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

/** Returns the value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN
}
