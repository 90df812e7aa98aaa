/** What works by mail: recovering a password, proving an address. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '#config.ts'
import { first } from '#storage/database.ts'
import type { TokenRow } from '#storage/schema.ts'
import { ApiError, notSignedIn } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import type { Mail, Mailer } from '#mail/mailer.ts'
import { emailAddress, existingId, password, readParams, refuse, text } from '#http/params.ts'
import type { Validator } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import type { Limit } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { recoverPassword, verifyEmail } from './change.ts'
import { issueSecret, SECRET_LIFETIME, secretLink } from './secrets.ts'
import { lockUser } from './verified-write.ts'

const MAX_SECRET = 256

/** Registers `/account/recovery` and `/account/verifications/email` under the prefix of `app`. */
export function registerMailRoutes(
  app: FastifyInstance,
  services: Services,
  { requireUser }: CallerHooks,
): void {
  const { db, config, hub, now, throttle } = services
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
    // Nobody learns here who has an account: the answer is the same, and does not wait. The mailed
    // secret has the same id and is made as of the same moment, so both expire together.
    const at = now()
    const id = newId(at)
    mailer.send(recoveryMail(request, email, url, id, at))
    const expires = wireInstant(at + SECRET_LIFETIME)
    return reply.code(201).send(wireToken('', id, wireInstant(at), expires))
  })

  /** Null when nobody has the address, or not any more. */
  async function recoveryMail(
    request: FastifyRequest,
    email: string,
    url: string,
    id: string,
    at: number,
  ): Promise<Mail | null> {
    const found = await first(
      db.read(db.build.selectFrom('users').select('id').where('email', '=', email)),
    )
    const issued = await db.write(async (tx) => {
      const user = found && (await lockUser(tx, found.id))
      if (user?.email !== email || !user.active) return null
      return issueSecret(tx, user.id, 'recovery', at, { id })
    })
    logSecurityEvent(request, 'recovery-asked', issued?.token.user_id ?? null)
    if (issued === null) return null
    tellOfToken('recovery', 'create', issued.token)
    return {
      to: email,
      subject: 'Password Reset for Stint',
      text: [
        GREETING,
        'somebody, hopefully you, asked to reset your password for Stint. This link lets you choose a new one; it works once, within the next hour:',
        secretLink(url, issued),
        'If it was not you, ignore this mail: your password stays as it is.',
      ].join('\n\n'),
    }
  }

  app.put('/account/recovery', async (request, reply) => {
    const body = readParams(request.body, {
      userId: existingId,
      secret: text(1, MAX_SECRET),
      password,
    })
    const { token, ended, user } = await limitWrong(request, reply, LIMITS.recoveryTries, () =>
      recoverPassword(services, body.userId, body.secret, body.password),
    )
    tellOfToken('recovery', 'update', token)
    hub.sessionsEnded(user.id, ended)
    logSecurityEvent(request, 'recovery-redeemed', user.id)
    return tokenReply(token)
  })

  for (const path of ['/account/verifications/email', '/account/verification']) {
    app.post(path, { onRequest: requireUser }, async (request, reply) => {
      const { id } = callerOf(request).user
      const mailer = requireMailer(services.mailer)
      const { url } = readParams(request.body, { url: ownPage })
      await throttle.hit(reply, LIMITS.verification, id)
      const { email, issued } = await db.write(async (tx) => {
        const user = await lockUser(tx, id)
        if (user === undefined) throw notSignedIn()
        if (user.email_verified) throw new ApiError('user_email_already_verified')
        return { email: user.email, issued: await issueSecret(tx, id, 'verification', now()) }
      })
      mailer.send({
        to: email,
        subject: 'Account Verification for Stint',
        text: [
          GREETING,
          'this link confirms that the address is yours; it works once, within the next hour:',
          secretLink(url, issued),
        ].join('\n\n'),
      })
      tellOfToken('verification', 'create', issued.token)
      return reply.code(201).send(tokenReply(issued.token))
    })

    app.put(path, async (request, reply) => {
      const body = readParams(request.body, { userId: existingId, secret: text(1, MAX_SECRET) })
      const { token, user } = await limitWrong(request, reply, LIMITS.verificationTries, () =>
        verifyEmail(services, body.userId, body.secret),
      )
      logSecurityEvent(request, 'email-verified', user.id)
      tellOfToken('verification', 'update', token)
      return tokenReply(token)
    })
  }

  /**
   * Counts wrong secrets by the caller's address; a right one is never refused, so nobody can use up the
   * tries of whoever the mail was sent to.
   */
  async function limitWrong<Result>(
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

  /** Tells the devices of its owner that a token was sent or used; never its secret. */
  function tellOfToken(
    purpose: TokenRow['purpose'],
    action: 'create' | 'update',
    token: TokenRow,
  ): void {
    hub.accountChanged(token.user_id, `${purpose}.${token.id}.${action}`, tokenReply(token))
  }
}

/** Without a name: who signed up with the address may have been anybody, and chose what to be called. */
const GREETING = 'Hello,'

function requireMailer(mailer: Mailer | null): Mailer {
  if (mailer === null) throw new ApiError('general_smtp_disabled')
  return mailer
}

function tokenReply(token: TokenRow) {
  return wireToken(token.user_id, token.id, token.created_at, token.expires_at)
}

/** A token as the API shows it: without its secret, which only the mail has. */
function wireToken(userId: string, id: string, createdAt: string, expire: string) {
  return { $id: id, $createdAt: createdAt, userId, secret: '', expire, phrase: '' }
}
