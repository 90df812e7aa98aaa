import { later } from '#ui/later.tsx'

/** Shows how much is left of the session or the break. */
export const FocusNote = later(async () => (await import('./focus-note.tsx')).FocusNote)
