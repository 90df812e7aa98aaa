/** The calendar address: its settings for a signed-in person, and the calendar itself. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unbilledCategories } from '@stint/core/record/billable.ts'
import { filterText, MAX_FILTER_TEXT, savedFilters } from '@stint/core/record/saved-filters.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { isKnownTimeZone } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import { Type } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { wirePrefs } from '#accounts/wire.ts'
import { apiError, description, serviceUnavailable } from '#errors.ts'
import { answer, noContent, utcInstant } from '#http/answers.ts'
import { encoded } from '#http/compress.ts'
import { invalidParam } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import type { Histories } from '#history/histories.ts'
import { logSecurityEvent } from '#http/security-log.ts'
import { addressKey, LIMITS } from '#http/throttle.ts'
import { epochMilliseconds } from '#instant.ts'
import { oneAtATime } from '#one-at-a-time.ts'
import type { Services } from '#services.ts'
import type { FeedRow, UserRow } from '#storage/schema.ts'
import type { CalendarAsked } from './calendar.ts'
import * as feeds from './service.ts'

const SECRET = /^\/feed\/([\w-]{43})\.ics(?:\?|$)/

const FEED = answer({ createdAt: Type.Union([utcInstant, Type.Null()]) }, 'feed')
const CREATED_FEED = answer({ createdAt: utcInstant, path: Type.String() }, 'createdFeed')

/** Registers `/stint/feed` under the prefix of `app`. */
export function registerFeedSettings(
  app: Routes,
  services: Services,
  { signedIn }: CallerHooks,
): void {
  const { db } = services

  app.get(
    '/stint/feed',
    signedIn({
      summary: 'Since when there is a calendar address; null: there is none',
      response: { 200: FEED },
    }),
    async (request) => {
      const feed = await feeds.find(db, callerOf(request).user.id)
      return { createdAt: feed === undefined ? null : createdAt(feed) }
    },
  )

  app.put(
    '/stint/feed',
    signedIn(
      {
        summary: 'Creates the calendar address or replaces it; only this answer has it',
        response: { 200: CREATED_FEED },
      },
      LIMITS.keyChange,
    ),
    async (request) => {
      const caller = callerOf(request)
      const { feed, secret } = await feeds.replace(services, caller)
      logSecurityEvent(request, 'feed-created', caller.user.id)
      return { createdAt: createdAt(feed), path: `/feed/${secret}.ics` }
    },
  )

  app.delete(
    '/stint/feed',
    signedIn(
      { summary: 'Revokes the calendar address', response: { 204: noContent } },
      LIMITS.keyChange,
    ),
    async (request, reply) => {
      const { id } = callerOf(request).user
      if (await feeds.revoke(db, id)) logSecurityEvent(request, 'feed-revoked', id)
      reply.code(204)
    },
  )
}

/** Registers the calendars, at `/feed/<secret>.ics`. They ignore cookies. */
export function registerFeed(app: FastifyInstance, services: Services, histories: Histories): void {
  const { db, now, throttle, isOverloaded } = services
  const oneOfPerson = oneAtATime()

  app.get('/feed/*', async (request, reply) => {
    if (isOverloaded()) throw serviceUnavailable()
    const user = await ownerOf(request, reply)
    const { id } = user
    const asked = askedOf(request.url, user, now())
    throttle.hitPassing(reply, LIMITS.feedRead, id)
    await throttle.limitConcurrency(`feed ${id}`, () =>
      oneOfPerson(id, () => send(request, reply, id, asked)),
    )
    return reply
  })

  /** Resolves when the calendar is sent, so that one of a person is in memory at a time. */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    owner: string,
    asked: CalendarAsked,
  ): Promise<void> {
    const { file, hash } = await histories.read('calendar', owner, asked)
    const { headers } = request
    // Weak, as the compressed calendar has other bytes.
    const etag = `W/"${hash}"`
    reply
      .headers({ etag, 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' })
      .type('text/calendar; charset=utf-8')
    if (headers['if-none-match']?.includes(etag.slice(2)) === true) {
      void reply.code(304).send()
      return
    }
    // A file that is named after the address would keep the secret.
    reply.header('content-disposition', 'attachment; filename="stint.ics"')
    const body = await encoded(file, headers['accept-encoding'])
    if (body === null) void reply.send(file)
    else void reply.header('content-encoding', body.encoding).send(body.bytes)
    // A client that goes away ends it as well.
    await finished(reply.raw).catch(() => {})
  }

  /** @throws ApiError stint_feed_not_found, user_blocked, general_rate_limit_exceeded. */
  async function ownerOf(request: FastifyRequest, reply: FastifyReply): Promise<UserRow> {
    const [, secret] = SECRET.exec(request.url) ?? []
    const user = secret === undefined ? undefined : await feeds.ownerOf(db, secret)
    if (user?.active === true) return user
    if (user === undefined) await throttle.hit(reply, LIMITS.wrongKeys, addressKey(request))
    const error = apiError(user === undefined ? 'stint_feed_not_found' : 'user_blocked')
    logSecurityEvent(request, 'feed-refused', user?.id ?? null, { reason: error.type })
    throw error
  }
}

/**
 * Returns what an address asks for: `?filter=#acme` for a filter or the name of a saved one, whose days are those of
 * `&timeZone=Europe/Berlin`, of the settings, or of UTC.
 * @throws ApiError general_argument_invalid.
 */
function askedOf(url: string, user: UserRow, now: number): CalendarAsked {
  const query = new URLSearchParams(url.split('?', 2)[1])
  const text = query.get('filter') ?? ''
  if (text === '') return { now, filter: null }
  if (text.length > MAX_FILTER_TEXT)
    throw invalidParam('filter', description('text', { min: 0, max: MAX_FILTER_TEXT }))
  const prefs = wirePrefs(user)
  const { timeZone, dayStartHour, weekStart } = settingsFromPrefs(prefs)
  const zone = query.get('timeZone') ?? timeZone ?? 'UTC'
  if (!isKnownTimeZone(zone)) throw invalidParam('timeZone', description('time_zone'))
  const dayRule = dayRuleOf(zone, dayStartHour)
  const context = { now, dayRule, weekStart, unbilled: unbilledCategories(prefs) }
  const filter = parseFilter(filterText(text, savedFilters(prefs)), context)
  if (filter.problem !== null) throw invalidParam('filter', filter.problem)
  return { now, filter }
}

function createdAt({ created_at: stored }: FeedRow): string {
  return instantToWire(epochMilliseconds(stored))
}
