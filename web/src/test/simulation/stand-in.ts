/**
 * A stand-in of the server and of the SDK: the calls of a device reach `answerCall` through the network. It costs a
 * tenth of the real ones, and a schedule ends on it as on them (`simulation.test.ts`).
 */
import type { Backend, ServerTimeSample } from '#backend/backend.ts'
import { BackendError, fromRequest } from '#backend/errors.ts'

import { answerCall, backendOf, EMPTY_SERVER } from '../stand-in-server.ts'
import type { Answer, Call, StandInDocument } from '../stand-in-server.ts'
import type { Line, Network, Write } from './network.ts'
import type { SentDocument } from './requests.ts'
import type { Server } from './servers.ts'

/** When the SDK in front of the real server gives a call up. */
const CALL_TIMEOUT_MILLISECONDS = 15_000
const METHODS = {
  list: 'GET',
  create: 'POST',
  update: 'PATCH',
  delete: 'DELETE',
  save: 'PUT',
} as const

const INFO = {
  version: '',
  supportEmail: '',
  recovery: false,
  signup: 'open',
  provider: null,
  proxy: null,
  passkeyDomain: null,
  lastBackupAt: null,
} as const

/** Returns an empty server of one user, with the network of that user's devices. */
export function standInServer(userId: string, network: Network): Server {
  const { time } = network
  const $permissions = [`read("user:${userId}")`]
  let server = EMPTY_SERVER

  return {
    userId,
    backendFor,
    async addTask(name) {
      const data = { name, userId }
      answer({ method: 'create', collection: 'tasks', id: name, data })
    },
    async backUp() {
      const backup = server
      return async () => void (server = backup)
    },
    async rows() {
      const { timer_sessions, time_entries } = server
      return {
        sessions: Object.values(timer_sessions).map(rowOf),
        entries: Object.values(time_entries).map(rowOf),
      }
    },
  }

  function backendFor(host: string, onServerTime: (sample: ServerTimeSample) => void): Backend {
    const ask = async (call: Call) =>
      inTime(() => network.request(host, askedBy(call), async (from) => answerTo(from, call)))
    const backend = backendOf(userId, ask)
    return {
      ...backend,
      async list(collection, options) {
        const page = await backend.list(collection, options)
        return { ...page, documents: page.documents.map((each) => ({ ...each, $permissions })) }
      },
      async create(collection, id, data) {
        const sentAt = Date.now()
        const document = await backend.create(collection, id, data)
        const serverTime = Date.parse(document.$updatedAt)
        onServerTime({ serverTime, sentAt, receivedAt: Date.now() })
        return document
      },
      update: async (...input) => ({ ...(await backend.update(...input)), $permissions }),
      prefs: async () =>
        inTime(() => network.request(host, { said: 'GET account/prefs' }, async () => ({}))),
      currentUser: async () =>
        inTime(() => network.request(host, { said: 'GET account' }, () => backend.currentUser())),
      async serverInfo() {
        const sentAt = Date.now()
        const info = await inTime(() =>
          network.request(host, { said: 'GET stint/info' }, async () => ({
            ...INFO,
            serverTime: time.now(),
          })),
        )
        onServerTime({ serverTime: info.serverTime, sentAt, receivedAt: Date.now() })
        return info
      },
    }
  }

  /** Answers a call that has arrived. */
  function answerTo(from: Line, call: Call): unknown {
    const answered = answer(call)
    if (!answered.ok) throw new BackendError(answered.error, `Refused: ${answered.error}`)
    if (call.method !== 'list') network.noteWrite(from, writeOf(call, answered.value, $permissions))
    return answered.value
  }

  function answer(call: Call): Answer {
    const step = answerCall(server, call, time.now())
    server = step.server
    return step.answer
  }
}

/** Makes a call, and gives it up as the SDK does. Rejects with BackendError. */
async function inTime<T>(request: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new BackendError('unreachable', 'The server took too long to respond')),
    CALL_TIMEOUT_MILLISECONDS,
  )
  try {
    return await Promise.race([request(), promise])
  } catch (error) {
    throw fromRequest(error)
  } finally {
    clearTimeout(timer)
  }
}

function askedBy(call: Call) {
  const id = call.method === 'update' || call.method === 'delete' ? `/${call.id}` : ''
  const said = `${METHODS[call.method]} ${call.collection}/documents${id}`
  return { said, documents: sentBy(call) }
}

function sentBy(call: Call): readonly SentDocument[] {
  if (call.method === 'save')
    return call.documents.map(({ id, data }) => ({ id, log: logIn(data) }))
  return 'data' in call ? [{ id: call.id, log: logIn(call.data) }] : []
}

function writeOf(call: Call, value: unknown, $permissions: string[]): Write {
  const { method, collection } = call
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer to a write has its documents
  const answered = (Array.isArray(value) ? value : [value]) as StandInDocument[]
  const documents =
    'id' in call && method === 'delete'
      ? [{ id: call.id, log: null, document: {} }]
      : answered.map((each) => ({
          id: each.$id,
          log: logIn(each),
          document: { ...each, $permissions },
        }))
  return { method: METHODS[method], collection, documents }
}

function logIn(data: Readonly<Record<string, unknown>>): string | null {
  const log = data['log']
  return typeof log === 'string' ? log : null
}

/** Returns a document as the real server stores it. */
function rowOf(document: StandInDocument): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name.replace('$', '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}
