/** The routes of what works by mail: recovering a password, proving an address. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '#config.ts'
import { ApiError, apiError } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import type { Mailer } from '#mail/mailer.ts'
import { emailAddress, existingId, password, readParams, refuse, text } from '#http/params.ts'
import type { Validator } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import type { Limit } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { recoveryMail, verificationMail } from './mails.ts'
import { SECRET_LIFETIME } from './secrets.ts'
import { recover, requestRecovery, requestVerification, verify } from './service.ts'
import { wireToken } from './wire.ts'

const MAX_SECRET = 256

/** Registers `/account/recovery` and `/account/verifications/email` under the prefix of `app`. */
export function registerMailRoutes(
  app: FastifyInstance,
  services: Services,
  { requireUser }: CallerHooks,
): void {
  const { config, now, throttle } = services
  const origins = new Set([...config.allowedOrigins, originOf(config.publicUrl)])
  /** A page of ours: a link in a mail must not lead anywhere else. */
  const ownPage: Validator<string> = (value) => {
    const page = typeof value === 'string' && value.length <= 2048 ? value : ''
    const origin = originOf(page)
    if (origin === null) return refuse('Invalid URI.')
    if (origins.has(origin)) return page
    return refuse(
      `Invalid URI. Register your new client (${new URL(page).hostname}) as a new Web platform on your project console dashboard`,
    )
  }

  app.post('/account/recovery', async (request, reply) => {
    const mailer = requireMailer(services.mailer)
    const { email, url } = readParams(request.body, { email: emailAddress, url: ownPage })
    await throttle.hit(reply, LIMITS.recoveryOfAddress, addressKey(request))
    await throttle.hit(reply, LIMITS.recoveryOfEmail, email)
    // Nobody learns here who has an account: the reply is the same, and does not wait. The mailed
    // secret has the same id and is made as of the same moment, so both expire together.
    const at = now()
    const id = newId(at)
    mailer.send(
      requestRecovery(services, email, id, at).then((issued) => {
        logSecurityEvent(request, 'recovery-asked', issued?.token.user_id ?? null)
        return issued && recoveryMail(email, url, issued)
      }),
    )
    return reply.code(201).send(
      wireToken({
        id,
        user_id: '',
        created_at: wireInstant(at),
        expires_at: wireInstant(at + SECRET_LIFETIME),
      }),
    )
  })

  app.put('/account/recovery', async (request, reply) => {
    const body = readParams(request.body, {
      userId: existingId,
      secret: text(1, MAX_SECRET),
      password,
    })
    const token = await limitWrongSecrets(request, reply, LIMITS.recoveryTries, () =>
      recover(services, body.userId, body.secret, body.password),
    )
    logSecurityEvent(request, 'recovery-redeemed', token.user_id)
    return wireToken(token)
  })

  for (const path of ['/account/verifications/email', '/account/verification']) {
    app.post(path, { onRequest: requireUser }, async (request, reply) => {
      const { id } = callerOf(request).user
      const mailer = requireMailer(services.mailer)
      const { url } = readParams(request.body, { url: ownPage })
      await throttle.hit(reply, LIMITS.verification, id)
      const { email, issued } = await requestVerification(services, id)
      mailer.send(verificationMail(email, url, issued))
      return reply.code(201).send(wireToken(issued.token))
    })

    app.put(path, async (request, reply) => {
      const body = readParams(request.body, { userId: existingId, secret: text(1, MAX_SECRET) })
      const token = await limitWrongSecrets(request, reply, LIMITS.verificationTries, () =>
        verify(services, body.userId, body.secret),
      )
      logSecurityEvent(request, 'email-verified', token.user_id)
      return wireToken(token)
    })
  }

  /**
   * Counts wrong secrets by the caller's address; a right one is never refused, so nobody can use up the
   * tries of whoever the mail was sent to.
   */
  async function limitWrongSecrets<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    limit: Limit,
    redeem: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await redeem()
    } catch (error) {
      if (error instanceof ApiError && error.type === 'user_invalid_token') {
        await throttle.hit(reply, limit, addressKey(request))
        logSecurityEvent(request, 'secret-refused', null, { limit: limit.name })
      }
      throw error
    }
  }
}

/** @throws ApiError general_smtp_disabled when the server sends no mail. */
function requireMailer(mailer: Mailer | null): Mailer {
  if (mailer === null) throw apiError('general_smtp_disabled')
  return mailer
}
