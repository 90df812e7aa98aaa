import { clockTime, timeInRange } from '@stint/core/time/calendar.ts'
import { formatDuration } from '@stint/core/time/duration.ts'

import { useSettings } from './use-settings.ts'

/** How times are formatted. */
export interface Formats {
  /** Formats a duration in seconds: '1h 5m', '1:05' or '1.08h'. */
  readonly duration: (seconds: number) => string
  /** Formats a clock time in the zone: '09:05' or '9:05 AM'. */
  readonly clockTime: (instant: number, timeZone: string) => string
  /** The same for a start or an end. In a repeated hour it says which occurrence it is. */
  readonly timeInRange: (instant: number, timeZone: string) => string
}

/** Returns the formats of the user's settings. */
export function useFormats(): Formats {
  const { durationFormat, hourCycle } = useSettings()
  return {
    duration: (seconds) => formatDuration(seconds, durationFormat),
    clockTime: (instant, timeZone) => clockTime(instant, timeZone, hourCycle),
    timeInRange: (instant, timeZone) => timeInRange(instant, timeZone, hourCycle),
  }
}
