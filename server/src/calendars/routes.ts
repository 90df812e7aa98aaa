/** The route that reads a calendar for a page, which cannot read what is on other hosts. */
/* oxlint-disable oxc/no-async-endpoint-handlers -- a rule about Express; Fastify awaits them */
import { Type } from 'typebox'
import { callerOf } from '#accounts/caller.ts'
import type { CallerHooks } from '#accounts/caller.ts'
import { apiError, description, rateLimitExceeded, serviceUnavailable } from '#errors.ts'
import type { ApiError } from '#errors.ts'
import { answer } from '#http/answers.ts'
import { invalidParam, optional, text } from '#http/params.ts'
import type { Routes } from '#http/params.ts'
import { LIMITS } from '#http/throttle.ts'
import type { Services } from '#services.ts'
import { PrivateAddress } from '#webhooks/addresses.ts'
import type { ResolveName } from '#webhooks/names.ts'
import { calendarUrl, NoCalendar, readCalendar } from './read.ts'

/** How many calendars are read at once in a process, and for one person. Each read ends within ten seconds. */
const MAX_READS = 20
const MAX_READS_OF_ONE = 2

const CALENDAR = answer(
  {
    text: Type.Union([Type.String(), Type.Null()], { description: 'null: not changed' }),
    etag: Type.Union([Type.String(), Type.Null()]),
  },
  'calendar',
)

/** Registers `/stint/calendars/read` under the prefix of `app`. Nothing of a calendar is stored or logged. */
export function registerCalendars(
  app: Routes,
  { config, throttle }: Services,
  resolveName: ResolveName,
  { signedIn }: CallerHooks,
): void {
  const { webhooksAllowPrivate: allowsPrivate } = config
  const reading: string[] = []

  app.post(
    '/stint/calendars/read',
    signedIn(
      {
        summary: 'Reads the calendar at an address, at most once in 15 minutes, and stores nothing',
        body: Type.Object({ url: text(1, 2048), etag: optional(text(1, 256)) }),
        response: { 200: CALENDAR },
      },
      LIMITS.calendarRead,
    ),
    async (request, reply) => {
      if (!config.readsCalendars) throw apiError('stint_calendars_off')
      const { id } = callerOf(request).user
      const url = calendarUrl(request.body.url, allowsPrivate)
      const etag = request.body.etag ?? null
      if (url === null || (etag !== null && !/^[\x20-\x7e]+$/.test(etag))) throw wrongAddress()
      if (reading.filter((each) => each === id).length >= MAX_READS_OF_ONE)
        throw rateLimitExceeded(5)
      if (reading.length >= MAX_READS) throw serviceUnavailable()
      throttle.hitPassing(reply, LIMITS.calendarAddress, `${id} ${url.href}`)
      reading.push(id)
      try {
        const found = await readCalendar(url, etag, resolveName, allowsPrivate)
        return found ?? { text: null, etag }
      } catch (error) {
        throw refusalOf(error)
      } finally {
        reading.splice(reading.indexOf(id), 1)
      }
    },
  )
}

function wrongAddress(): ApiError {
  return invalidParam('url', description('webhook_url'))
}

function refusalOf(error: unknown): unknown {
  if (error instanceof PrivateAddress) return wrongAddress()
  if (!(error instanceof NoCalendar)) return error
  switch (error.why) {
    case 'kind':
      return apiError('stint_calendar_unreadable.kind')
    case 'silent':
      return apiError('stint_calendar_unreadable')
    case 'size':
      return apiError('stint_calendar_unreadable.size')
    case 'status':
      return apiError('stint_calendar_unreadable.status', { status: error.status })
  }
}
