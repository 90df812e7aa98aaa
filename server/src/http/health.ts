/** Ping, health and what the sign-in page must know before anyone signs in. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import type { FastifyInstance } from 'fastify'
import type { Services } from '#services.ts'
import { wireInstant } from '#instant.ts'
import { serviceUnavailable } from '#errors.ts'
import { requireProject } from './project.ts'
import { VERSION } from '@stint/core/version.ts'

/** Registers `/ping`, `/health…` and `/stint/info`. */
export function registerHealth(
  app: FastifyInstance,
  { db, config, now, isOverloaded }: Services,
): void {
  app.get('/ping', { onRequest: requireProject }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Pong!'),
  )

  app.get('/health', async () => ({ status: 'pass' }))

  app.get('/health/ready', async (request) => {
    try {
      if (isOverloaded()) throw new Error('There is too much to do')
      await db.check()
      return { status: 'pass' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      throw serviceUnavailable()
    }
  })

  app.get('/health/version', async () => ({ version: VERSION }))

  app.get('/stint/info', async () => ({
    version: VERSION,
    supportEmail: config.supportEmail,
    recovery: config.smtpUrl !== null,
    signup: config.signup,
    serverTime: wireInstant(now()),
  }))
}
