/** Fuzzy search in a list of choices: for the palette, the typed line that starts a timer, and names in the API. */
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
  return searchOf(choices).find(text)
}

/** Choices that are folded once, to be searched for many texts. */
export interface Search<T> {
  /** Returns what `bestChoices` returns. */
  readonly find: (text: string) => T[]
  /**
   * Returns a bound on the work of `find`, before it is done: the characters of the labels that
   * have all letters of the text, times those of the text.
   */
  readonly effort: (text: string) => number
}

export function searchOf<T extends Choice>(choices: readonly T[]): Search<T> {
  const searched = choices.map((choice) => ({
    choice,
    label: nameOf(choice.label),
    keywords: choice.keywords === undefined ? null : nameOf(choice.keywords),
  }))
  return { find, effort }

  function find(text: string): T[] {
    const wanted = wantedOf(text)
    if (wanted === null) return [...choices]
    return searched
      .flatMap(({ choice, label, keywords }) => {
        const distance = distanceOf(label, keywords, wanted)
        return distance < NO_MATCH ? { choice, distance } : []
      })
      .toSorted((a, b) => a.distance - b.distance)
      .map(({ choice }) => choice)
  }

  function effort(text: string): number {
    const wanted = wantedOf(text)
    if (wanted === null) return 0
    const compared = searched.reduce(
      (sum, { label }) => (mayMatch(label, wanted) ? sum + label.words.length : sum),
      0,
    )
    return compared * wanted.text.length
  }
}

/** A name as it is searched. */
interface Name {
  /** Its words, folded, each after a space: ' write report'. */
  readonly words: string
  readonly letters: Letters
}

/** A typed text as it is searched for. */
interface Wanted {
  /** Folded, its words with single spaces between them. */
  readonly text: string
  /** The different words; empty if there are too many to look for each. */
  readonly words: readonly string[]
  /** The characters without spaces, by which it may abbreviate a name. */
  readonly characters: readonly string[]
  readonly letters: Letters
}

/** No name is as long. What is typed beyond it is ignored. */
const MAX_TYPED = 500
/** A text of more different words matches as a whole only. Longer texts are whole names. */
const MAX_WORDS = 10
/** Only so much of a name can be abbreviated. Looking for abbreviations takes the most time. */
const MAX_ABBREVIATED = 128

function nameOf(text: string): Name {
  const words = ` ${wordsOf(text)}`
  return { words, letters: lettersOf(words) }
}

function wantedOf(typed: string): Wanted | null {
  const text = wordsOf(typed.slice(0, MAX_TYPED))
  if (text === '') return null
  const words = [...new Set(text.split(' '))]
  return {
    text,
    words: words.length > MAX_WORDS ? [] : words,
    characters: Array.from(text.replaceAll(' ', '')),
    letters: lettersOf(text),
  }
}

/**
 * A set of characters: a bit for each, which some of them share. Nearly all names that do not match
 * lack a letter, and are told by it without a search.
 */
type Letters = number

function lettersOf(text: string): Letters {
  let letters = 0
  for (let index = 0; index < text.length; index++) letters |= 1 << (text.charCodeAt(index) & 31)
  // A space, which not every text has, shares its bit with others.
  return letters | 1
}

/** Returns whether the name has all letters that are wanted. */
function mayMatch({ letters }: Name, wanted: Wanted): boolean {
  return (letters & wanted.letters) === wanted.letters
}

const NO_MATCH = 100
/** Added to the distance of a keyword match, so that label matches come first. */
const BY_KEYWORD = 10

function distanceOf(label: Name, keywords: Name | null, wanted: Wanted): number {
  const byLabel = distance(label, wanted)
  const words = keywords === null ? NO_MATCH : distance(keywords, wanted)
  // Letters that are scattered over a list of keywords are no match.
  const byKeyword = words < SCATTERED ? words + BY_KEYWORD : NO_MATCH
  return Math.min(byLabel, byKeyword)
}

const SCATTERED = 6

/** Returns 0 for an exact match, more for a weaker one, and NO_MATCH if `wanted` does not match. */
function distance(searched: Name, wanted: Wanted): number {
  if (!mayMatch(searched, wanted)) return NO_MATCH
  const { words: name } = searched
  const { text, words, characters } = wanted
  const at = name.indexOf(` ${text}`)
  if (at === 0) return name.length === text.length + 1 ? 0 : 1
  if (at > 0) return 2
  const has = (part: string) => name.includes(part)
  if (words.length > 0 && words.every((word) => has(` ${word}`))) return 3
  if (has(text)) return 4
  if (words.length > 0 && words.every(has)) return 5
  return isShortFor(name.slice(0, MAX_ABBREVIATED), characters) ? SCATTERED : NO_MATCH
}

/** How many times longer than the typed text the matched stretch of a name may be. */
const MAX_STRETCH = 2.5

/**
 * Returns whether the characters abbreviate the name: by the first letters of consecutive words
 * ('wr' for 'Weekly review'), or by a word with letters left out ('wrtrpt' for 'Write report').
 */
function isShortFor(name: string, characters: readonly string[]): boolean {
  const wanted = characters.join('')
  if (initialsOf(name).includes(wanted)) return true
  const beginning = ` ${characters[0] ?? ''}`
  let word = name.indexOf(beginning)
  while (word >= 0) {
    const end = endOf(characters, name, word + 1)
    if (end === null) return false
    // From each word up to the last possible one, the characters end at the same place.
    const last = name.lastIndexOf(beginning, startOf(characters, name, end) - 1)
    if (end - (last + 1) <= wanted.length * MAX_STRETCH) return true
    word = name.indexOf(beginning, last + 1)
  }
  return false
}

function initialsOf(name: string): string {
  let initials = ''
  for (let space = 0; space >= 0; space = name.indexOf(' ', space + 1)) {
    initials += name.charAt(space + 1)
  }
  return initials
}

/** Returns where the characters end that follow in order from an index; null if they do not. */
function endOf(characters: readonly string[], name: string, from: number): number | null {
  let end = from
  for (const character of characters) {
    const at = name.indexOf(character, end)
    if (at < 0) return null
    end = at + character.length
  }
  return end
}

/** Returns the last index from which the characters follow in order and end at `end`. */
function startOf(characters: readonly string[], name: string, end: number): number {
  return characters.reduceRight(
    (start, character) => name.lastIndexOf(character, start - character.length),
    end,
  )
}

const SEPARATOR = /[/_\-–—:.,]/

/**
 * Returns the text without case, accents and superfluous spaces. A dash or a slash separates words
 * as a space does.
 */
export function wordsOf(text: string): string {
  const plain = folded(text)
  return (SEPARATOR.test(plain) ? plain.replaceAll(/[\s/_\-–—:.,]+/gu, ' ') : plain).trim()
}
