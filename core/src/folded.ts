/** Text as searches compare it. */

const BEYOND_ASCII = /[\u0080-\uffff]/
/** Signs that stand for a whole phrase, of up to 18 letters, and the abbreviations of these. */
const PHRASES: Readonly<Record<string, string>> = { '\ufdfa': 'صلعم', '\ufdfb': 'جل' }
const PHRASE = /[\ufdfa\ufdfb]/g
const UNEVEN_SPACE = /\s\s|[^\S ]/

/**
 * Returns the text without case and accents, and with single spaces between words. A part of a text
 * is also a part of its folded text.
 */
export function folded(text: string): string {
  const lower = BEYOND_ASCII.test(text)
    ? // Greek writes a sigma at the end of a word differently.
      text
        .replaceAll(PHRASE, (sign) => PHRASES[sign] ?? sign)
        .normalize('NFKD')
        .replaceAll(/\p{Mark}/gu, '')
        .toLowerCase()
        .replaceAll('ς', 'σ')
    : text.toLowerCase()
  return UNEVEN_SPACE.test(lower) ? lower.replaceAll(/\s+/g, ' ') : lower
}
