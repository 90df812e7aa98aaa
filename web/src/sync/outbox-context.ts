/** What sending needs: where things are kept, whom to tell, and the clock. */
import type { Backend } from '#backend/backend.ts'

import type { LocalDb } from './local-db.ts'
import type { ChangedMeanwhile } from './outdated.ts'
import type { Pace } from './pace.ts'

export interface OutboxContext {
  readonly db: LocalDb
  readonly backend: Backend
  readonly device: string
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
  /** How fast entries are sent one by one. */
  readonly pace: Pace
}

/** While the outbox is drained. */
export interface Round extends OutboxContext {
  /** Sessions that were over before the backend heard of them: it need not hear of their end. */
  readonly neverSent: Set<string>
  /** What changed at the backend while edits waited; null until one is sent that has waited. */
  meanwhile: ChangedMeanwhile | null
}
