/** Text as searches compare it. */

const BEYOND_ASCII = /[\u0080-\uffff]/
const UNEVEN_SPACE = /\s\s|[^\S ]/

/**
 * Returns the text without case and accents, and with single spaces between words. A part of a text
 * is also a part of its folded text.
 */
export function folded(text: string): string {
  const lower = BEYOND_ASCII.test(text)
    ? // Greek writes a sigma at the end of a word differently.
      text
        .normalize('NFKD')
        .replaceAll(/\p{Mark}/gu, '')
        .toLowerCase()
        .replaceAll('ς', 'σ')
    : text.toLowerCase()
  return UNEVEN_SPACE.test(lower) ? lower.replaceAll(/\s+/g, ' ') : lower
}
