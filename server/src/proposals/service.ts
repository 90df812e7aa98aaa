/**
 * Changes that assistants propose, kept until their owner accepts or dismisses them in the app. Nothing here changes the
 * record. All queries of `proposals` are in this file.
 */
import type { ProposedChange } from '@stint/core/record/proposal.ts'
import { apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import { lockHolder } from '#keys/service.ts'
import type { KeyHolder } from '#keys/service.ts'
import type { Services } from '#services.ts'
import { first } from '#storage/database.ts'
import type { Transaction } from '#storage/database.ts'
import type { ProposalRow } from '#storage/schema.ts'

const MAX_PROPOSALS_PER_USER = 20

/** How long a proposal waits, in milliseconds. */
const KEPT_FOR = 30 * 86_400_000

type ProposalServices = Pick<Services, 'db' | 'now'>

/** Returns the user's proposals, oldest first. */
export function list({ db, now }: ProposalServices, userId: string): Promise<ProposalRow[]> {
  return db.read(
    db.build
      .selectFrom('proposals')
      .selectAll()
      .where('user_id', '=', userId)
      .where('created_at', '>', wireInstant(now() - KEPT_FOR))
      .orderBy('created_at')
      .orderBy('id'),
  )
}

/**
 * Stores a proposal, and deletes those that have expired. Returns its id.
 * @throws ApiError stint_quota_exceeded when twenty wait; what `lockHolder` throws.
 */
export async function create(
  { db, now }: ProposalServices,
  holder: KeyHolder,
  proposal: {
    readonly reason: string
    readonly changes: readonly ProposedChange[]
  },
): Promise<string> {
  const id = newId(now())
  const userId = holder.user.id
  await db.write(async (tx) => {
    // The lock makes two calls at once count each other's proposals.
    await lockHolder(tx, holder)
    await tx.run(
      tx.build
        .deleteFrom('proposals')
        .where('user_id', '=', userId)
        .where('created_at', '<=', wireInstant(now() - KEPT_FOR)),
    )
    const waiting = await tx.run(
      tx.build.selectFrom('proposals').select('id').where('user_id', '=', userId),
    )
    if (waiting.length >= MAX_PROPOSALS_PER_USER)
      throw apiError('stint_quota_exceeded.proposals', { max: MAX_PROPOSALS_PER_USER })
    await tx.run(
      tx.build.insertInto('proposals').values({
        id,
        user_id: userId,
        key_name: holder.key.name,
        reason: proposal.reason,
        changes: JSON.stringify(proposal.changes),
        created_at: wireInstant(now()),
      }),
    )
  })
  return id
}

/** Deletes all proposals of the user, which must be locked. */
export async function removeAll(tx: Transaction, userId: string): Promise<void> {
  await tx.run(tx.build.deleteFrom('proposals').where('user_id', '=', userId))
}

/** Deletes a proposal, accepted or not. @throws ApiError stint_proposal_not_found when the user has none with this id. */
export async function remove({ db }: ProposalServices, userId: string, id: string): Promise<void> {
  const proposal = await first(
    db.write((tx) =>
      tx.run(
        tx.build
          .deleteFrom('proposals')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning('id'),
      ),
    ),
  )
  if (proposal === undefined) throw apiError('stint_proposal_not_found')
}
