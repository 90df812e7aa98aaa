/** Backups of one user's documents, as rows of the database of a server in memory. */
import type { TestApp } from '@stint/testing/test-app.ts'

/** A row of the server's database. */
export type Row = Readonly<Record<string, unknown>>

const TABLES = ['tasks', 'timer_sessions', 'time_entries'] as const

export type Backup = Readonly<{ [T in (typeof TABLES)[number]]: readonly Row[] }>

/** Reads all documents of a user. */
export async function backUp({ db }: TestApp, owner: string): Promise<Backup> {
  const [tasks = [], timer_sessions = [], time_entries = []] = await Promise.all(
    TABLES.map((table) =>
      db.read<Row>(db.build.selectFrom(table).selectAll().where('owner', '=', owner)),
    ),
  )
  return { tasks, timer_sessions, time_entries }
}

/** Restores the documents of a user to the state of the backup. */
export async function restore({ db }: TestApp, owner: string, backup: Backup): Promise<void> {
  await db.write(async (transaction) => {
    for (const table of TABLES) {
      await transaction.run(transaction.build.deleteFrom(table).where('owner', '=', owner))
      for (const row of backup[table]) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of that table
        await transaction.run(transaction.build.insertInto(table).values(row as never))
      }
    }
  })
}
