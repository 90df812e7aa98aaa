/** The routes that use mail: recovering a password and verifying an address. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { formerEmail } from '@stint/core/email-address.ts'
import { bestLanguage } from '@stint/core/text.ts'
import type { t as translate } from '@stint/core/text.ts'
import { textsIn } from '#catalogues.ts'
import { originOf } from '#config.ts'
import { ApiError, apiError, description } from '#errors.ts'
import { newId } from '#id.ts'
import { wireInstant } from '#instant.ts'
import type { Mailer } from '#mail/mailer.ts'
import { accepted, languageNamed } from '#http/language.ts'
import { emailAddress, existingId, password, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import type { Services } from '#services.ts'
import type { UserRow } from '#storage/schema.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import type { Limit } from '#http/throttle.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller.ts'
import { secretMail } from './mails.ts'
import { SECRET_LIFETIME } from './secrets.ts'
import { recover, requestRecovery, requestVerification, verify } from './service.ts'
import { TOKEN, wirePrefs, wireToken } from './wire.ts'

/** The parameters of a mailed link. */
const SECRET = { userId: existingId, secret: text(1, 256) }

/** Of a guess both say something, so both count as one. */
const WRONG_SECRET = new Set<ApiError['type']>(['user_invalid_token', 'user_not_found'])

/** Registers `/account/recovery` and `/account/verifications/email` under the prefix of `app`. */
export function registerMailRoutes(
  app: Routes,
  services: Services,
  { signedIn }: CallerHooks,
): void {
  const { config, now, throttle } = services
  const url = ownPage(new Set([...config.allowedOrigins, originOf(config.publicUrl)]))

  app.post(
    '/account/recovery',
    {
      preValidation: async () => void requireMailer(services.mailer),
      schema: {
        summary:
          'Mails a link that sets a new password; the same whether or not the address is known',
        body: Type.Object({ email: emailAddress, url }),
        response: { 201: TOKEN },
      },
    },
    async (request, reply) => {
      const mailer = requireMailer(services.mailer)
      const { email, url: page } = request.body
      await throttle.hit(reply, LIMITS.recoveryOfAddress, addressKey(request))
      // One counter for all spellings that lead to one account.
      await throttle.hit(reply, LIMITS.recoveryOfEmail, formerEmail(email))
      // The reply must not reveal who has an account: it is the same in both cases and does not
      // wait. The mailed secret has the same id and the same time of creation, so that both expire
      // together.
      const at = now()
      const id = newId(at)
      mailer.send(
        requestRecovery(services, email, id, at).then((found) => {
          logSecurityEvent(request, 'recovery-asked', found?.user.id ?? null)
          if (found === null) return null
          const { user, issued } = found
          return secretMail(user.email, page, issued, textsFor(user, request))
        }),
      )
      reply.code(201)
      return wireToken({
        id,
        user_id: '',
        created_at: wireInstant(at),
        expires_at: wireInstant(at + SECRET_LIFETIME),
      })
    },
  )

  app.put(
    '/account/recovery',
    {
      schema: {
        summary: 'Sets a new password by a mailed secret; every session, key and link ends',
        body: Type.Object({ ...SECRET, password }),
        response: { 200: TOKEN },
      },
    },
    async (request, reply) => {
      const { userId, secret, password } = request.body
      const token = await limitWrongSecrets(request, reply, LIMITS.recoveryTries, () =>
        recover(services, userId, secret, password),
      )
      logSecurityEvent(request, 'recovery-redeemed', token.user_id)
      return wireToken(token)
    },
  )

  for (const path of ['/account/verifications/email', '/account/verification']) {
    const deprecated = path === '/account/verification'
    app.post(
      path,
      {
        ...signedIn({
          summary: 'Mails a link that verifies the e-mail address',
          deprecated,
          body: Type.Object({ url }),
          response: { 201: TOKEN },
        }),
        preValidation: async () => void requireMailer(services.mailer),
      },
      async (request, reply) => {
        const { id } = callerOf(request).user
        const mailer = requireMailer(services.mailer)
        await throttle.hit(reply, LIMITS.verification, id)
        const { user, issued } = await requestVerification(services, id)
        const t = textsFor(user, request)
        mailer.send(secretMail(user.email, request.body.url, issued, t))
        reply.code(201)
        return wireToken(issued.token)
      },
    )

    app.put(
      path,
      {
        schema: {
          summary: 'Verifies the e-mail address by a mailed secret',
          deprecated,
          body: Type.Object(SECRET),
          response: { 200: TOKEN },
        },
      },
      async (request, reply) => {
        const { userId, secret } = request.body
        const token = await limitWrongSecrets(request, reply, LIMITS.verificationTries, () =>
          verify(services, userId, secret),
        )
        logSecurityEvent(request, 'email-verified', token.user_id)
        return wireToken(token)
      },
    )
  }

  /**
   * Counts wrong secrets by the caller's address. A right secret is never refused, so that nobody
   * can use up the tries of the person who got the mail.
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
      if (error instanceof ApiError && WRONG_SECRET.has(error.type)) {
        await throttle.hit(reply, limit, addressKey(request))
        logSecurityEvent(request, 'secret-refused', null, { limit: limit.name })
      }
      throw error
    }
  }
}

/** Returns the `t` of the account's language, else of the browser's. */
function textsFor(user: UserRow, request: FastifyRequest): typeof translate {
  const preferred = languageNamed(wirePrefs(user)['language'])
  return textsIn(preferred ?? bestLanguage(accepted(request.headers['accept-language'])))
}

/** @throws ApiError general_smtp_disabled when the server sends no mail. */
function requireMailer(mailer: Mailer | null): Mailer {
  if (mailer === null) throw apiError('general_smtp_disabled')
  return mailer
}

const MAX_PAGE = 2048

/**
 * A URL of the web app, that is, of these origins: a link in a mail must not lead anywhere else.
 */
function ownPage(origins: ReadonlySet<string | null>) {
  return Type.Refine(
    Type.String({ description: 'a page of ours', refusal: refusalOfPage }),
    (page) => page.length <= MAX_PAGE && origins.has(originOf(page)),
  )
}

function refusalOfPage(value: unknown): string {
  const page = typeof value === 'string' && value.length <= MAX_PAGE ? value : ''
  return originOf(page) === null
    ? description('uri')
    : description('uri_host', { host: new URL(page).hostname })
}
