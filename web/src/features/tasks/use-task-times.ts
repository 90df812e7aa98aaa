import { useMemo } from 'react'

import { useEntries } from '#hooks/use-entries.ts'

/** Returns the total seconds of each task by its id, deleted tasks included. */
export function useTaskTimes(): ReadonlyMap<string, number> {
  const { entries } = useEntries()
  return useMemo(() => {
    const seconds = new Map<string, number>()
    for (const { taskId, durationSeconds } of entries) {
      seconds.set(taskId, (seconds.get(taskId) ?? 0) + durationSeconds)
    }
    return seconds
  }, [entries])
}
