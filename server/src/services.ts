/** The services that routes use; `buildApp` creates them once. */
import type { BackupStatus } from '#backups/status.ts'
import type { FastifyRequest } from 'fastify'
import type { PasswordHasher } from '#accounts/password-hash.ts'
import type { SignIns } from '#accounts/sign-in-cache.ts'
import type { Database } from '#storage/database.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Hub } from '#realtime/hub.ts'
import type { Metrics } from '#operator/metrics.ts'
import type { Config } from './config.ts'
import type { ProxyPerson } from '#http/auth-proxy.ts'
import type { Throttle } from '#http/throttle.ts'

export interface Services {
  readonly db: Database
  readonly config: Config
  /** The clock, epoch milliseconds; tests stop it. */
  readonly now: () => number
  readonly passwords: PasswordHasher
  /** Finds the caller of requests and sockets. */
  readonly signIns: SignIns
  readonly hub: Hub
  readonly throttle: Throttle
  /** Reads the person whom the proxy in front has signed in. */
  readonly proxyPersonOf: (request: FastifyRequest) => ProxyPerson
  /** Null: no mail can be sent. */
  readonly mailer: Mailer | null
  readonly metrics: Metrics
  readonly backupStatus: () => BackupStatus
  /** Returns whether the server refuses requests because it is overloaded. */
  readonly isOverloaded: () => boolean
}
