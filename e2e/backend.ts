/** Prepares and reads data on the server for tests, over the app's API. */
import type { APIRequestContext } from '@playwright/test'

export const PASSWORD = 'correct horse 7'

export interface TestUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

/**
 * How a test calls the API. The server closes idle connections, perhaps at the moment of reuse, so
 * a request is repeated once.
 */
export const API_CALL = { headers: { 'X-Appwrite-Project': 'stint' }, maxRetries: 1 }
let count = 0

/** Creates an account with the password PASSWORD. Does not sign in. */
export async function createUser(
  request: APIRequestContext,
  url: string,
  name = 'Ada Lovelace',
): Promise<TestUser> {
  count += 1
  const email = `user-${process.pid}-${Date.now()}-${count}@example.com`
  const response = await request.post(`${url}/v1/account`, {
    ...API_CALL,
    data: { userId: 'unique()', email, password: PASSWORD, name },
  })
  if (!response.ok()) throw new Error(`Could not create a user: ${await response.text()}`)
  const { $id } = await json<{ $id: string }>(response)
  return { id: $id, name, email }
}

/** Signs a user in; the request context, and the browser context it belongs to, get the cookie. */
export async function signInThroughApi(
  request: APIRequestContext,
  url: string,
  user: TestUser,
): Promise<void> {
  const response = await request.post(`${url}/v1/account/sessions/email`, {
    ...API_CALL,
    data: { email: user.email, password: PASSWORD },
  })
  if (!response.ok()) throw new Error(`Could not sign in: ${await response.text()}`)
}

export interface StoredDocument {
  readonly $id: string
  readonly [attribute: string]: unknown
}

/**
 * Returns the signed-in user's documents of a collection, newest first, at most `most`, up to 5000.
 */
export async function listDocuments(
  request: APIRequestContext,
  url: string,
  collection: string,
  most = 100,
): Promise<StoredDocument[]> {
  const limit = encodeURIComponent(JSON.stringify({ method: 'limit', values: [most] }))
  const response = await request.get(
    `${url}/v1/databases/stint/collections/${collection}/documents?queries[0]=${limit}`,
    API_CALL,
  )
  if (!response.ok()) throw new Error(`Could not list ${collection}: ${await response.text()}`)
  const { documents } = await json<{ documents: StoredDocument[] }>(response)
  return documents
}

/** Creates a document of the signed-in user. */
export async function createDocument(
  request: APIRequestContext,
  url: string,
  collection: string,
  data: Readonly<Record<string, unknown>>,
): Promise<StoredDocument> {
  const response = await request.post(
    `${url}/v1/databases/stint/collections/${collection}/documents`,
    { ...API_CALL, data: { documentId: 'unique()', data } },
  )
  if (!response.ok()) throw new Error(`Could not create: ${await response.text()}`)
  return json<StoredDocument>(response)
}

/** Changes a document of the signed-in user. */
export async function updateDocument(
  request: APIRequestContext,
  url: string,
  collection: string,
  id: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const response = await request.patch(
    `${url}/v1/databases/stint/collections/${collection}/documents/${id}`,
    { ...API_CALL, data: { data } },
  )
  if (!response.ok()) throw new Error(`Could not update: ${await response.text()}`)
}

/** Deletes a document of the signed-in user. */
export async function deleteDocument(
  request: APIRequestContext,
  url: string,
  collection: string,
  id: string,
): Promise<void> {
  const response = await request.delete(
    `${url}/v1/databases/stint/collections/${collection}/documents/${id}`,
    API_CALL,
  )
  if (!response.ok()) throw new Error(`Could not delete: ${await response.text()}`)
}

/** Replaces all settings of the signed-in user. */
export async function setPrefs(
  request: APIRequestContext,
  url: string,
  prefs: Readonly<Record<string, unknown>>,
): Promise<void> {
  const response = await request.patch(`${url}/v1/account/prefs`, { ...API_CALL, data: { prefs } })
  if (!response.ok()) throw new Error(`Could not set the settings: ${await response.text()}`)
}

/** Moves the start of the running session back, so that a test need not wait. */
export async function letSessionAge(
  request: APIRequestContext,
  url: string,
  minutes: number,
): Promise<void> {
  const [session] = await listDocuments(request, url, 'timer_sessions')
  if (!session) throw new Error('There is no session')
  const startTime = new Date(Date.parse(String(session['startTime'])) - minutes * 60_000)
  await updateDocument(request, url, 'timer_sessions', session.$id, {
    startTime: startTime.toISOString(),
  })
}

async function json<T>(response: { json(): Promise<unknown> }): Promise<T> {
  // A wrong shape fails the assertion that reads it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as T
}
