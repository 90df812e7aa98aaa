import { useEffect, useState } from 'react'

import { useRecord } from '#session/signed-in.ts'

/**
 * Re-renders when `instant` is reached, or as soon after it as the browser allows: one timeout, which
 * browsers also run in background tabs, and a check whenever the tab becomes visible. Returns the last
 * instant that was reached.
 */
export function useWaitFor(instant: number | null): number | null {
  const { clock } = useRecord()
  const [reached, setReached] = useState<{ instant: number } | null>(null)

  useEffect(() => {
    if (instant === null) return undefined
    const look = () => {
      if (clock.now() >= instant) setReached({ instant })
      schedule()
    }
    let timeout: ReturnType<typeof setTimeout>
    const schedule = () => {
      clearTimeout(timeout)
      // 5 ms late, so that the instant has passed when the timeout fires. After it, the check repeats
      // every second in case the clock was set back.
      const left = instant - clock.now()
      timeout = setTimeout(look, left > 0 ? Math.min(left + 5, MAX_TIMEOUT) : 1_000)
    }
    schedule()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timeout)
      document.removeEventListener('visibilitychange', look)
    }
  }, [instant, clock])

  return reached?.instant ?? null
}

const MAX_TIMEOUT = 2 ** 31 - 1
