/** Compression of long replies. */
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

/**
 * Shorter replies are not compressed, in characters: the headers would take as much as compression
 * saves.
 */
const MIN_LENGTH = 2048

/** The fastest level of each encoding: at higher levels, time grows more than size falls. */
const ENCODERS = {
  zstd: (text: string | Uint8Array) =>
    promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: (text: string | Uint8Array) => promisify(gzip)(text, { level: 1 }),
} as const

export interface Encoded {
  readonly encoding: keyof typeof ENCODERS
  readonly bytes: Buffer
}

/**
 * Returns the text in the best encoding that the client accepts, compressed off the event loop.
 * @param accepted the Accept-Encoding header.
 * @returns null if the text should be sent uncompressed.
 */
export async function encoded(
  text: string | Uint8Array,
  accepted: string | undefined,
): Promise<Encoded | null> {
  if (text.length < MIN_LENGTH || accepted === undefined) return null
  const taken = acceptedEncodings(accepted)
  const encoding = taken.has('zstd') ? 'zstd' : taken.has('gzip') ? 'gzip' : null
  return encoding === null ? null : { encoding, bytes: await ENCODERS[encoding](text) }
}

/** Returns the encodings that a header names, without those it refuses by `q=0`. */
export function acceptedEncodings(header: string): ReadonlySet<string> {
  const names = header.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    return parameters.some((each) => /^q=0(\.0*)?$/.test(each)) ? '' : name
  })
  return new Set(names)
}
