/** How much one person may keep: as the configuration says, held by the database itself. */
import type { Database } from '#storage/database.ts'
import { first } from '#storage/database.ts'

/** Null: no bound. */
export interface Quota {
  readonly documents: number | null
  /** Of the documents' JSON text, in UTF-8. */
  readonly bytes: number | null
}

/**
 * Lets the database refuse what goes beyond `quota` from now on, for all processes that share it. What is
 * beyond already stays, can be deleted, and can be changed as long as it does not grow.
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
