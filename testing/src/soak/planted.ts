/**
 * A server with the bug that the kill rounds must find: it replies before COMMIT. Only the test of
 * the kill rounds starts it.
 */
import { buildApp } from '@stint/server/app.ts'
import { readConfig } from '@stint/server/config.ts'
import type { Database, Transaction } from '@stint/server/storage/database.ts'
import { openDatabase } from '@stint/server/storage/open.ts'

/** Longer than a round, so that everything a round acknowledges is lost; in milliseconds. */
const COMMIT_AFTER = 400

const config = readConfig(process.env)
const db = await openDatabase(config.databaseUrl)
const app = await buildApp({ db: answeringEarly(db), config })
await app.listen({ host: config.host, port: config.port })

/** Runs the write for its result, returns that at once, and repeats the write later. */
function answeringEarly(real: Database): Database {
  return { ...real, write, autocommit: write }

  async function write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const statements: Parameters<Transaction['run']>[0][] = []
    let isTried = false
    let result: unknown
    await real
      .write(async (tx) => {
        // The work may run again.
        statements.length = 0
        result = await work({
          ...tx,
          run(query) {
            statements.push(query)
            return tx.run(query)
          },
        })
        isTried = true
        throw new Error('taken back')
      })
      .catch((error: unknown) => {
        if (!isTried) throw error
      })
    setTimeout(() => void repeat(statements), COMMIT_AFTER)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `work` gave
    return result as Result
  }

  function repeat(statements: readonly Parameters<Transaction['run']>[0][]): Promise<void> {
    return real
      .write(async (tx) => {
        for (const each of statements) await tx.run(each)
      })
      .catch(() => {})
  }
}
