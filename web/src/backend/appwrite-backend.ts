/** The Backend on top of the official `appwrite` SDK. */
import type { Backend, ServerInfo, ServerTimeSample } from './backend.ts'
import type { BackendConfig } from './config.ts'
import { call, connect, fieldsOf, NO_ROUTE, notTheBackend } from './connection.ts'
import type { Connection } from './connection.ts'
import { documentCalls } from './document-calls.ts'
import { accountRequests, signInCalls } from './sign-in-calls.ts'
import { subscriptions } from './subscription.ts'

const SIGNUP_POLICIES = ['open', 'invite', 'closed'] as const

/**
 * Creates a Backend for `config`. `onServerTime` receives a sample of the server's clock with each
 * response that carries one.
 */
export function createAppwriteBackend(
  config: BackendConfig,
  onServerTime: (sample: ServerTimeSample) => void = () => undefined,
): Backend {
  const connection = connect(config, onServerTime)
  return {
    ownServer: config.ownServer,
    serverInfo: () => serverInfo(connection),
    ...signInCalls(connection),
    ...accountRequests(connection),
    ...documentCalls(connection),
    ...subscriptions(connection),
  }
}

async function serverInfo(connection: Connection): Promise<ServerInfo | null> {
  if (!connection.hasOwnRoutes) return null
  const sentAt = Date.now()
  const answer = await call(async () => {
    const response = await fetch(`${connection.config.endpoint}/stint/info`, {
      headers: { 'X-Appwrite-Project': connection.config.projectId },
      cache: 'no-store',
    })
    const fields = fieldsOf(await response.json())
    connection.hasOwnRoutes = fields.get('type') !== NO_ROUTE
    if (!response.ok && connection.hasOwnRoutes) throw notTheBackend()
    return fields
  })
  if (!connection.hasOwnRoutes) return null
  const info = serverInfoFrom(answer)
  const { serverTime } = info
  if (serverTime !== null) connection.onServerTime({ serverTime, sentAt, receivedAt: Date.now() })
  return info
}

function serverInfoFrom(answer: ReadonlyMap<string, unknown>): ServerInfo {
  const version = answer.get('version')
  const supportEmail = answer.get('supportEmail')
  const serverTime = Date.parse(String(answer.get('serverTime')))
  const lastBackupAt = Date.parse(String(answer.get('lastBackupAt')))
  return {
    version: typeof version === 'string' ? version : '',
    supportEmail: typeof supportEmail === 'string' ? supportEmail : '',
    recovery: answer.get('recovery') === true,
    signup: SIGNUP_POLICIES.find((each) => each === answer.get('signup')) ?? 'open',
    provider: textOrNull(answer.get('provider')),
    proxy: proxyFrom(answer.get('proxy')),
    passkeyDomain: textOrNull(answer.get('passkeyDomain')),
    serverTime: Number.isNaN(serverTime) ? null : serverTime,
    lastBackupAt: !Number.isNaN(lastBackupAt)
      ? lastBackupAt
      : answer.get('lastBackupAt') === null
        ? 'none'
        : null,
  }
}

function proxyFrom(value: unknown): ServerInfo['proxy'] {
  if (typeof value !== 'object' || value === null) return null
  const fields = new Map(Object.entries(value))
  const signOutUrl = textOrNull(fields.get('signOutUrl'))
  return { person: textOrNull(fields.get('person')), signOutUrl }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
