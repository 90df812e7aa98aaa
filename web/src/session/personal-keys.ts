/** The localStorage keys that hold personal data of the signed-in user. */
import { EVENTS_KEY } from '#diagnostics/event-log.ts'

export const ACTIVITY_KEY = 'stint-activity'

/** When its user was last at work on this device, as far as it can tell, and when a tab of it last had the focus. */
export const PRESENCE_KEY = 'stint-presence'
export const FOCUSED_KEY = 'stint-focused'

/** The note that is being typed, until the record has it. */
export const TYPED_NOTE_KEY = 'stint-typed-note'

/** When a copy was last made, and what went wrong. */
export const COPY_KEY = 'stint-copy'

/** The receipts of imports. */
export const IMPORTS_KEY = 'stint-imports'

/** Set while this device keeps traces, while it says that events begin, and while it notes when it is in use. */
export const TRACES_KEY = 'stint-traces'
export const EVENTS_SAID_KEY = 'stint-events-said'
export const PRESENCE_NOTED_KEY = 'stint-presence-noted'

/** Whose timer this device shows as a notification. `told-device.ts` removes it, once no press is unsent. */
export const TOLD_KEY = 'stint-told'

/** The keys that `forget.ts` removes. */
export const PERSONAL_KEYS: readonly string[] = [
  EVENTS_KEY,
  ACTIVITY_KEY,
  PRESENCE_KEY,
  FOCUSED_KEY,
  TYPED_NOTE_KEY,
  COPY_KEY,
  IMPORTS_KEY,
  TRACES_KEY,
  EVENTS_SAID_KEY,
  PRESENCE_NOTED_KEY,
]
