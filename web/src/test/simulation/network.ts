/**
 * The network between each device and the real server in memory. Every request takes time and may
 * fail.
 */
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

import type { Random } from './random.ts'
import { createRequestJudge } from './requests.ts'
import type { SentDocument } from './requests.ts'
import type { VirtualTime } from './virtual-time.ts'

export type RequestFault = 'cut before' | 'cut after' | 'late' | 'die before' | 'die after'

export interface Line {
  /** Whether the device has a network. */
  isOnline: boolean
  /**
   * The faults of coming requests, by their place in the order of requests. 1 is the next request.
   */
  readonly faults: Map<number, RequestFault>
  readonly isOn: () => boolean
  /** Kills the device. Returns false when its faults were cancelled meanwhile; the request then goes on. */
  readonly die: () => boolean
}

/** A write that the server has accepted. */
export interface Write {
  readonly method: string
  readonly collection: string
  /** The documents as they are stored now, or the one that was deleted. */
  readonly documents: readonly (SentDocument & { readonly document: unknown })[]
}

export interface NetworkOptions {
  readonly server: TestApp
  readonly user: TestUser
  readonly time: VirtualTime
  readonly random: Random
  readonly onWrite: (from: Line, write: Write) => void
  readonly onRequest: (from: Line, said: string) => void
  /** Receives in words what no request may do. */
  readonly onViolation: (violation: string) => void
}

/**
 * The delay of a late answer. The device times out before the slowest ones arrive, and receives the
 * others.
 */
const LATE_MILLISECONDS = [5_500, 18_000] as const
const LATENCY_MILLISECONDS = [20, 150] as const

export interface Network {
  readonly connect: (host: string, line: Line) => void
  readonly fetch: typeof globalThis.fetch
  /** Forgets the known answers, because the server was changed without a request. */
  readonly forgetAnswers: () => void
}

/** Connects devices with the server, each under its own host. */
export function createNetwork(options: NetworkOptions): Network {
  const { server, user, time, random, onWrite, onRequest, onViolation } = options
  const lines = new Map<string, Line>()
  const requests = createRequestJudge(onViolation)
  /** The answers to reads since the last write, because the server takes a third of a run. */
  let known = new Map<string, Response>()
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  return {
    connect: (host, line) => void lines.set(host, line),
    fetch: receive,
    forgetAnswers: () => {
      requests.forget()
      known = new Map()
    },
  }

  function receive(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input)
    const line = lines.get(url.host)
    if (!line?.isOn()) return never()
    const fault = nextFault(line)
    if (!line.isOnline) return Promise.reject(cutOff())
    onRequest(
      line,
      `${init.method ?? 'GET'} ${url.pathname.slice(url.pathname.lastIndexOf('collections') + 12)} ${fault ?? ''}`,
    )
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const later = (work: () => void, milliseconds = random.between(...LATENCY_MILLISECONDS)) =>
      void time.schedule(() => {
        if (line.isOn()) work()
      }, milliseconds)
    if (typeof init.body === 'string') requests.sent(documentsIn(url.pathname, init.body))
    time.schedule(
      () => {
        // A request that left a dying device reaches the server, unless the request was cut.
        if (fault === 'die before' && line.isOn() && line.die()) return
        if (fault === 'cut before' || !line.isOnline) return later(() => reject(cutOff()))
        const end = time.begin()
        void (unchanging(url) ?? inject(line, url, init)).then((response) => {
          end()
          if (fault === 'die after' && line.isOn() && line.die()) return
          if (fault === 'cut after') return later(() => reject(cutOff()))
          const answer = () => (line.isOnline ? resolve(response) : reject(cutOff()))
          later(answer, fault === 'late' ? random.between(...LATE_MILLISECONDS) : undefined)
        })
      },
      random.between(...LATENCY_MILLISECONDS),
    )
    return promise
  }

  /**
   * Answers a request whose answer no press changes. Every refresh makes these requests, so a short
   * path saves time.
   */
  function unchanging({ pathname }: URL): Promise<Response> | null {
    if (pathname.endsWith('/account/prefs'))
      return Promise.resolve(responseOf(200, JSON_TYPE, '{}'))
    if (!pathname.endsWith('/stint/info')) return null
    const serverTime = new Date(time.now()).toISOString()
    const info = {
      version: '',
      supportEmail: '',
      recovery: false,
      signup: 'open',
      serverTime,
      lastBackupAt: null,
    }
    return Promise.resolve(responseOf(200, JSON_TYPE, JSON.stringify(info)))
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
    const [collection, id] = placeOf(pathname)
    if (method === 'DELETE') requests.forget(collection, id)
    else requests.stored(collection, documents)
    onWrite(line, { method, collection, documents })
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

function nextFault(line: Line): RequestFault | null {
  const faults = [...line.faults].map(([request, fault]) => [request - 1, fault] as const)
  line.faults.clear()
  let next: RequestFault | null = null
  for (const [request, fault] of faults) {
    if (request > 0) line.faults.set(request, fault)
    else next = fault
  }
  return next
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers))
}

function cutOff(): TypeError {
  return new TypeError('Failed to fetch')
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}
