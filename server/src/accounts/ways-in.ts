/** The end of the ways into an account that were there before its owner proved who they are. */
import type { Transaction } from '#storage/database.ts'
import type { KeyRow } from '#storage/schema.ts'
import { remove as removeFeed } from '#feed/service.ts'
import { revokeAll } from '#keys/service.ts'
import { endAll as endChallenges } from '#passkeys/challenges.ts'
import { removeAll as removePasskeys } from '#passkeys/store.ts'
import { removeAll as removeProposals } from '#proposals/service.ts'
import * as identities from './identities.ts'
import * as secrets from './secrets.ts'
import * as signIns from './sign-ins.ts'

/** What has ended, for the account's devices to hear of. */
export interface EndedWaysIn {
  /** The ids of sign-ins. */
  readonly signIns: string[]
  readonly keys: KeyRow[]
}

/**
 * Ends the ways into an account, which must be locked: passkeys, links to other systems, keys with their webhooks, the calendar
 * address, what assistants propose, mailed secrets, and sign-ins. Its password is the caller's concern.
 * @param keeping the sign-in of an owner who has just typed the password. It stays, and so do other sign-ins by password;
 * those that began by a link or a passkey end with it. Without it, all sign-ins end.
 */
export async function endWaysIn(
  tx: Transaction,
  userId: string,
  keeping?: signIns.SignIn,
): Promise<EndedWaysIn> {
  await identities.unlinkAll(tx, userId)
  await endChallenges(tx, userId)
  await removePasskeys(tx, userId)
  await secrets.drop(tx, userId, 'recovery')
  await secrets.drop(tx, userId, 'verification')
  await removeFeed(tx, userId)
  await removeProposals(tx, userId)
  return {
    keys: await revokeAll(tx, userId),
    signIns: await signIns.end(tx, userId, keeping && { except: keeping.id, onlyExternal: true }),
  }
}
