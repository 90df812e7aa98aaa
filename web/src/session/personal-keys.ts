/** The keys of localStorage under which this browser keeps something of whoever is signed in. */
import { EVENTS_KEY } from '#diagnostics/event-log.ts'

export const ACTIVITY_KEY = 'stint-activity'

/** What `forget.ts` removes. */
export const PERSONAL_KEYS: readonly string[] = [EVENTS_KEY, ACTIVITY_KEY]
