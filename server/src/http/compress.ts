/** Compression of long replies. */
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

/** Below this length, in characters, the headers would be as long as what is saved. */
const MIN_LENGTH = 2048

/** The fastest level of each: beyond it, time grows more than size falls. */
const ENCODERS = {
  zstd: (text: string) =>
    promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: (text: string) => promisify(gzip)(text, { level: 1 }),
} as const

export interface Encoded {
  readonly encoding: keyof typeof ENCODERS
  readonly bytes: Buffer
}

/**
 * The text in the best encoding that the client takes, made off the event loop.
 * @param accepted its Accept-Encoding header.
 * @returns null when it should be sent as it is.
 */
export async function encoded(text: string, accepted: string | undefined): Promise<Encoded | null> {
  if (text.length < MIN_LENGTH || accepted === undefined) return null
  const taken = acceptedEncodings(accepted)
  const encoding = taken.has('zstd') ? 'zstd' : taken.has('gzip') ? 'gzip' : null
  return encoding === null ? null : { encoding, bytes: await ENCODERS[encoding](text) }
}

/** The encodings a header names, but for those it refuses by `q=0`. */
export function acceptedEncodings(header: string): ReadonlySet<string> {
  const names = header.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    return parameters.some((each) => /^q=0(\.0*)?$/.test(each)) ? '' : name
  })
  return new Set(names)
}
