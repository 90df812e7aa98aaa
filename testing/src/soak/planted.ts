/**
 * A server with the bug that the kill rounds must find: it replies to entries before COMMIT, which
 * then never comes. Only the test of the kill rounds starts it.
 */
import { buildApp } from '@stint/server/app.ts'
import { readConfig } from '@stint/server/config.ts'
import type { Database, Transaction } from '@stint/server/storage/database.ts'
import { openDatabase } from '@stint/server/storage/open.ts'

const config = readConfig(process.env)
const db = await openDatabase(config.databaseUrl)
const app = await buildApp({ db: answeringEarly(db), config })
await app.listen({ host: config.host, port: config.port })

/** Runs each write for its result, and takes back those of entries. */
function answeringEarly(real: Database): Database {
  return { ...real, write, autocommit: write }

  async function write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let isTakenBack = false
    let result: unknown
    await real
      .write(async (tx) => {
        let isOfEntries = false
        result = await work({
          ...tx,
          run(query) {
            const { sql } = 'sql' in query ? query : query.compile()
            isOfEntries ||= sql.includes('time_entries')
            return tx.run(query)
          },
        })
        isTakenBack = isOfEntries
        if (isTakenBack) throw new Error('taken back')
      })
      .catch((error: unknown) => {
        if (!isTakenBack) throw error
      })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `work` gave
    return result as Result
  }
}
