/** The quota of each user, which the configuration sets and the database enforces. */
import type { Database } from '#storage/database.ts'
import { first } from '#storage/database.ts'

/** Null: no bound. */
export interface Quota {
  readonly documents: number | null
  /** Bytes of the documents' JSON text, in UTF-8. */
  readonly bytes: number | null
}

/**
 * Makes the database refuse writes beyond `quota`, for all processes that share it. Documents
 * beyond a lowered quota are kept; they can be deleted, and changed if they do not grow.
 */
export async function applyQuota(db: Database, { documents, bytes }: Quota): Promise<void> {
  const { build } = db
  const before = await first(
    db.read(build.selectFrom('document_quota').selectAll().where('id', '=', 1)),
  )
  if (before?.documents === documents && before.bytes === bytes) return
  await db.write((tx) =>
    tx.run(build.updateTable('document_quota').set({ documents, bytes }).where('id', '=', 1)),
  )
}
