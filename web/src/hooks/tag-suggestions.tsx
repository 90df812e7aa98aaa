import { completeTag, recentTags } from '@stint/core/record/tag-completion.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { useMemo } from 'react'
import { Suggestions } from '#ui/suggestions.tsx'
import { useLocalEntries } from '#session/signed-in.ts'

/**
 * Suggests the user's tags while one is typed into a field for a note, those of the last sessions
 * first.
 */
export function TagSuggestions({ field }: { field: HTMLInputElement | HTMLTextAreaElement }) {
  const entries = useLocalEntries()
  const complete = useMemo(() => completionOf(entries), [entries])
  return <Suggestions field={field} complete={complete} />
}

/** Returns the completion by the tags of the entries, which are read when the first '#' is typed. */
function completionOf(entries: readonly TimeEntry[]) {
  let tags: readonly string[] | null = null
  return (note: string, cursor: number) =>
    note.includes('#') ? completeTag((tags ??= recentTags(entries)), note, cursor) : null
}
