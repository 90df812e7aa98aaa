/** How a call that changes something is carried out: once, in one transaction, and again if a device was faster. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Documents, OwnDocuments } from '#documents/service.ts'
import { ApiError } from '#errors.ts'
import type { Database } from '#storage/database.ts'
import { first } from '#storage/database.ts'
import { answeredOnce, answerOf, answerQuery, repeatableCall } from './idempotency.ts'
import type { StoredAnswer } from './idempotency.ts'
import type { Person } from './person.ts'

/** How often a call is tried when devices write at the same moment. */
const MAX_TRIES = 5

/** Makes the answer of a call in its transaction. It must await nothing but `own`, and may have to run again. */
export type Work<Answer> = (own: OwnDocuments) => Promise<Answer>

/**
 * Returns the function that carries out calls. It returns the text of the answer.
 * @param status of the answer.
 * @param prepare reads what the call needs, and returns its work. It does not run for a call that was answered before.
 */
export function writer(db: Database, documents: Documents) {
  return async function write(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    status: 200 | 201,
    prepare: () => Promise<Work<object>>,
  ): Promise<never> {
    const call = repeatableCall(request, person.keyId, person.now)
    const known = call && (await first(db.read(answerQuery(db.build, call))))
    const answer = call && known ? answerOf(call, known) : await carriedOut()
    reply.code(answer.status).type('application/json; charset=utf-8')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text of what the route answers
    return answer.body as never

    async function carriedOut(): Promise<StoredAnswer> {
      const work = await prepare()
      return together(documents, person.owner, (own) => {
        const make = async () => ({ status, body: JSON.stringify(await work(own)) })
        return call === null ? make() : answeredOnce(own.tx, call, make)
      })
    }
  }
}

/** Runs the work of a call in one transaction, and again if a device was faster. Throws what `work` throws. */
export async function together<Answer>(
  documents: Documents,
  owner: string,
  work: Work<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await documents.together(owner, work)
    } catch (error) {
      if (tries >= MAX_TRIES || !isInterrupted(error)) throw error
    }
  }
}

/** Returns whether a device has written at the same moment. The next try reads what it wrote. */
function isInterrupted(error: unknown): boolean {
  const types = ['document_update_conflict', 'document_already_exists']
  return error instanceof ApiError && types.includes(error.type)
}
