import { useEffect, useState } from 'react'
import { useNavigate } from '#ui/navigation.tsx'

import { isDayFirst } from '#hooks/day-order.ts'
import { useDayRule, useUnbilled } from '#hooks/use-settings.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { sessionRequest } from '#hooks/requests.ts'
import { useRecord } from '#session/signed-in.ts'

import type { PaletteItem } from './palette-items.ts'
import type { FoundSession } from './session-search.ts'

/** A single letter is in nearly every session. */
const MIN_LENGTH = 2

/**
 * Returns the last sessions that the text finds, newest first, as items that open the session's day.
 * The ones before stay until the search has ended, so that typing does not make the list jump.
 */
export function useSessionItems(text: string): PaletteItem[] {
  const { entries } = useEntries()
  const { allTasks: tasks, colors } = useTasks()
  const { weekStart, hourCycle } = useSettings()
  const dayRule = useDayRule()
  const unbilled = useUnbilled()
  const { clock } = useRecord()
  const navigate = useNavigate()
  const [found, setFound] = useState<readonly FoundSession[]>([])
  const isSearch = text.trim().length >= MIN_LENGTH

  useEffect(() => {
    if (!isSearch) return undefined
    const ended = new AbortController()
    const { signal } = ended
    const now = clock.now()
    const context = { dayRule, weekStart, hourCycle, isDayFirst: isDayFirst(), unbilled, now }
    const input = { entries, tasks, ...context }
    import('./session-search.ts')
      .then(({ latestSessions }) => latestSessions(text, input, signal))
      .then(
        (sessions) => {
          if (!signal.aborted) setFound(sessions)
        },
        // Offline, and not loaded before. The palette finds everything else.
        () => undefined,
      )
    return () => ended.abort()
  }, [isSearch, text, entries, tasks, dayRule, weekStart, hourCycle, unbilled, clock])

  if (!isSearch) return []
  return found.map(({ id, taskId, name, detail, path }): PaletteItem => ({
    id: `session-${id}`,
    section: 'sessions',
    label: name,
    task: { before: '', after: '', color: colors.get(taskId) },
    detail,
    run: () => {
      sessionRequest.open(id)
      navigate(path)
    },
  }))
}
