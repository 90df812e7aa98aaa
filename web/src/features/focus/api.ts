/** Stretches of work and breaks, and reminders: off until somebody switches them on in the settings. */
import { lazy } from 'react'
import type { ComponentType } from 'react'

/** How much is left of the stretch or the break; for the timer's panel. */
export const FocusNote = lazy<ComponentType>(() =>
  import('./focus-note.tsx').then(
    ({ FocusNote: component }) => ({ default: component }),
    () => ({ default: () => null }),
  ),
)
