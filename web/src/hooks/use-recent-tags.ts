import { recentTags } from '@stint/core/record/tag-completion.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { useMemo } from 'react'
import { useLocalEntries } from '#session/signed-in.ts'

/** Returns a function that returns the user's tags, those of the last sessions first. They are read at its first call. */
export function useRecentTags(): () => readonly string[] {
  const entries = useLocalEntries()
  return useMemo(() => tagsWhenCalled(entries), [entries])
}

function tagsWhenCalled(entries: readonly TimeEntry[]): () => readonly string[] {
  let tags: readonly string[] | null = null
  return () => (tags ??= recentTags(entries))
}
