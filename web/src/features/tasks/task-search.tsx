import { useRef } from 'react'
import { t } from '@stint/core/text.ts'
import { useRequestHandler } from '#ui/request.ts'
import { later } from '#ui/later.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { useCategories } from '#hooks/use-categories.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { tasksPageRequest } from '#hooks/requests.ts'

const CategorySuggestions = later(
  async () => (await import('#hooks/category-suggestions.tsx')).CategorySuggestions,
)

/** The search box of the tasks. */
export function TaskSearch({
  value,
  onChange,
}: {
  value: string
  onChange: (text: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const { shortcuts } = useSettings()
  const { areUsed } = useCategories()
  useRequestHandler(tasksPageRequest, 'search', () => input.current?.select())
  return (
    <SearchBox
      input={input}
      label={t('Search tasks')}
      placeholder={t('Search tasks...')}
      hasShortcut={shortcuts}
      value={value}
      onChange={onChange}
    >
      {(field) => areUsed && <CategorySuggestions field={field} />}
    </SearchBox>
  )
}
