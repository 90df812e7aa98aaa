/** A server in memory that is put back to an earlier state, as from a backup of its database. */
import type { TestApp } from '@stint/testing/test-app.ts'

/** Backs up all tasks and entries; what is returned puts them back, and all since is gone. */
export async function backUp({ db }: TestApp): Promise<() => Promise<void>> {
  const tasks = await db.read(db.build.selectFrom('tasks').selectAll())
  const entries = await db.read(db.build.selectFrom('time_entries').selectAll())
  return () =>
    db.write(async (tx) => {
      await tx.run(tx.build.deleteFrom('tasks'))
      await tx.run(tx.build.deleteFrom('time_entries'))
      for (const row of tasks) await tx.run(tx.build.insertInto('tasks').values(row))
      for (const row of entries) await tx.run(tx.build.insertInto('time_entries').values(row))
    })
}
