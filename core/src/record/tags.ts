/**
 * Tags are words in notes that begin with '#': 'call with Ann #acme'. There is no list of tags; a
 * tag exists while a note has it. Case does not distinguish two tags.
 */

/**
 * How many tags of a note count, the first ones. Nobody writes as many, and a report looks at every
 * tag of a history.
 */
export const MAX_TAGS = 20

/** A '#' at the start of a word, then letters, digits, '-' and '_', with one letter at least. */
const TAG = /(?<![^\s(,;])#(?=[\p{N}_-]*\p{L})([\p{L}\p{M}\p{N}_-]+)/gu

/** Marks of no letter, as emoji have them. */
const STRAY_MARKS = /(?<![\p{L}\p{M}])\p{M}+/gu

const NOT_IN_A_TAG = /[^\p{L}\p{M}\p{N}_-]+/gu

/** Returns the tags of a note without '#', as written, each once and in order. */
export function tagsOf(note: string | null): readonly string[] {
  return [...tagsByKey(note).values()]
}

const NO_TAGS: ReadonlyMap<string, string> = new Map()

/** Returns the same by their keys. */
export function tagsByKey(note: string | null): ReadonlyMap<string, string> {
  // Most notes have no tag, and a report asks about each of them.
  if (!note?.includes('#')) return NO_TAGS
  const tags = new Map<string, string>()
  for (const [, tag = ''] of writtenTags(note)) {
    const key = tagKey(tag)
    if (!tags.has(key)) tags.set(key, tag)
  }
  return tags
}

/** Returns where the tags that count are written. */
function writtenTags(note: string): RegExpExecArray[] {
  const written: RegExpExecArray[] = []
  TAG.lastIndex = 0
  while (written.length < MAX_TAGS) {
    const found = TAG.exec(note)
    if (!found) break
    written.push(found)
  }
  return written
}

/** Returns the text of a note in parts, every second one a tag with its '#'. */
export function splitAtTags(note: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const { 0: tag, index } of writtenTags(note)) {
    parts.push(note.slice(from, index), tag)
    from = index + tag.length
  }
  return [...parts, note.slice(from)]
}

/** Returns what two spellings of one tag have in common. */
export function tagKey(tag: string): string {
  const composed = BEYOND_ASCII.test(tag) ? tag.normalize() : tag
  return composed.toLowerCase()
}

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Returns the keys of the note's tags, or '' alone if it has none: how a report groups it. */
export function tagKeysOf(note: string | null): readonly string[] {
  const tags = tagsByKey(note)
  return tags.size === 0 ? NO_TAG : [...tags.keys()]
}

const NO_TAG = [''] as const

export function hasTag(note: string | null, tag: string): boolean {
  return tagsByKey(note).has(tagKey(tag))
}

/**
 * Returns the note with the tag at its end, or the note itself if it has the tag. In a note with
 * `MAX_TAGS` tags, one more is only a word.
 */
export function withTag(note: string | null, tag: string): string {
  if (note === null || note.trim() === '') return `#${tag}`
  return hasTag(note, tag) ? note : `${note.trimEnd()} #${tag}`
}

/** Returns the note without the tag; null if nothing else was in it. */
export function withoutTag(note: string | null, tag: string): string | null {
  if (!hasTag(note, tag)) return note
  const rest = (note ?? '')
    .replaceAll(new RegExp(` ?${TAG.source}`, TAG.flags), (word, written: string) =>
      tagKey(written) === tagKey(tag) ? '' : word,
    )
    .trim()
  return rest === '' ? null : rest
}

/**
 * Returns a name of another product as a tag: 'Acme & Sons' is 'Acme-Sons'. Returns null for a name
 * without a letter.
 */
export function asTag(name: string): string | null {
  const tag = name
    .replaceAll(STRAY_MARKS, '')
    .replaceAll(NOT_IN_A_TAG, '-')
    // With the lookbehind, a run of '-' is read once, wherever it is.
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  return /\p{L}/u.test(tag) ? tag : null
}
