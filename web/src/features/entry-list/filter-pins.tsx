import { Bookmark, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { SavedFilter } from '@stint/core/record/saved-filters.ts'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { t } from '@stint/core/text.ts'
import { useSavedFilters } from '#hooks/use-saved-filters.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { later } from '#ui/later.tsx'

const FilterDialog = later(async () => (await import('./filter-dialog.tsx')).FilterDialog)

/** The saved filters, one press each, and a button that saves the filter of the box. */
export function FilterPins({
  text,
  filter,
  setText,
}: {
  /** The text of the filter box, and what it means. */
  text: string
  filter: SessionFilter
  setText: (text: string) => void
}) {
  const { filters } = useSavedFilters()
  const [edited, setEdited] = useState<SavedFilter | 'new' | null>(null)
  const shown = filters.find((saved) => saved.text === text.trim())
  const canSave = shown === undefined && filter.parts.length > 0 && filter.problem === null
  if (filters.length === 0 && !canSave && edited === null) return null
  return (
    <div className="-m-1 flex items-center gap-1.5 p-1 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 md:max-h-32 md:flex-wrap md:overflow-y-auto">
      {filters.length > 0 && (
        <ul aria-label={t('Saved filters')} className="contents">
          {filters.map((saved) => (
            <li key={saved.name} className="flex max-w-full shrink-0 items-center">
              <button
                type="button"
                aria-pressed={saved === shown}
                title={saved.text}
                onClick={() => setText(saved === shown ? '' : saved.text)}
                className={classNames(
                  'inline-flex h-11 max-w-64 items-center gap-1.5 rounded-full border px-3 text-sm transition-colors duration-80 md:h-8',
                  saved === shown
                    ? 'border-edge bg-wash font-semibold text-ink'
                    : 'border-line bg-surface text-quiet hover:border-edge hover:text-ink',
                )}
              >
                <Icon of={Bookmark} className="size-3.5 shrink-0" />
                <span dir="auto" className="name">
                  {saved.name}
                </span>
              </button>
              {saved === shown && (
                <IconButton
                  icon={Pencil}
                  label={t('Edit filter {name}', { name: saved.name })}
                  aria-haspopup="dialog"
                  onClick={() => setEdited(saved)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {canSave && (
        <Button
          variant="quiet"
          size="small"
          aria-haspopup="dialog"
          onClick={() => setEdited('new')}
        >
          <Icon of={Bookmark} />
          {t('Save filter')}
        </Button>
      )}
      {edited !== null && (
        <FilterDialog
          instead={edited === 'new' ? null : edited}
          text={edited === 'new' ? text.trim() : edited.text}
          onSaved={({ text: next }) => setText(next)}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  )
}
