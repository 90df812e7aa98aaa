/** The filters that the user keeps under a name. They are stored with the account. */
import { prefsWithFilter, savedFilters } from '@stint/core/record/saved-filters.ts'
import type { SavedFilter } from '@stint/core/record/saved-filters.ts'
import { t } from '@stint/core/text.ts'
import { useMemo } from 'react'

import { useValue } from '#session/signed-in.ts'
import { useRecordCommands } from './use-record-commands.ts'

export interface SavedFilters {
  /** Sorted by name. */
  readonly filters: readonly SavedFilter[]
  /** Saves a filter, in place of another one if there is one, and offers to undo it. */
  readonly save: (filter: SavedFilter, instead: SavedFilter | null) => Promise<void>
  /** Removes a filter and offers to undo it. */
  readonly remove: (filter: SavedFilter) => Promise<void>
}

/** Returns the saved filters and re-renders when they change. */
export function useSavedFilters(): SavedFilters {
  const prefs = useValue('settings')?.prefs
  const filters = useMemo(() => savedFilters(prefs ?? {}), [prefs])
  const { change } = useRecordCommands()
  return {
    filters,
    async save(filter, instead) {
      const changes = prefsWithFilter(filter, instead)
      await change({ prefs: { changes } }, t('Saved filter {name}', { name: filter.name }))
    },
    async remove(filter) {
      const changes = prefsWithFilter(null, filter)
      await change({ prefs: { changes } }, t('Removed filter {name}', { name: filter.name }))
    },
  }
}
