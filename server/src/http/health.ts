/** Ping, health, and the information for the sign-in page. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import { answer, instant } from './answers.ts'
import type { Routes } from './params.ts'
import type { Services } from '#services.ts'
import { wireInstant } from '#instant.ts'
import { serviceUnavailable } from '#errors.ts'
import { requireProject } from './project.ts'
import { VERSION } from '@stint/core/version.ts'

/** Routes that need no project. */
const OPEN = { access: 'anyone' } as const

const PASS = { status: 'pass' } as const
const HEALTH = answer({ status: Type.Literal('pass') })

const INFO = answer({
  version: Type.String(),
  supportEmail: Type.String(),
  /** Whether the server sends mail. */
  recovery: Type.Boolean(),
  signup: Type.Enum(['open', 'closed']),
  serverTime: instant,
  /** When the server last backed up its database; null: it has no backup, or makes none. */
  lastBackupAt: Type.Union([instant, Type.Null()]),
})

/** Registers `/ping`, `/health…` and `/stint/info`. */
export function registerHealth(app: Routes, services: Services): void {
  const { db, config, now, isOverloaded, backupStatus } = services

  app.get(
    '/ping',
    {
      onRequest: requireProject,
      schema: { summary: 'Answers', response: { 200: Type.Literal('Pong!') } },
    },
    async (_request, reply) => {
      reply.type('text/plain; charset=utf-8')
      return 'Pong!' as const
    },
  )

  app.get(
    '/health',
    { config: OPEN, schema: { summary: '200 while the process lives', response: { 200: HEALTH } } },
    async () => PASS,
  )

  app.get(
    '/health/ready',
    {
      config: OPEN,
      schema: {
        summary: '200 when the database can be read and written and the server keeps up, else 503',
        response: { 200: HEALTH },
      },
    },
    async (request) => {
      try {
        if (isOverloaded()) throw new Error('There is too much to do')
        await db.check()
        return PASS
      } catch (error) {
        request.log.warn({ err: error }, 'not ready')
        throw serviceUnavailable()
      }
    },
  )

  app.get(
    '/health/version',
    {
      config: OPEN,
      schema: {
        summary: 'The version of the server',
        response: { 200: answer({ version: Type.String() }) },
      },
    },
    async () => ({ version: VERSION }),
  )

  app.get(
    '/stint/info',
    {
      config: OPEN,
      schema: { summary: 'What a page must know before anybody signs in', response: { 200: INFO } },
    },
    async () => {
      const { lastAt } = backupStatus()
      return {
        version: VERSION,
        supportEmail: config.supportEmail,
        recovery: config.smtpUrl !== null,
        signup: config.signup,
        serverTime: wireInstant(now()),
        lastBackupAt: lastAt === null ? null : wireInstant(lastAt),
      }
    },
  )
}
