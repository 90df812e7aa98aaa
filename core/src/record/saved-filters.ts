/**
 * Filters that their owner keeps under a name, such as 'Acme this quarter'. Each is a preference of
 * the account of its own, so that filters of two devices are both kept
 * (docs/decisions/0018-preferences.md).
 */
import { folded } from '#folded.ts'
import type { Prefs } from '#settings.ts'

export interface SavedFilter {
  readonly name: string
  /** In the language of the filter box. */
  readonly text: string
}

/** How many can be kept, and how long they may be, in characters: less than half of the preferences. */
export const MAX_SAVED_FILTERS = 50
export const MAX_FILTER_NAME = 60
export const MAX_FILTER_TEXT = 500

const PREFERENCE = 'filter:'

/** Reads the saved filters, sorted by name. Never throws: what is no filter is ignored. */
export function savedFilters(prefs: Prefs): SavedFilter[] {
  return Object.entries(prefs)
    .flatMap(([key, text]) => {
      const name = key.startsWith(PREFERENCE) ? key.slice(PREFERENCE.length) : ''
      const isFilter = name !== '' && typeof text === 'string' && text !== ''
      return isFilter && text.length <= MAX_FILTER_TEXT ? [{ name, text }] : []
    })
    .toSorted((a, b) => compare(folded(a.name), folded(b.name)) || compare(a.name, b.name))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Returns the preferences that save a filter, in place of another one, or that remove one. Undefined
 * removes a preference.
 */
export function prefsWithFilter(saved: SavedFilter | null, instead: SavedFilter | null): Prefs {
  return {
    ...(instead && { [PREFERENCE + instead.name]: undefined }),
    ...(saved && { [PREFERENCE + saved.name]: saved.text }),
  }
}

/** Returns the saved filter of that name; case and accents do not matter, unless two differ in them alone. */
export function filterNamed(
  name: string,
  filters: readonly SavedFilter[],
): SavedFilter | undefined {
  const wanted = folded(name).trim()
  return (
    filters.find((filter) => filter.name === name.trim()) ??
    filters.find((filter) => folded(filter.name) === wanted)
  )
}

/** Returns the text of a filter that is given as its name or as its text. */
export function filterText(nameOrText: string, filters: readonly SavedFilter[]): string {
  return filterNamed(nameOrText, filters)?.text ?? nameOrText
}
