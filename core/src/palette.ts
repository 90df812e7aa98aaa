/** Finding one of many by a few letters: the command palette. Pure; the screen says what there is. */

export interface Choice {
  /** What is shown, and read first. */
  readonly label: string
  /** Other words for it: 'log out' finds 'Sign out'. */
  readonly keywords?: string
}

/**
 * The choices that `text` may mean, best first; those that fit equally well keep their order, so
 * that what was used last stays on top. Case and accents do not matter. An empty text means all.
 */
export function bestChoices<T extends Choice>(choices: readonly T[], text: string): T[] {
  const wanted = folded(text)
  if (wanted === '') return [...choices]
  return choices
    .map((choice) => ({ choice, distance: distanceOf(choice, wanted) }))
    .filter(({ distance }) => distance < NO_MATCH)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ choice }) => choice)
}

const NO_MATCH = 100
/** What the label says itself comes before what only another word for it says. */
const BY_KEYWORD = 10

function distanceOf({ label, keywords = '' }: Choice, wanted: string): number {
  const byLabel = distance(folded(label), wanted)
  const words = keywords === '' ? NO_MATCH : distance(folded(keywords), wanted)
  // Letters strewn over a list of other words mean nothing.
  const byKeyword = words < SCATTERED ? words + BY_KEYWORD : NO_MATCH
  return Math.min(byLabel, byKeyword)
}

const SCATTERED = 6

/** 0 when it is meant for sure, more when less likely, NO_MATCH when it is not meant. */
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

/** How much longer than what was typed a stretch of the name may be that it stands for. */
const MAX_STRETCH = 2.5

/**
 * Whether it is what people type to save letters: the first ones of words that follow each other
 * ('wr' for 'Weekly review'), or a word with letters left out ('wrtrpt' for 'Write report').
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

/** How much of the beginning of `name` has the letters of `wanted` in order; null when they are not. */
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

/** Without case, accents and superfluous spaces; a dash or a slash parts words as a space does. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s/_\-–—:.,]+/gu, ' ')
    .trim()
}
