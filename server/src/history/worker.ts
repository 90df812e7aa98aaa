/** The thread of `histories.ts`. It has a connection of its own, and runs one read at a time. */
import type { FastifyError } from 'fastify'
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { RecordReader } from '#api/record.ts'
import { errorParts, toApiError } from '#errors.ts'
import type { ErrorParts } from '#errors.ts'
import { isPlainObject } from '#json.ts'
import { openReader } from '#storage/open.ts'
import type { DatabaseReader } from '#storage/database.ts'
import { runRead } from './reads.ts'
import type { Asked, ReadName } from './reads.ts'

export interface ReadRequest {
  readonly name: ReadName
  readonly owner: string
  /** What the read of that name takes. */
  readonly asked: Asked<ReadName>
}

/** The answer, a refusal of the catalogue, or what was thrown and is to be logged. */
export type ReadReply =
  | { readonly answer: unknown }
  | { readonly refused: ErrorParts }
  | { readonly thrown: unknown }

// A database that cannot be opened ends the thread, and the next read starts another one.
if (parentPort !== null) serve(parentPort, await openReader(String(workerData)))

function serve(port: MessagePort, db: DatabaseReader): void {
  port.on('message', (request: ReadRequest) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule about windows
    void reply(db, request).then((made) => port.postMessage(made, buffersIn(made)))
  })
}

async function reply(db: DatabaseReader, { name, owner, asked }: ReadRequest): Promise<ReadReply> {
  try {
    return { answer: await runRead(name, new RecordReader(db, owner), asked) }
  } catch (error) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify's type of what is thrown
    const known = toApiError(error as FastifyError)
    return known.type === 'general_server_error'
      ? { thrown: error }
      : { refused: errorParts(known) }
  }
}

/** Returns the memory of an answer's bytes, which is given away instead of copied. */
function buffersIn(made: ReadReply): ArrayBuffer[] {
  if (!('answer' in made) || !isPlainObject(made.answer)) return []
  return Object.values(made.answer).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  )
}
