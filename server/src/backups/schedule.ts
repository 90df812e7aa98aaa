/** When a backup is due. */

/** A time of day on the server's clock. */
export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

/** Reads `HH:MM`. @returns null if it is no time of day. */
export function parseTimeOfDay(text: string): TimeOfDay | null {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match === null ? null : { hour: Number(match[1]), minute: Number(match[2]) }
}

/**
 * Returns the last moment at which the server's clock showed this time of day, epoch milliseconds.
 * On a day whose clock skips it, that is the moment after the skipped hour.
 */
export function lastOccurrence({ hour, minute }: TimeOfDay, now: number): number {
  const today = new Date(now).setHours(hour, minute, 0, 0)
  if (today <= now) return today
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  return yesterday.setHours(hour, minute, 0, 0)
}

/**
 * Returns whether a backup is due: none was made since the last time of day for it. A missed one is
 * therefore due as soon as the server runs again.
 * @param newestAt when the newest backup was made; null: there is none.
 */
export function isDue(at: TimeOfDay, newestAt: number | null, now: number): boolean {
  return newestAt === null || newestAt < lastOccurrence(at, now)
}
