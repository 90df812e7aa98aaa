/** Fuzzy search for the command palette. The screen passes in the choices. */
import { folded } from './folded.ts'

export interface Choice {
  /** The text that is shown. It is matched before the keywords. */
  readonly label: string
  /** Other words to find it by: 'log out' finds 'Sign out'. */
  readonly keywords?: string
}

/**
 * Returns the choices that `text` may mean, best first. Choices that match equally well keep their
 * order, so that recently used ones stay on top. Case and accents are ignored. An empty text
 * matches all.
 */
export function bestChoices<T extends Choice>(choices: readonly T[], text: string): T[] {
  const wanted = wordsOf(text)
  if (wanted === '') return [...choices]
  return choices
    .map((choice) => ({ choice, distance: distanceOf(choice, wanted) }))
    .filter(({ distance }) => distance < NO_MATCH)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ choice }) => choice)
}

const NO_MATCH = 100
/** Added to the distance of a keyword match, so that label matches come first. */
const BY_KEYWORD = 10

function distanceOf({ label, keywords = '' }: Choice, wanted: string): number {
  const byLabel = distance(wordsOf(label), wanted)
  const words = keywords === '' ? NO_MATCH : distance(wordsOf(keywords), wanted)
  // Letters that are scattered over a list of keywords are no match.
  const byKeyword = words < SCATTERED ? words + BY_KEYWORD : NO_MATCH
  return Math.min(byLabel, byKeyword)
}

const SCATTERED = 6

/** Returns 0 for an exact match, more for a weaker one, and NO_MATCH if `wanted` does not match. */
function distance(name: string, wanted: string): number {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (name.includes(` ${wanted}`)) return 2
  const words = name.split(' ')
  const typed = wanted.split(' ')
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return 3
  if (name.includes(wanted)) return 4
  if (typed.every((part) => name.includes(part))) return 5
  return isShortFor(name, wanted.replaceAll(' ', '')) ? SCATTERED : NO_MATCH
}

/** How many times longer than the typed text the matched stretch of a name may be. */
const MAX_STRETCH = 2.5

/**
 * Returns whether `wanted` abbreviates the name: by the first letters of consecutive words ('wr'
 * for 'Weekly review'), or by a word with letters left out ('wrtrpt' for 'Write report').
 */
function isShortFor(name: string, wanted: string): boolean {
  const words = name.split(' ')
  if (
    words
      .map((word) => word.slice(0, 1))
      .join('')
      .includes(wanted)
  )
    return true
  return words.some((_, index) => {
    const length = stretchOf(words.slice(index).join(' '), wanted)
    return length !== null && length <= wanted.length * MAX_STRETCH
  })
}

/**
 * Returns how many characters from the beginning of `name` contain the letters of `wanted` in
 * order; null if they are not in order.
 */
function stretchOf(name: string, wanted: string): number | null {
  if (name.slice(0, 1) !== wanted.slice(0, 1)) return null
  let from = 0
  for (const letter of wanted) {
    const at = name.indexOf(letter, from)
    if (at < 0) return null
    from = at + letter.length
  }
  return from
}

/**
 * Returns the text without case, accents and superfluous spaces. A dash or a slash separates words
 * as a space does.
 */
export function wordsOf(text: string): string {
  return folded(text)
    .replaceAll(/[\s/_\-–—:.,]+/gu, ' ')
    .trim()
}
