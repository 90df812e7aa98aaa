/** The routes with which a signed-in person looks through what assistants propose. No key reads or accepts proposals. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { ProposedChange } from '@stint/core/record/proposal.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { answer, noContent, utcInstant } from '#http/answers.ts'
import { existingId } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { LIMITS } from '#http/throttle.ts'
import { epochMilliseconds } from '#instant.ts'
import type { Services } from '#services.ts'
import type { ProposalRow } from '#storage/schema.ts'
import * as proposals from './service.ts'

const TEXT_OR_NULL = Type.Union([Type.String(), Type.Null()])
const MOMENT_OR_NULL = Type.Union([
  Type.Integer({ description: 'epoch milliseconds' }),
  Type.Null(),
])

const PROPOSAL = answer(
  {
    id: Type.String(),
    keyName: Type.String({ description: 'the name of the key that proposed it' }),
    reason: Type.String(),
    createdAt: utcInstant,
    changes: Type.Array(
      answer(
        {
          kind: Type.Enum(['add', 'edit', 'delete']),
          id: TEXT_OR_NULL,
          seenAt: MOMENT_OR_NULL,
          taskId: TEXT_OR_NULL,
          newTask: TEXT_OR_NULL,
          startedAt: MOMENT_OR_NULL,
          endedAt: MOMENT_OR_NULL,
          note: TEXT_OR_NULL,
        },
        'proposedChange',
      ),
    ),
  },
  'proposal',
)
const PROPOSALS = answer({ proposals: Type.Array(PROPOSAL) }, 'proposalList')

/** Registers `/stint/proposals` under the prefix of `app`. */
export function registerProposals(
  app: Routes,
  services: Services,
  { signedIn }: CallerHooks,
): void {
  app.get(
    '/stint/proposals',
    signedIn(
      { summary: 'What assistants propose', response: { 200: PROPOSALS } },
      LIMITS.documentRead,
    ),
    async (request) => {
      const waiting = await proposals.list(services, callerOf(request).user.id)
      return { proposals: waiting.map(wireProposal) }
    },
  )

  app.delete(
    '/stint/proposals/:proposalId',
    signedIn(
      {
        summary: 'Ends a proposal, which its owner has accepted or dismissed',
        params: Type.Object({ proposalId: existingId }),
        response: { 204: noContent },
      },
      LIMITS.accountUpdate,
    ),
    async (request, reply) => {
      await proposals.remove(services, callerOf(request).user.id, request.params.proposalId)
      reply.code(204)
    },
  )
}

function wireProposal(row: ProposalRow): Static<typeof PROPOSAL> {
  const changes: ProposedChange[] = JSON.parse(row.changes)
  return {
    id: row.id,
    keyName: row.key_name,
    reason: row.reason,
    createdAt: instantToWire(epochMilliseconds(row.created_at)),
    changes,
  }
}
