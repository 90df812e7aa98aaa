/** The security log: events of accounts as JSON lines, which an operator can filter by `event`. */
import type { FastifyRequest } from 'fastify'
import { isIPv4 } from 'node:net'

export type SecurityEvent =
  | 'account-created'
  | 'account-blocked'
  | 'account-deleted'
  | 'sign-in'
  | 'sign-in-refused'
  | 'account-linked'
  | 'invite-refused'
  | 'proxy-header-refused'
  | 'limit-reached'
  | 'sign-out'
  | 'session-ended'
  | 'sessions-ended'
  | 'name-changed'
  | 'password-changed'
  | 'email-changed'
  | 'email-verified'
  | 'recovery-asked'
  | 'recovery-redeemed'
  | 'secret-refused'
  | 'passkey-added'
  | 'passkey-renamed'
  | 'passkey-removed'
  | 'proof-refused'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'key-created'
  | 'key-used'
  | 'key-revoked'
  | 'key-refused'
  | 'feed-created'
  | 'feed-revoked'
  | 'feed-refused'
  | 'webhook-created'
  | 'webhook-removed'
  | 'push-added'
  | 'push-removed'

/**
 * Logs one line with the event, the account (null: unknown), the request's id, and the caller's
 * network. The id is logged here because requests have no logger of their own unless the level is
 * `debug`. Complete addresses, e-mail addresses, names and secrets are never logged.
 */
export function logSecurityEvent(
  request: FastifyRequest,
  event: SecurityEvent,
  accountId: string | null,
  details: Readonly<Record<string, string>> = {},
): void {
  request.server.metrics.securityEvents.with(event).add()
  request.server.log.info(
    { event, accountId, reqId: request.id, network: networkOf(request.ip), ...details },
    'security',
  )
}

/**
 * Returns the network of an address: precise enough to recognise an attack, too broad to identify a
 * household.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return `${ip.split('.').slice(0, 3).join('.')}.0/24`
  const mapped = /^::ffff:(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)
  if (mapped !== null) return `${mapped[1]}.0/24`
  const [head = ''] = ip.split('::')
  const groups = [...head.split(':'), '0', '0', '0'].filter((group) => group !== '')
  return `${groups.slice(0, 3).join(':')}::/48`
}
