import { completeFilter } from '@stint/core/record/tag-completion.ts'
import { useCallback } from 'react'
import { Suggestions } from '#ui/suggestions.tsx'
import { useCategories } from './use-categories.ts'
import { useRecentTags } from './use-recent-tags.ts'

/** Suggests the user's tags and categories while '#' or '@' and a part of one is typed into a filter. */
export function FilterSuggestions({ field }: { field: HTMLInputElement }) {
  const { names } = useCategories()
  const tags = useRecentTags()
  const complete = useCallback(
    (text: string, cursor: number) => completeFilter(names, tags, text, cursor),
    [names, tags],
  )
  return <Suggestions field={field} complete={complete} />
}
