import type { Interval } from '@stint/core/time/instant.ts'
import type { Trace } from '@stint/core/traces/trace.ts'
import { useEffect, useState } from 'react'

import { useTraces } from './use-traces.ts'

/** Returns the events of calendars that touch a stretch of time. `span` must stay the same object. */
export function useCalendarEvents(span: Interval): readonly Trace[] {
  const { traces, kept } = useTraces()
  const [events, setEvents] = useState<readonly Trace[]>([])
  useEffect(() => {
    let isCurrent = true
    if (kept === null) return undefined
    void traces.ask('events', span).then((found) => isCurrent && setEvents(found))
    return () => {
      isCurrent = false
    }
  }, [traces, kept, span])
  return events
}
