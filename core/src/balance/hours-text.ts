import { briefDuration, exactDuration } from '#time/duration.ts'

/** Returns '8h', '7h 42m' or '7h 42m 51s'. */
export function hoursText(seconds: number): string {
  if (seconds === 0) return '0h'
  return seconds % 60 === 0 ? briefDuration(seconds) : exactDuration(seconds)
}
