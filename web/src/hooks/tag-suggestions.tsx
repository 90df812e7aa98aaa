import { completeTag } from '@stint/core/record/tag-completion.ts'
import { useCallback } from 'react'
import { Suggestions } from '#ui/suggestions.tsx'
import { useRecentTags } from './use-recent-tags.ts'

/**
 * Suggests the user's tags while one is typed into a field for a note, those of the last sessions
 * first.
 */
export function TagSuggestions({ field }: { field: HTMLInputElement | HTMLTextAreaElement }) {
  const tags = useRecentTags()
  const complete = useCallback(
    (note: string, cursor: number) =>
      note.includes('#') ? completeTag(tags(), note, cursor) : null,
    [tags],
  )
  return <Suggestions field={field} complete={complete} />
}
