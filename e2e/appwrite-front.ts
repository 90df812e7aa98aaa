/**
 * Makes the server reply as Appwrite does where the two differ: requests as like-appwrite.ts does,
 * and a socket stays open when its sign-in ends, and still receives events of the account. With a
 * project, it has only the attributes of that project.
 */
import { createServer, request as requestOf } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

import type { AppwriteProject, ProjectDocument } from '@stint/testing/appwrite-project.ts'
import { WebSocket, WebSocketServer } from 'ws'

import { likeAppwrite } from '../web/src/test/like-appwrite.ts'

export interface AppwriteFront {
  readonly url: string
  /** Returns whether a socket of the user is subscribed. */
  isListening(userId: string): boolean
  close(): Promise<void>
}

/** A browser's socket, as far as the front observes it. */
interface Listener {
  readonly socket: WebSocket
  readonly subscriptions: Set<string>
  userId: string
}

/** Starts the front of the server at `target`, as that of a project if one is given. */
export async function startAppwriteFront(
  target: string,
  project?: AppwriteProject,
): Promise<AppwriteFront> {
  const { hostname, port } = new URL(target)
  const { intercept } = likeAppwrite({ now: Date.now })
  const listeners = new Set<Listener>()
  const sockets = new WebSocketServer({ noServer: true })

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, duplex, head) => {
    sockets.handleUpgrade(request, duplex, head, (socket) => listen(request, socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The front has no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    isListening: (userId) =>
      [...listeners].some((each) => each.userId === userId && each.subscriptions.size > 0),
    close() {
      for (const { socket } of listeners) socket.terminate()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const body = await buffer(request)
    const content = method === 'GET' || method === 'HEAD' ? null : new Uint8Array(body)
    const asked = new Request(new URL(url, target), { method, body: content })
    const send = () => intercept(asked, () => handOn(request, body))
    const answer = await (project ? project.intercept(asked, send) : send())
    const sent = Buffer.from(await answer.arrayBuffer())
    const headers = new Headers(answer.headers)
    headers.delete('set-cookie')
    response.setHeaders(headers)
    for (const cookie of answer.headers.getSetCookie()) response.appendHeader('set-cookie', cookie)
    response.writeHead(answer.status).end(sent)
    const isPassword = method === 'PATCH' && url === '/v1/account/password'
    if (isPassword && answer.ok) tellOfPassword(sent.toString())
  }

  async function handOn(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const plain = { ...headers, 'accept-encoding': 'identity' }
      const onward = requestOf({ hostname, port, path: url, method, headers: plain }, (answer) => {
        buffer(answer).then((content) => {
          const status = answer.statusCode ?? 502
          const kept = new Headers()
          for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
            if (name === 'transfer-encoding') continue
            for (const value of values) kept.append(name, value)
          }
          const isEmpty = status === 204 || status === 304
          resolve(new Response(isEmpty ? null : content, { status, headers: kept }))
        }, reject)
      })
      onward.on('error', reject)
      onward.end(body)
    })
  }

  function listen({ url = '', headers }: IncomingMessage, socket: WebSocket): void {
    const listener: Listener = { socket, subscriptions: new Set(), userId: '' }
    listeners.add(listener)
    const { cookie = '', origin = '', host = '' } = headers
    const onward = new WebSocket(new URL(url, target.replace('http', 'ws')), {
      headers: { cookie, origin, host },
    })
    const waiting: string[] = []
    socket.on('message', (data) => {
      const text = textOf(data)
      if (onward.readyState === WebSocket.OPEN) onward.send(text)
      else waiting.push(text)
    })
    onward.on('open', () => {
      for (const text of waiting.splice(0)) onward.send(text)
    })
    onward.on('message', (data) => {
      const text = textOf(data)
      listener.userId ||= userIn(text)
      for (const id of subscriptionsIn(text)) listener.subscriptions.add(id)
      socket.send(project ? fitted(project, text) : text)
    })
    // The server closes a socket with its sign-in. Appwrite does not.
    for (const each of [socket, onward]) each.on('error', () => undefined)
    socket.on('close', () => {
      listeners.delete(listener)
      onward.terminate()
    })
  }

  /** Sends the event that Appwrite sends to every socket of the user whose password was changed. */
  function tellOfPassword(account: string): void {
    const payload: { readonly $id: string } = JSON.parse(account)
    const names = [payload.$id, '*'].flatMap((id) => [`users.${id}.update.password`, `users.${id}`])
    for (const { socket, subscriptions, userId } of listeners) {
      if (userId !== payload.$id) continue
      const data = {
        events: [...names, `users.${payload.$id}.update`],
        channels: ['account', `account.${payload.$id}`],
        timestamp: new Date().toISOString(),
        payload,
        subscriptions: [...subscriptions],
      }
      socket.send(JSON.stringify({ type: 'event', data }))
    }
  }
}

function textOf(data: WebSocket.RawData): string {
  if (!Buffer.isBuffer(data)) throw new Error('A message is one buffer unless asked for otherwise')
  return data.toString()
}

/** Returns a message of the server with the attributes of the project. */
function fitted({ fit }: AppwriteProject, text: string): string {
  const message: { readonly data?: { readonly payload?: ProjectDocument } } = JSON.parse(text)
  const collection = message.data?.payload?.['$collectionId']
  if (!message.data?.payload || typeof collection !== 'string') return text
  const payload = fit(collection, message.data.payload)
  return JSON.stringify({ ...message, data: { ...message.data, payload } })
}

/** Returns the subscriptions that the server confirms. */
function subscriptionsIn(text: string): readonly string[] {
  const message: { data?: { to?: string; subscriptions?: readonly { subscriptionId: string }[] } } =
    JSON.parse(text)
  if (message.data?.to !== 'subscribe') return []
  return (message.data.subscriptions ?? []).map(({ subscriptionId }) => subscriptionId)
}

/** Returns the user of a socket, from the server's greeting. */
function userIn(text: string): string {
  const message: { data?: { user?: { $id: string } | null } } = JSON.parse(text)
  return message.data?.user?.$id ?? ''
}
