/** What must be true of a filter that is to be saved. */
import { t } from '#text.ts'
import {
  filterNamed,
  MAX_FILTER_NAME,
  MAX_FILTER_TEXT,
  MAX_SAVED_FILTERS,
} from './saved-filters.ts'
import type { SavedFilter } from './saved-filters.ts'
import type { SessionFilter } from './session-filter.ts'

/** Why a filter cannot be saved: a sentence for each of the two fields, or null. */
export interface SaveProblems {
  readonly name: string | null
  readonly text: string | null
}

/**
 * Checks a filter that is to be saved.
 * @param read what its text means.
 * @param instead the saved filter that it replaces.
 */
export function saveProblems(
  { name, text }: SavedFilter,
  read: Pick<SessionFilter, 'parts' | 'problem'>,
  filters: readonly SavedFilter[],
  instead: SavedFilter | null,
): SaveProblems {
  const others = filters.filter((filter) => filter.name !== instead?.name)
  return { name: nameProblem(name.trim(), others), text: textProblem(text, read) }
}

function nameProblem(name: string, others: readonly SavedFilter[]): string | null {
  if (name === '') return t('Enter a name.')
  if (name.length > MAX_FILTER_NAME)
    return t('Use at most {max} characters.', { max: MAX_FILTER_NAME })
  const same = filterNamed(name, others)
  if (same) return t('You already have a filter “{name}”.', { name: same.name })
  if (others.length >= MAX_SAVED_FILTERS)
    return t('You can save {max} filters. Remove one first.', { max: MAX_SAVED_FILTERS })
  return null
}

function textProblem(
  text: string,
  { parts, problem }: Pick<SessionFilter, 'parts' | 'problem'>,
): string | null {
  if (text.length > MAX_FILTER_TEXT)
    return t('Use at most {max} characters.', { max: MAX_FILTER_TEXT })
  if (problem !== null) return problem
  return parts.length === 0 ? t('Enter a filter.') : null
}
