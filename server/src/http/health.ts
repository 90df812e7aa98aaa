/** Ping, health, and the information for the sign-in page. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import type { BackupStatus } from '#backups/status.ts'
import { answer, instant } from './answers.ts'
import type { ProxyPerson } from './auth-proxy.ts'
import type { Routes } from './params.ts'
import type { Services } from '#services.ts'
import { wireInstant } from '#instant.ts'
import { serviceUnavailable } from '#errors.ts'
import { requireProject } from './project.ts'
import { relyingParty } from '#passkeys/relying-party.ts'
import { operatorCheck } from '#operator/access.ts'
import { VERSION } from '@stint/core/version.ts'

/** Routes that need no project. */
const OPEN = { access: 'anyone' } as const

const PASS = { status: 'pass' } as const
const HEALTH = answer({ status: Type.Literal('pass') })

const READY = answer({
  status: Type.Literal('pass'),
  backup: Type.Optional(
    answer({
      state: Type.Enum(['on', 'off', 'unavailable']),
      lastAt: Type.Union([instant, Type.Null()]),
      ageSeconds: Type.Union([Type.Integer(), Type.Null()]),
      bytes: Type.Union([Type.Integer(), Type.Null()]),
      problem: Type.Union([Type.String(), Type.Null()]),
      failures: Type.Integer(),
    }),
  ),
})

const INFO = answer({
  version: Type.String(),
  supportEmail: Type.String(),
  /** Whether the server sends mail. */
  recovery: Type.Boolean(),
  signup: Type.Enum(['open', 'invite', 'closed']),
  /** The name of the provider that signs people in; null: none. */
  provider: Type.Union([Type.String(), Type.Null()]),
  /** The proxy that signs people in; null: none. */
  proxy: Type.Union([
    answer({
      /** The e-mail address of the caller, whom it has signed in; null: nobody. */
      person: Type.Union([Type.String(), Type.Null()]),
      signOutUrl: Type.Union([Type.String(), Type.Null()]),
    }),
    Type.Null(),
  ]),
  /** The domain whose pages can sign in with passkeys; null: none. */
  passkeyDomain: Type.Union([Type.String(), Type.Null()]),
  serverTime: instant,
  /** When the server last backed up its database; null: it has no backup, or makes none. */
  lastBackupAt: Type.Union([instant, Type.Null()]),
})

/** Registers `/ping`, `/health…` and `/stint/info`. */
export function registerHealth(app: Routes, services: Services): void {
  const { db, config, now, isOverloaded, backupStatus, proxyPersonOf } = services
  const isOperator = operatorCheck(config)
  /** The check in progress. It writes, and anybody may ask, so all who ask meanwhile share it. */
  let check: Promise<void> | null = null

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
        summary:
          '200 when the database can be read and written and the server keeps up, else 503. `backup` is for the operator',
        response: { 200: READY },
      },
    },
    async (request) => {
      try {
        if (isOverloaded()) throw new Error('There is too much to do')
        check ??= db.check().finally(() => (check = null))
        await check
        return isOperator(request) ? { ...PASS, backup: wireBackup(backupStatus(), now()) } : PASS
      } catch (error) {
        request.log.warn({ err: error, reqId: request.id }, 'not ready')
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
    async (request) => {
      const { lastAt } = backupStatus()
      return {
        version: VERSION,
        supportEmail: config.supportEmail,
        recovery: config.smtpUrl !== null,
        signup: config.signup,
        provider: config.oidc?.name ?? null,
        proxy: config.authProxy && {
          person: emailOf(proxyPersonOf(request)),
          signOutUrl: config.authProxy.signOutUrl,
        },
        passkeyDomain: relyingParty(request, config)?.id ?? null,
        serverTime: wireInstant(now()),
        lastBackupAt: lastAt === null ? null : wireInstant(lastAt),
      }
    },
  )
}

/** Returns the backups as the operator sees them. */
function wireBackup(status: BackupStatus, now: number) {
  const { state, lastAt, lastBytes, problem, failures } = status
  return {
    state,
    lastAt: lastAt === null ? null : wireInstant(lastAt),
    ageSeconds: lastAt === null ? null : Math.round((now - lastAt) / 1000),
    bytes: lastBytes,
    problem,
    failures,
  }
}

function emailOf(person: ProxyPerson): string | null {
  return person.kind === 'person' ? person.email : null
}
