/** What the routes work with; `buildApp` puts it together once. */
import type { PasswordHasher } from '#accounts/password-hash.ts'
import type { SignIns } from '#accounts/sign-in-cache.ts'
import type { Database } from '#storage/database.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Hub } from '#realtime/hub.ts'
import type { Config } from './config.ts'
import type { Throttle } from '#http/throttle.ts'

export interface Services {
  readonly db: Database
  readonly config: Config
  /** Epoch milliseconds; tests hold it still. */
  readonly now: () => number
  readonly passwords: PasswordHasher
  /** Finds who calls, for requests and sockets alike. */
  readonly signIns: SignIns
  readonly hub: Hub
  readonly throttle: Throttle
  /** Null: no mail can be sent. */
  readonly mailer: Mailer | null
  /** Whether the server refuses requests because there is too much to do. */
  readonly isOverloaded: () => boolean
}
