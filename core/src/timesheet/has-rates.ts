/** Whether an account uses rates, for screens that do not load them otherwise. */
import type { Prefs } from '#settings.ts'

/** What the names of the preferences begin with that keep rates. */
export const RATE_PREFERENCE = 'rate:'

/** Returns whether there are rates: without any, nothing is said about what is billable. */
export function hasRates(prefs: Prefs): boolean {
  return Object.keys(prefs).some((name) => name.startsWith(RATE_PREFERENCE))
}
