/**
 * The thread of slow reads. It runs one statement at a time on its own connection, each with a
 * timeout. Somebody waits while it starts, so it loads neither the builder of queries nor the schemas.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { connectReadOnly } from './read-only-connection.ts'
import { executor } from './statements.ts'

/** A statement that calls `stint_in_time()` for each row that it reads. */
export interface SlowReadRequest {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** The timeout. */
  readonly milliseconds: number
}

/** The rows, or the reason of the failure. */
export type SlowReadAnswer = { readonly rows: unknown[] } | { readonly failed: string }

class TooSlow extends Error {}

if (parentPort !== null) serve(parentPort)

function serve(port: NonNullable<typeof parentPort>): void {
  const connection = connectReadOnly(String(workerData))
  const run = executor(connection)
  let end = 0
  // Checks the time for each row, because SQLite cannot be interrupted from another thread.
  connection.function('stint_in_time', { deterministic: false }, () => {
    if (performance.now() > end) throw new TooSlow()
    return 1
  })
  port.on('message', ({ sql, parameters, milliseconds }: SlowReadRequest) => {
    end = performance.now() + milliseconds
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule about windows
    port.postMessage(answer(sql, parameters))
  })

  function answer(sql: string, parameters: readonly unknown[]): SlowReadAnswer {
    try {
      return { rows: run({ sql, parameters }) }
    } catch (error) {
      if (error instanceof TooSlow) return { failed: 'too slow' }
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
}
