import { categoryProblem } from '@stint/core/record/category.ts'
import { t } from '@stint/core/text.ts'
import { SuggestedTextField } from '#ui/suggested-text-field.tsx'
import { useCategories } from '#hooks/use-categories.ts'

/** A field for a category: one of those that are known, or a new one. */
export function CategoryField({
  value,
  isChecked,
  onChange,
}: {
  value: string
  /** Whether to say what is wrong. */
  isChecked: boolean
  onChange: (text: string) => void
}) {
  const { names } = useCategories()
  return (
    <SuggestedTextField
      label={t('Category')}
      autoComplete="off"
      spellCheck={false}
      suggestions={names}
      offersAll
      value={value}
      error={isChecked ? categoryProblem(value) : null}
      onChange={onChange}
    />
  )
}
