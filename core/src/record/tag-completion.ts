/** Completes the tag that is being typed into a note. */
import { tagKey, tagsOf } from './tags.ts'

/** What may become a tag, up to the cursor: '#' and the beginning of its word, or '#' alone. */
const BEGUN_TAG = /(?<![^\s(,;])#([\p{L}\p{M}\p{N}_-]*)$/u

const IN_A_TAG = /^[\p{L}\p{M}\p{N}_-]/u

/**
 * Returns the tags of the notes without '#', those of the last notes first, each as it was written
 * last.
 */
export function recentTags(entries: readonly { readonly note: string | null }[]): string[] {
  const tags = new Map<string, string>()
  // A hundred thousand notes are read while somebody types, and most words are known.
  const known = new Set<string>()
  for (const { note } of entries.toReversed()) {
    if (!note?.includes('#')) continue
    for (const word of note.split(/\s/)) {
      if (!word.includes('#') || known.has(word)) continue
      known.add(word)
      for (const tag of tagsOf(word)) {
        if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag)
      }
    }
  }
  return [...tags.values()]
}

/**
 * Returns where the tag before the cursor begins and which of the tags it may become, with '#'. Case
 * and accents are ignored. Returns null without a tag before the cursor, or if it is one of the tags
 * already. Tags that the note has are left out.
 */
export function completeTag(
  tags: readonly string[],
  note: string,
  cursor: number,
): { readonly start: number; readonly words: readonly string[] } | null {
  const begun = BEGUN_TAG.exec(note.slice(0, cursor))
  if (!begun || IN_A_TAG.test(note.slice(cursor))) return null
  const [, typed = ''] = begun
  if (tags.some((tag) => tagKey(tag) === tagKey(typed))) return null
  const used = new Set(tagsOf(note).map(tagKey))
  const words = tags.filter((tag) => plain(tag).startsWith(plain(typed)) && !used.has(tagKey(tag)))
  return { start: begun.index, words: words.map((tag) => `#${tag}`) }
}

/** Returns the tag without case and accents. */
function plain(tag: string): string {
  return tag.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
