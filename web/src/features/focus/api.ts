/**
 * Optional helpers for focused work: pomodoro sessions and breaks, reminders, and a floating timer. All
 * are off by default.
 */
import { later } from '#ui/later.tsx'

/** Returns whether the browser supports the floating timer (Document Picture-in-Picture). */
export function canFloat(): boolean {
  return 'documentPictureInPicture' in window
}

/** Opens the floating timer. Must be called from a press, as browsers require. */
export async function openFloating(): Promise<void> {
  const floating = await import('./floating.ts')
  await floating.openFloating()
}

/** Shows how much is left of the session or the break. */
export const FocusNote = later(async () => (await import('./focus-note.tsx')).FocusNote)
