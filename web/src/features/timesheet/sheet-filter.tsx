import { useRef } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { tasksPageRequest } from '#hooks/requests.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useRequestHandler } from '#ui/request.ts'
import { later } from '#ui/later.tsx'
import { SearchBox } from '#ui/search-box.tsx'

const FilterSuggestions = later(
  async () => (await import('#hooks/filter-suggestions.tsx')).FilterSuggestions,
)

/** The filter box of the sheet, with the saved filters below it. */
export function SheetFilter({
  text,
  setText,
  children,
}: {
  text: string
  setText: (text: string) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const { shortcuts } = useSettings()
  useRequestHandler(tasksPageRequest, 'search', () => input.current?.select())
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <SearchBox
        input={input}
        label={t('Filter sessions')}
        placeholder={t('Words, #tag, @category, last month, >2h')}
        hasShortcut={shortcuts}
        value={text}
        onChange={setText}
      >
        {(field) => <FilterSuggestions field={field} />}
      </SearchBox>
      {children}
    </div>
  )
}
