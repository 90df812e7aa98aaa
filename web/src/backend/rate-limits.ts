/**
 * Reads when a rate-limited server accepts the next request. The SDK drops the headers of an error
 * response, so `fetch` is wrapped to read them first.
 */
import type { RateLimit } from './errors.ts'

/**
 * Watches `fetch` for responses from addresses that begin with `endpoint`. Returns a function that
 * returns the limit of the last 429 response; null before the first, or when another origin hides its
 * headers.
 */
export function watchRateLimits(endpoint: string): () => RateLimit | null {
  let last: RateLimit | null = null
  const send = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await send(input, init)
    const url = input instanceof Request ? input.url : String(input)
    if (response.status === 429 && url.startsWith(endpoint)) last = rateLimitOf(response.headers)
    return response
  }
  return () => last
}

/** Reads `Retry-After` (seconds), else `X-RateLimit-Reset` (epoch seconds by the server's clock). */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const number = (name: string) => Number.parseInt(headers.get(name) ?? '', 10)
  const reset = number('X-RateLimit-Reset')
  const serverNow = Date.parse(headers.get('Date') ?? '')
  const untilReset = reset - Math.floor((Number.isNaN(serverNow) ? Date.now() : serverNow) / 1000)
  const seconds = [number('Retry-After'), untilReset].find((each) => !Number.isNaN(each))
  if (seconds === undefined) return null
  const limit = number('X-RateLimit-Limit')
  return { retryAfterSeconds: Math.max(1, seconds), limit: Number.isNaN(limit) ? null : limit }
}
