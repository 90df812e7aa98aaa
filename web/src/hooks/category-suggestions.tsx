import { completeCategory } from '@stint/core/record/tag-completion.ts'
import { useCallback } from 'react'
import { Suggestions } from '#ui/suggestions.tsx'
import { useCategories } from './use-categories.ts'

/** Suggests the user's categories while '@' and a part of one is typed into a search. */
export function CategorySuggestions({ field }: { field: HTMLInputElement }) {
  const { names } = useCategories()
  const complete = useCallback(
    (text: string, cursor: number) => completeCategory(names, text, cursor),
    [names],
  )
  return <Suggestions field={field} complete={complete} />
}
