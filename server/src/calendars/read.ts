/** Reads the calendar of an address that a person has chosen. */
import * as http from 'node:http'
import type { IncomingMessage } from 'node:http'
import * as https from 'node:https'
import { VERSION } from '@stint/core/version.ts'
import { addressOf, isPublic, lookupOf, PrivateAddress } from '#webhooks/addresses.ts'
import type { ResolveName } from '#webhooks/names.ts'

/** How long a calendar may take, in milliseconds: less than a handler may, so that the reply says why. */
const MAX_ANSWER = 9000

/** The largest calendar, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024

/** What is at an address; null: nothing has changed since the ETag. */
export type FoundCalendar = { readonly text: string; readonly etag: string | null } | null

/** Thrown when an address has no calendar. */
export class NoCalendar extends Error {
  override readonly name = 'NoCalendar'
  readonly why: 'kind' | 'silent' | 'size' | 'status'
  /** The HTTP status; 0 without one. */
  readonly status: number

  constructor(why: NoCalendar['why'], status = 0) {
    super(`The address has no calendar: ${why}`)
    this.why = why
    this.status = status
  }
}

/**
 * Returns the URL of an address, of which `webcal:` means https; null if it is none that may be called: https, without a
 * user name, and no address that is not public.
 * @param allowsPrivate true: http and addresses that are not public too.
 */
export function calendarUrl(address: string, allowsPrivate: boolean): URL | null {
  const text = address.trim().replace(/^webcals?:/i, 'https:')
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return null
  if (allowsPrivate) return /^https?:$/.test(url.protocol) ? url : null
  const host = addressOf(url)
  return url.protocol === 'https:' && (host === null || isPublic(host)) ? url : null
}

/**
 * Reads a calendar. Redirects are not followed, and no compressed answer is asked for.
 * @param url of `calendarUrl`.
 * @param etag what the address answered before, or null.
 * @throws NoCalendar, and PrivateAddress if the name leads to an address that is not public.
 */
export async function readCalendar(
  url: URL,
  etag: string | null,
  resolveName: ResolveName,
  allowsPrivate: boolean,
): Promise<FoundCalendar> {
  try {
    const response = await responseOf(url, etag, resolveName, allowsPrivate)
    const { statusCode = 0, headers } = response
    if (statusCode === 304 && etag !== null) {
      response.destroy()
      return null
    }
    if (statusCode !== 200) {
      response.destroy()
      throw new NoCalendar('status', statusCode)
    }
    const text = await textOf(response)
    if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) throw new NoCalendar('kind')
    return { text, etag: headers.etag ?? null }
  } catch (error) {
    if (error instanceof NoCalendar || error instanceof PrivateAddress) throw error
    throw new NoCalendar('silent')
  }
}

function responseOf(
  url: URL,
  etag: string | null,
  resolveName: ResolveName,
  allowsPrivate: boolean,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent: false,
        signal: AbortSignal.timeout(MAX_ANSWER),
        lookup: lookupOf(resolveName, allowsPrivate),
        headers: {
          accept: 'text/calendar',
          'accept-encoding': 'identity',
          'user-agent': `Stint/${VERSION}`,
          ...(etag !== null && { 'if-none-match': etag }),
        },
      },
      resolve,
    )
    sent.on('error', reject)
    sent.on('close', () => reject(new Error('The connection was closed')))
    sent.end()
  })
}

/** @throws NoCalendar when there is more than may be. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    // Leaving the loop destroys the response.
    if (bytes > MAX_BYTES) throw new NoCalendar('size')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
