/** Generates long histories for measurements. */
import { sql } from 'kysely'
import { COLLECTIONS } from '@stint/core/collections.ts'
import { documentBody } from '@stint/server/documents/document.ts'
import { wireInstant } from '@stint/server/instant.ts'
import { openDatabase } from '@stint/server/storage/open.ts'

/** The number of rows in one statement: both databases accept at most 32,766 values. */
const ROWS_OF_STATEMENT = 2000

const START = Date.UTC(2016, 0, 1)
const MINUTE = 60_000

/**
 * Adds entries of a user, from the `from`th to before the `to`th, one minute each since 2016, as
 * the server would have stored them. Their ids are `old0`, `old1` and so on. No server may have the
 * file open.
 */
export async function fillHistory(
  url: string,
  owner: string,
  from: number,
  to: number,
): Promise<void> {
  const db = await openDatabase(url, { exclusive: false })
  for (let start = from; start < to; start += ROWS_OF_STATEMENT) {
    const count = Math.min(ROWS_OF_STATEMENT, to - start)
    const rows = Array.from({ length: count }, (_, index) => rowOf(owner, start + index))
    await db.write((tx) =>
      tx.run(
        sql`insert into time_entries
          (owner, id, created_at, updated_at, body, task_id, start_time, end_time, entry_type, duration_seconds)
          values ${sql.join(rows)}`.compile(db.build),
      ),
    )
  }
  await db.close()
}

/** Every attribute of an entry, without a value. */
const NO_VALUES = Object.fromEntries(
  Object.keys(COLLECTIONS.time_entries).map((name) => [name, null] as const),
)

function rowOf(owner: string, number: number) {
  const id = `old${number}`
  const moment = wireInstant(START + number * MINUTE)
  const body = documentBody('time_entries', {
    id,
    createdAt: moment,
    updatedAt: moment,
    permissions: ['read', 'update', 'delete'].map((action) => `${action}("user:${owner}")`),
    attributes: {
      ...NO_VALUES,
      taskId: 'task',
      userId: owner,
      startTime: moment,
      endTime: moment,
      entryType: 'timer',
      durationSeconds: 0,
    },
  })
  const values = [owner, id, moment, moment, body, 'task', moment, moment, 'timer', 0]
  return sql`(${sql.join(values)})`
}
