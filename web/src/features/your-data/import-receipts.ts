/** The receipts of imports, which stay in Data on this device. */
import { isFields } from '@stint/core/guards.ts'
import type { ImportStatement } from '@stint/core/transfer/import-statement.ts'
import { createStore } from '#record/create-store.ts'
import { IMPORTS_KEY } from '#session/personal-keys.ts'

export interface ImportReceipt {
  readonly account: string
  /** Epoch milliseconds of server time. */
  readonly at: number
  /** The name of the file. */
  readonly name: string
  /** The type of the file, for people. */
  readonly label: string
  readonly sessions: number
  readonly statement: ImportStatement
  /** The first id of what it made, and how many ids it took: see `import-ids.ts`. */
  readonly firstId: string
  readonly ids: number
  readonly isUndone: boolean
  /** False while it is saved: then it was interrupted. */
  readonly isComplete: boolean
  /** The ids of the deleted tasks that it restored. */
  readonly restored: readonly string[]
}

const MAX_RECEIPTS = 20
/** How long an import can be undone. */
const UNDO_MILLISECONDS = 30 * 86_400_000

/** Changes with every receipt of this tab. */
export const receiptChanges = createStore(0)

/** Returns the receipts of the account, the newest first. */
export function receiptsOf(account: string): readonly ImportReceipt[] {
  return stored().filter((receipt) => receipt.account === account)
}

export function canUndo({ at, isUndone }: ImportReceipt, now: number): boolean {
  return !isUndone && now < at + UNDO_MILLISECONDS
}

/** Keeps a receipt, in the place of an earlier one of the same import. */
export function keepReceipt(receipt: ImportReceipt): void {
  const others = stored().filter(({ firstId }) => firstId !== receipt.firstId)
  const all = [receipt, ...others].toSorted((a, b) => b.at - a.at).slice(0, MAX_RECEIPTS)
  try {
    localStorage.setItem(IMPORTS_KEY, JSON.stringify(all))
  } catch {
    // Without storage, the import is done all the same.
  }
  receiptChanges.set(receiptChanges.get() + 1)
}

function stored(): readonly ImportReceipt[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(IMPORTS_KEY) ?? '[]')
    return Array.isArray(list) ? list.filter(isReceipt) : []
  } catch {
    return []
  }
}

function isReceipt(value: unknown): value is ImportReceipt {
  return (
    isFields(value) &&
    typeof value['firstId'] === 'string' &&
    typeof value['at'] === 'number' &&
    isFields(value['statement'])
  )
}
