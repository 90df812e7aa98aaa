/** What the routes work with; `buildApp` puts it together once. */
import type { PasswordHasher } from '#account/password-hash.ts'
import type { Database } from '#db/database.ts'
import type { Hub } from '#realtime/hub.ts'
import type { Config } from './config.ts'

export interface Services {
  readonly db: Database
  readonly config: Config
  /** Epoch milliseconds; tests hold it still. */
  readonly now: () => number
  readonly passwords: PasswordHasher
  readonly hub: Hub
}
