/**
 * A browser may keep a page that was left, so that Back shows it at once. WebKit keeps its
 * transactions as well: they never end, and every other page waits for them. A page that is kept
 * therefore ends its transactions and connections, and is loaded again when it is shown.
 */
import type { IDBPDatabase } from 'idb'

interface Transaction {
  readonly done: Promise<void>
  abort(): void
}

const transactions = new Set<Transaction>()
/** Weak, because a connection that was closed before stays in the set. */
const connections = new Set<WeakRef<IDBPDatabase>>()

/** Calls the handlers of this file for the whole life of the page. */
export function leavePageCache(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) return
    for (const transaction of transactions) abort(transaction)
    for (const connection of connections) connection.deref()?.close()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** Marks the transaction as one that a kept page aborts. A rejection of `done` counts as handled. */
export function endWithPage<T extends Transaction>(transaction: T): T {
  transactions.add(transaction)
  const forget = () => transactions.delete(transaction)
  transaction.done.then(forget, forget)
  return transaction
}

/** Marks the connection as one that a kept page closes. */
export function closeWithPage(connection: IDBPDatabase): IDBPDatabase {
  connections.add(new WeakRef(connection))
  return connection
}

/** Aborts the transaction if it has not ended. */
export function abort(transaction: Pick<Transaction, 'abort'>): void {
  try {
    transaction.abort()
  } catch {
    // The transaction has already ended.
  }
}
