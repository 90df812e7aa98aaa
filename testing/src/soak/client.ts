/** Requests to a server in another process. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Sends a request with a JSON body. `path` follows `/v1`. */
export function call(
  port: number,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'x-appwrite-project': 'stint', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Creates an account and signs in, with retries while the server is overloaded. @returns the cookie. */
export async function signUp(port: number, id: string): Promise<string> {
  const account = { userId: id, email: `${id}@example.com`, password: 'correct horse 1' }
  await created(() => call(port, 'POST', '/account', account))
  const reply = await created(() => call(port, 'POST', '/account/sessions/email', account))
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function created(attempt: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const reply = await attempt()
    // 409: a retry found what the first try created.
    if (reply.status === 201 || reply.status === 409) return reply
    const text = await reply.text()
    if (reply.status !== 503) throw new Error(`The server answered ${reply.status}: ${text}`)
    await sleep(100)
  }
}
