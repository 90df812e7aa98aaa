/** Checks the replies of a test server against the schemas of its routes. */
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { ERROR } from '@stint/server/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Validator } from 'typebox/compile'

/** The largest number of reported problems of one reply. */
const MAX_PROBLEMS = 3

const validators = new WeakMap<TSchema, Validator>()

/**
 * Checks every reply of the API of `app`. Call it before the app is ready.
 * @returns a list with a line for each reply that does not match its route.
 */
export function checkReplies(app: FastifyInstance): readonly string[] {
  const problems: string[] = []
  app.addHook('onSend', (request, reply, payload, done) => {
    const isOfApi = request.url.startsWith('/v1/') && !/^(?:HEAD|OPTIONS)$/.test(request.method)
    if (isOfApi) problems.push(...problemsOf(request, reply, payload))
    done()
  })
  return problems
}

function problemsOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): string[] {
  const what = `${request.method} ${request.url} answered ${reply.statusCode}`
  const schema = reply.statusCode >= 400 ? ERROR : describedAnswer(request, reply.statusCode)
  if (schema === undefined) return [`${what}, which its route does not describe`]
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  const value = valueOf(reply, payload)
  // To look for errors takes several times as long as to see that there is none.
  if (validator.Check(value)) return []
  return validator
    .Errors(value)
    .slice(0, MAX_PROBLEMS)
    .map(({ instancePath, message }) => `${what}, where ${instancePath || 'the body'} ${message}`)
}

function describedAnswer({ routeOptions }: FastifyRequest, status: number): TSchema | undefined {
  const answers: unknown = routeOptions.schema?.response
  const schema: unknown = Object.entries(answers ?? {}).find(([key]) => key === String(status))?.[1]
  return Type.IsSchema(schema) ? schema : undefined
}

function valueOf(reply: FastifyReply, payload: unknown): unknown {
  const text = Buffer.isBuffer(payload) ? plain(reply, payload).toString() : payload
  if (typeof text !== 'string' || text === '') return undefined
  return String(reply.getHeader('content-type')).includes('json') ? JSON.parse(text) : text
}

function plain(reply: FastifyReply, bytes: Buffer): Buffer {
  switch (reply.getHeader('content-encoding')) {
    case 'gzip':
      return gunzipSync(bytes)
    case 'zstd':
      return zstdDecompressSync(bytes)
    default:
      return bytes
  }
}
