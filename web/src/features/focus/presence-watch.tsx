import { useEffect } from 'react'

import { useTraces } from '#hooks/use-traces.ts'
import { useRecord } from '#session/signed-in.ts'
import { watchActivity } from './activity.ts'
import { periodOfUse, watchPresence } from './presence.ts'

/** A stretch that grows is kept at most this often. */
const EVERY_MILLISECONDS = 60_000

/** Keeps when this device is in use among its traces, while its owner wants that. */
export function PresenceWatch() {
  const { clock } = useRecord()
  const { traces } = useTraces()
  useEffect(() => watchActivity(clock.now), [clock])
  useEffect(() => {
    let kept = -Infinity
    return watchPresence(clock.now, () => {
      const period = periodOfUse()
      if (!period || Math.abs(period.end - kept) < EVERY_MILLISECONDS) return
      kept = period.end
      // Without storage nothing is kept, which the page of the sources says.
      traces.ask('notePresence', period).catch(() => undefined)
    })
  }, [clock, traces])
  return null
}
