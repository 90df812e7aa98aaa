/** The one way to change an account. */
import type { Transaction } from '#storage/database.ts'
import type { Services } from '#services.ts'

/** A transaction of `writeAccount`; rows of accounts and sign-ins are changed in no other. */
export interface AccountTransaction {
  readonly tx: Transaction
  /** The account it may change. */
  readonly userId: string
}

/**
 * Runs `work` in a transaction that may change this account and its sign-ins, and resolves after the commit.
 * Cached callers become invalid by `Transaction.changeAccounts`, without which nothing of an account changes.
 * @throws what `work` or `Database.write` throws; then nothing is kept.
 */
export function writeAccount<Result>(
  { db }: Pick<Services, 'db'>,
  userId: string,
  work: (account: AccountTransaction) => Promise<Result>,
): Promise<Result> {
  return db.write((tx) => work({ tx, userId }))
}
