/** What works by mail: recovering a password, proving an address (contract 4.2). */
import type { FastifyInstance } from 'fastify'
import { originOf } from '#config.ts'
import { first } from '#db/database.ts'
import type { TokenRow } from '#db/schema.ts'
import { ApiError } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import type { Mail, Mailer } from '#mail/mailer.ts'
import { emailAddress, existingId, password, readParams, refuse, text } from '#params.ts'
import type { Validator } from '#params.ts'
import type { Services } from '#services.ts'
import { addressKey, LIMITS } from '#throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { recoverPassword, verifyEmail } from './change.ts'
import { issueSecret, secretLink } from './secrets.ts'

const MAX_SECRET = 256

/** Registers `/account/recovery` and `/account/verifications/email` under the prefix of `app`. */
export function registerMailRoutes(
  app: FastifyInstance,
  services: Services,
  { requireUser }: CallerHooks,
): void {
  const { db, config, hub, now, throttle } = services
  const origins = new Set([...config.allowedOrigins, originOf(config.publicUrl)])
  /** A page of ours: a link in a mail must not lead anywhere else (reliability W8). */
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
    await throttle.hit(reply, LIMITS.recoveryOfAddress, addressKey(request))
    const mailer = requireMailer(services.mailer)
    const { email, url } = readParams(request.body, { email: emailAddress, url: ownPage })
    await throttle.hit(reply, LIMITS.recoveryOfEmail, email)
    // Nobody learns here who has an account: the answer is the same, and does not wait.
    mailer.send(recoveryMail(email, url))
    const expires = wireInstant(now() + 3_600_000)
    return reply.code(201).send(wireToken('', newId(now()), wireInstant(now()), expires))
  })

  /** Null when nobody has the address. */
  async function recoveryMail(email: string, url: string): Promise<Mail | null> {
    const user = await first(
      db.read(db.build.selectFrom('users').selectAll().where('email', '=', email)),
    )
    if (user === undefined || !user.active) return null
    const issued = await db.write((tx) => issueSecret(tx, db, user.id, 'recovery', now()))
    tellOfToken('recovery', 'create', issued.token)
    return {
      to: user.email,
      subject: 'Password Reset for Stint',
      text: [
        `Hello ${user.name || user.email},`,
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
    await throttle.hit(reply, LIMITS.recoveryTries, body.userId)
    const { token, ended, user } = await recoverPassword(
      services,
      body.userId,
      body.secret,
      body.password,
    )
    tellOfToken('recovery', 'update', token)
    hub.sessionsEnded(user.id, ended)
    request.log.info({ userId: user.id }, 'password recovered')
    return tokenReply(token)
  })

  for (const path of ['/account/verifications/email', '/account/verification']) {
    app.post(path, { onRequest: requireUser }, async (request, reply) => {
      const { user } = callerOf(request)
      await throttle.hit(reply, LIMITS.verification, user.id)
      const mailer = requireMailer(services.mailer)
      const { url } = readParams(request.body, { url: ownPage })
      if (user.email_verified) throw new ApiError('user_email_already_verified')
      const issued = await db.write((tx) => issueSecret(tx, db, user.id, 'verification', now()))
      mailer.send({
        to: user.email,
        subject: 'Account Verification for Stint',
        text: [
          `Hello ${user.name || user.email},`,
          'this link confirms that the address is yours; it works once, within the next hour:',
          secretLink(url, issued),
        ].join('\n\n'),
      })
      tellOfToken('verification', 'create', issued.token)
      return reply.code(201).send(tokenReply(issued.token))
    })

    app.put(path, async (request, reply) => {
      const body = readParams(request.body, { userId: existingId, secret: text(1, MAX_SECRET) })
      await throttle.hit(reply, LIMITS.verification, `put ${body.userId}`)
      const { token } = await verifyEmail(services, body.userId, body.secret)
      tellOfToken('verification', 'update', token)
      return tokenReply(token)
    })
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
