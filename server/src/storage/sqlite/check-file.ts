/** A thread that checks a whole SQLite file and posts whether it is intact. */
import { parentPort, workerData } from 'node:worker_threads'
import SqliteConnection from 'better-sqlite3'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule about windows
parentPort?.postMessage(isSound(String(workerData)))

function isSound(file: string): boolean {
  try {
    const connection = new SqliteConnection(file, { readonly: true })
    try {
      return connection.pragma('quick_check(1)', { simple: true }) === 'ok'
    } finally {
      connection.close()
    }
  } catch {
    return false
  }
}
