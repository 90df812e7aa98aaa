/** The realtime socket, `GET /v1/realtime`: who may open one. */
import fastifyWebsocket from '@fastify/websocket'
import { PROJECT_ID } from '@stint/core/collections.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessionValue } from '#accounts/cookie.ts'
import type { Caller } from '#accounts/sign-ins.ts'
import { apiError, rateLimitExceeded, sendError } from '#errors.ts'
import { noContent } from '#http/answers.ts'
import { mayUse } from '#http/auth-proxy.ts'
import type { ProxyPerson } from '#http/auth-proxy.ts'
import { originCheck, unknownOrigin } from '#http/origins.ts'
import { isPlainObject } from '#json.ts'
import type { Services } from '#services.ts'
import { addressKey } from '#http/throttle.ts'
import { Connection, refuseSocket } from './connection.ts'
import { realtimeError } from './errors.ts'
import type { RealtimeError } from './errors.ts'
import { createLedger } from './ledger.ts'

const SOCKET_OPTIONS = {
  /** Bytes of a message. */
  maxPayload: 65_536,
  /**
   * The largest number of fragments of a message, and of chunks in which it arrives: each takes
   * memory beyond its bytes.
   */
  maxFragments: 64,
  maxBufferedChunks: 1024,
  /** How long a client may take to confirm the closing of its socket, in milliseconds. */
  closeTimeout: 2000,
  perMessageDeflate: false,
}
const MAX_CONNECTIONS_PER_MINUTE = 128
/** An address that exceeds this gets no socket, only an HTTP reply. */
const MAX_ATTEMPTS_PER_MINUTE = 256
const MINUTE = 60_000

/** Registers the socket under the prefix of `app`. */
export async function registerRealtime(app: FastifyInstance, services: Services): Promise<void> {
  const { config, hub, now, proxyPersonOf, signIns, metrics } = services
  const isAllowed = originCheck(config)
  const ledger = createLedger(config.rateLimits)
  const attempts = attemptCounter(now)
  metrics.registry.gauge('stint_realtime_sockets', 'Open sockets.', () => ledger.total().sockets)

  await app.register(fastifyWebsocket, {
    options: SOCKET_OPTIONS,
    // The hub closes the sockets; the plugin would use another code.
    preClose: (done) => done(),
  })

  app.addHook('preClose', () => hub.shutDown())

  app.route({
    method: 'GET',
    url: '/realtime',
    config: { access: 'anyone' },
    schema: {
      summary: 'A WebSocket, `?project=stint`; the messages of the SDK',
      response: { 101: noContent },
    },
    handler: (_request, reply) => sendError(reply, apiError('general_route_not_found')),
    onRequest: (request, _reply, done) => {
      const isTooMany =
        config.rateLimits &&
        request.ws &&
        attempts.add(addressKey(request)) > MAX_ATTEMPTS_PER_MINUTE
      if (isTooMany) metrics.limitRefusals.with('realtime').add()
      done(isTooMany ? rateLimitExceeded(60) : undefined)
    },
    wsHandler: (socket, request) => {
      const refusal = refusalOf(request)
      if (refusal !== null) return refuseSocket(socket, refusal)
      const entry = ledger.open(addressKey(request))
      if (entry === null) return refuseSocket(socket, realtimeError('too_many_connections'))
      const person = proxyPersonOf(request)
      const session = person.kind === 'refused' ? null : sessionValue(request, services)
      const findCaller = callerFinder(person)
      return void new Connection({ socket, session, entry, hub, now, findCaller, log: request.log })
    },
  })

  function refusalOf(request: FastifyRequest): RealtimeError | null {
    if (projectOf(request) !== PROJECT_ID) return realtimeError('project')
    if (!isAllowed(request)) {
      const { message } = unknownOrigin(request.headers.origin ?? '')
      return realtimeError('origin', { message })
    }
    if (config.rateLimits && attempts.of(addressKey(request)) > MAX_CONNECTIONS_PER_MINUTE) {
      return realtimeError('too_many_requests')
    }
    return null
  }

  /** Returns the finder of callers for a socket of this person of the proxy. */
  function callerFinder(person: ProxyPerson) {
    return async (session: string | null): Promise<Caller | null> => {
      const found = session === null ? null : await signIns.find(session)
      return found?.user.active === true && mayUse(person, found) ? found : null
    }
  }
}

function projectOf(request: FastifyRequest): unknown {
  const query: unknown = request.query
  return (
    request.headers['x-appwrite-project'] ?? (isPlainObject(query) ? query['project'] : undefined)
  )
}

/** Counts the connection attempts of each address in the current minute. */
function attemptCounter(now: () => number) {
  let minute = 0
  let counts = new Map<string, number>()
  return {
    add(address: string): number {
      const current = Math.floor(now() / MINUTE)
      if (current !== minute) {
        minute = current
        counts = new Map()
      }
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      return count
    },
    of: (address: string): number => counts.get(address) ?? 0,
  }
}
