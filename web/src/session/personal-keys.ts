/** The localStorage keys that hold personal data of the signed-in user. */
import { EVENTS_KEY } from '#diagnostics/event-log.ts'

export const ACTIVITY_KEY = 'stint-activity'

/** The keys that `forget.ts` removes. */
export const PERSONAL_KEYS: readonly string[] = [EVENTS_KEY, ACTIVITY_KEY]
