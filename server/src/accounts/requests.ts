/** What requests about accounts have in common. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { emailAddress, password } from '#http/params.ts'
import type { Visitor } from './sign-ins.ts'

/** The credentials of an account. */
export const CREDENTIALS = Type.Object({ email: emailAddress, password })

/** The headers of a sign-in. */
export const REMEMBER_HEADERS = Type.Object({
  'X-Stint-Remember': Type.Optional(
    Type.String({ description: '`no`: the session ends with the browser' }),
  ),
})

/** Returns the secret of an invitation that a request has; null: none. */
export function inviteIn(request: FastifyRequest): string | null {
  return headerText(request, 'x-stint-invite')
}

/** Returns what a header of ours says, at most 256 characters; null: nothing. */
export function headerText(request: FastifyRequest, name: string): string | null {
  const sent = request.headers[name]
  return typeof sent === 'string' && sent !== '' ? sent.slice(0, 256) : null
}

/** Returns the network address and the device of a request. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 512) }
}
