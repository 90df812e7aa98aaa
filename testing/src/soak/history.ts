/** Long histories, for what is measured with them. */
import { sql } from 'kysely'
import { openDatabase } from '@stint/server/storage/open.ts'

/** Few enough that PostgreSQL is done within its time-out. */
const CHUNK = 5000

/**
 * Adds entries to a person's, the `from`th to before the `to`th, a minute each since 2016, as the server
 * would have stored them; their ids are `old0`, `old1` and so on. No server may have the file open.
 */
export async function fillHistory(
  url: string,
  owner: string,
  from: number,
  to: number,
): Promise<void> {
  const db = await openDatabase(url, { exclusive: false })
  const isSqlite = db.dialect.name === 'sqlite'
  const numbers = (first: number, last: number) =>
    isSqlite
      ? sql`with recursive numbers (n) as
          (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)})`
      : sql`with numbers (n) as (select generate_series(${sql.lit(first)}::bigint, ${sql.lit(last)}::bigint))`
  const at = isSqlite
    ? sql`strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 1451606400 + n * 60, 'unixepoch')`
    : sql`to_char(to_timestamp(1451606400 + n * 60) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"')`
  const permissions = ['read', 'update', 'delete'].map((action) => `${action}("user:${owner}")`)
  const body = [
    sql.lit(',"$id":"old'),
    sql`n`,
    sql.lit('","$createdAt":"'),
    sql`moment`,
    sql.lit('","$updatedAt":"'),
    sql`moment`,
    sql.lit(
      `","$permissions":${JSON.stringify(permissions)},"$databaseId":"stint","$collectionId":"time_entries","taskId":"task","userId":"${owner}","startTime":"`,
    ),
    sql`moment`,
    sql.lit('","endTime":"'),
    sql`moment`,
    sql.lit(
      '","entryType":"timer","durationSeconds":0,"date":null,"sessionId":null,"pauses":null,"note":null,"deletedAt":null}',
    ),
  ]
  for (let start = from; start < to; start += CHUNK) {
    await db.write((tx) =>
      tx.run(
        sql`insert into time_entries
          (owner, id, created_at, updated_at, body, task_id, start_time, end_time, entry_type, duration_seconds)
          ${numbers(start, Math.min(start + CHUNK, to) - 1)}
          select ${sql.lit(owner)}, 'old' || n, moment, moment, ${sql.join(body, sql` || `)},
            'task', moment, moment, 'timer', 0
          from (select n, ${at} as moment from numbers) as filled`.compile(db.build),
      ),
    )
  }
  await db.close()
}
