/** Compression of long replies. */
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { accepted } from './language.ts'

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
 * @param header Accept-Encoding.
 * @returns null if the text should be sent uncompressed.
 */
export async function encoded(
  text: string | Uint8Array,
  header: string | undefined,
): Promise<Encoded | null> {
  if (text.length < MIN_LENGTH) return null
  const taken = accepted(header?.toLowerCase())
  const encoding = (['zstd', 'gzip'] as const).find((each) => taken.includes(each)) ?? null
  return encoding === null ? null : { encoding, bytes: await ENCODERS[encoding](text) }
}
