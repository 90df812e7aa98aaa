/**
 * Makes the server in memory answer like a real Appwrite where the two differ. A real Appwrite has
 * none of Stint's own routes. To a guest, a list is empty instead of refused, a document is
 * missing, and a write is 401 `user_unauthorized`. Creates are limited in windows that begin with
 * the minute.
 */
import { refusal } from '@stint/testing/appwrite-project.ts'
import type { Intercept } from '@stint/testing/test-app.ts'

const MINUTE = 60_000

export interface AppwriteOptions {
  /** Returns the server time in epoch milliseconds. */
  readonly now: () => number
  /** Creates in one minute. Unlimited by default. */
  readonly createsAMinute?: number
  /** Whether the browser shows the headers of the limit, which it does on the same origin only. */
  readonly showsHeaders?: boolean
}

export interface AppwriteAnswers {
  readonly intercept: Intercept
  /** Returns how many requests were refused by the limit. */
  readonly refusals: () => number
}

/** Returns the intercept and its count of refusals. */
export function likeAppwrite({
  now,
  createsAMinute = Number.POSITIVE_INFINITY,
  showsHeaders = false,
}: AppwriteOptions): AppwriteAnswers {
  let window = 0
  let creates = 0
  let refusals = 0

  return {
    refusals: () => refusals,
    async intercept(request, send) {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/v1/stint/')) {
        return refusal(404, 'general_route_not_found', 'Route not found.')
      }
      if (!pathname.startsWith('/v1/databases/')) return send()
      if (request.method === 'POST' && isOverLimit()) return tooMany()
      const response = await send()
      if (response.status !== 401) return response
      if (request.method !== 'GET') {
        const message = 'The current user is not authorized to perform the requested action.'
        return refusal(401, 'user_unauthorized', message)
      }
      if (pathname.endsWith('/documents')) return Response.json({ total: 0, documents: [] })
      const message = 'Document with the requested ID could not be found.'
      return refusal(404, 'document_not_found', message)
    },
  }

  function isOverLimit(): boolean {
    const current = Math.floor(now() / MINUTE)
    if (current !== window) creates = 0
    window = current
    creates += 1
    return creates > createsAMinute
  }

  function tooMany(): Response {
    refusals += 1
    const headers = {
      Date: new Date(now()).toUTCString(),
      'X-RateLimit-Limit': String(createsAMinute),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(((window + 1) * MINUTE) / 1000),
    }
    const message = 'Rate limit for the current endpoint has been exceeded.'
    return refusal(429, 'general_rate_limit_exceeded', message, showsHeaders ? headers : {})
  }
}
