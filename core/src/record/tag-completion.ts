/** Completes the tag that is being typed into a note, the category in a line, and both in a filter. */
import { categoryKey, categorySign } from './category.ts'
import { MAX_TAGS, tagKey, tagsOf } from './tags.ts'

/** What may become a tag, up to the cursor: '#' and the beginning of its word, or '#' alone. */
const BEGUN_TAG = /(?<![^\s(,;])#([\p{L}\p{M}\p{N}_-]*)$/u

const IN_A_TAG = /^[\p{L}\p{M}\p{N}_-]/u

/** More tags are not offered. */
const MAX_RECENT_TAGS = 10_000

/**
 * Returns the tags of the notes without '#', those of the last notes first, each as it was written
 * last, the first 10,000.
 */
export function recentTags(entries: readonly { readonly note: string | null }[]): string[] {
  const tags = new Map<string, string>()
  // A hundred thousand notes are read while somebody types, and most words are known.
  const known = new Map<string, readonly string[]>()
  for (const { note } of entries.toReversed()) {
    if (!note?.includes('#')) continue
    if (tags.size >= MAX_RECENT_TAGS) break
    let count = 0
    for (const word of note.split(/\s/)) {
      if (!word.includes('#')) continue
      if (count >= MAX_TAGS) break
      const ofWord = known.get(word) ?? tagsOf(word)
      count += ofWord.length
      if (known.has(word)) continue
      known.set(word, ofWord)
      for (const tag of ofWord) {
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

/** What may become a category, up to the cursor: '@' and the beginning of its name, in quotes or not. */
const BEGUN_CATEGORY = /(?<!\S)-?(@(?:["“”„«»]([^"“”„«»]*)|([^\s"“”„«»@]*)))$/u

/**
 * Returns where the category before the cursor begins and which of the names it may become, as it is typed. Names
 * that begin so come before those of which a later word does. Returns null without a category before the cursor, or
 * if it is one of the names already.
 */
export function completeCategory(
  names: readonly string[],
  text: string,
  cursor: number,
): { readonly start: number; readonly words: readonly string[] } | null {
  const begun = BEGUN_CATEGORY.exec(text.slice(0, cursor))
  if (!begun || /^\S/.test(text.slice(cursor))) return null
  const [whole, sign = '', quoted, word] = begun
  const typed = categoryKey(quoted ?? word ?? '')
  const keys = names.map((name) => ({ name, key: categoryKey(name) }))
  if (quoted === undefined && keys.some(({ key }) => key === typed)) return null
  const first = keys.filter(({ key }) => key.startsWith(typed))
  const later = keys.filter(({ key }) => !key.startsWith(typed) && key.includes(` ${typed}`))
  const words = [...first, ...later].map(({ name }) => categorySign(name))
  return { start: begun.index + whole.length - sign.length, words }
}

/**
 * Returns where the tag or the category before the cursor of a filter begins and which it may become, as for notes and
 * lines. A '-' may be before it.
 * @param tags is called once a tag is typed.
 */
export function completeFilter(
  names: readonly string[],
  tags: () => readonly string[],
  text: string,
  cursor: number,
): { readonly start: number; readonly words: readonly string[] } | null {
  const category = completeCategory(names, text, cursor)
  if (category !== null || !text.includes('#')) return category
  // A tag that is left out is completed as any other. The text stays as long as it is.
  return completeTag(tags(), text.replaceAll(/(?<!\S)-(?=#)/g, ' '), cursor)
}
