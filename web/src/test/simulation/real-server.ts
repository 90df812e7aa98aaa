/** The real server in memory, behind the real SDK. */
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'

import { backUp, restore } from '../backup.ts'
import type { Line, Network, Write } from './network.ts'
import type { Server } from './servers.ts'

/** Returns the server as it serves one user, with the network of that user's devices. */
export function realServer(server: TestApp, user: TestUser, network: Network): Server {
  const { time } = network
  /** The answers to reads since the last write, because the server takes a third of a run. */
  let known = new Map<string, Response>()
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  return {
    userId: user.id,
    backendFor(host, onServerTime) {
      globalThis.fetch = receive
      const config = { projectId: 'stint', databaseId: 'stint', ownServer: true }
      return createAppwriteBackend({ endpoint: `http://${host}/v1`, ...config }, onServerTime)
    },
    async addTask(name) {
      const path = '/databases/stint/collections/tasks/documents'
      await user.call('POST', path, { documentId: name, data: { name, userId: user.id } })
    },
    async backUp() {
      const backup = await backUp(server, user.id)
      return async () => {
        known = new Map()
        await restore(server, user.id, backup)
      }
    },
    async rows() {
      const { timer_sessions, time_entries } = await backUp(server, user.id)
      return { sessions: timer_sessions, entries: time_entries }
    },
  }

  function receive(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input)
    const path = url.pathname.replace(/^\/v1\/((databases\/)?stint\/collections\/)?/, '')
    const documents = typeof init.body === 'string' ? documentsIn(url.pathname, init.body) : []
    return network.request(
      url.host,
      { said: `${init.method ?? 'GET'} ${path}`, documents },
      async (from) => unchanging(url) ?? inject(from, url, init),
    )
  }

  /**
   * Answers a request whose answer no press changes. Every refresh makes these requests, so a short
   * path saves time.
   */
  function unchanging({ pathname }: URL): Response | null {
    if (pathname.endsWith('/account/prefs')) return responseOf(200, JSON_TYPE, '{}')
    if (!pathname.endsWith('/stint/info')) return null
    const serverTime = new Date(time.now()).toISOString()
    const info = {
      version: '',
      supportEmail: '',
      recovery: false,
      signup: 'open',
      serverTime,
      passkeyDomain: null,
      lastBackupAt: null,
    }
    return responseOf(200, JSON_TYPE, JSON.stringify(info))
  }

  async function inject(line: Line, url: URL, init: RequestInit): Promise<Response> {
    const method = init.method ?? 'GET'
    const payload = typeof init.body === 'string' ? init.body : undefined
    const asked = url.pathname + url.search
    // What is read now may be outdated when the answer is there.
    const answers = known
    const answer = method === 'GET' ? answers.get(asked) : undefined
    if (answer) return answer
    const reply = await server.app.inject({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any method will do
      method: method as 'GET',
      url: asked,
      headers: { ...headersOf(init), host: 'localhost:3000', cookie },
      ...(payload === undefined ? {} : { payload }),
    })
    const { statusCode: status, headers, payload: text } = reply
    const response = responseOf(status, headers, text)
    if (method === 'GET') answers.set(asked, response)
    else known = new Map()
    if (method !== 'GET' && status < 300) noteWrite(line, method, url, text)
    return response
  }

  function noteWrite(line: Line, method: string, { pathname }: URL, text: string): void {
    const documents = documentsIn(pathname, text)
    const [collection] = placeOf(pathname)
    network.noteWrite(line, { method, collection, documents })
  }
}

/** Returns the collection and the id of the document that a path names. */
function placeOf(path: string): readonly [collection: string, id: string] {
  const [, collection = '', id = ''] =
    /collections\/([^/]+)\/documents(?:\/(.+))?$/.exec(path) ?? []
  return [collection, id]
}

/** Returns the documents in the body of a request or of an answer. */
function documentsIn(path: string, text: string): Write['documents'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is there is read of it
  const body = (text === '' ? {} : JSON.parse(text)) as Body
  return (body.documents ?? [body]).map((document) => {
    const { log } = document.data ?? document
    const id = document.$id ?? document.documentId ?? placeOf(path)[1]
    return { id, log: log ?? null, document }
  })
}

/** A document, or a list of documents, as the SDK sends them and as the server answers. */
interface Body {
  readonly documents?: readonly Body[]
  readonly $id?: string
  readonly documentId?: string
  readonly data?: Body
  readonly log?: string | null
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns only the used parts of a response, because a whole one takes as long as the request. */
function responseOf(
  status: number,
  headers: Readonly<Record<string, string | string[] | number | undefined>>,
  text: string,
): Response {
  const response = {
    ok: status < 300,
    status,
    type: 'basic',
    headers: { get: (name: string) => headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => text,
    json: async (): Promise<unknown> => JSON.parse(text),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has what the SDK reads of a response
  return response as unknown as Response
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers))
}
