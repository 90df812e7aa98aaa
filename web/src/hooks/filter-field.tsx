import { useState } from 'react'
import type { ComponentProps } from 'react'
import { later } from '#ui/later.tsx'
import { TextField } from '#ui/text-field.tsx'

/** Loaded when the field is first used. */
const FilterSuggestions = later(
  async () => (await import('./filter-suggestions.tsx')).FilterSuggestions,
)

/** A field of a form for a filter, which completes tags and categories. */
export function FilterField(props: Omit<ComponentProps<typeof TextField>, 'onFocus'>) {
  const [field, setField] = useState<HTMLInputElement | null>(null)
  return (
    <>
      <TextField
        {...props}
        autoComplete="off"
        spellCheck={false}
        onFocus={({ currentTarget }) => setField(currentTarget)}
      />
      {field && <FilterSuggestions field={field} />}
    </>
  )
}
