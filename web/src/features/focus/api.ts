/**
 * What stays with somebody at work: stretches and breaks, reminders, a small window. All of it off
 * until it is asked for.
 */
import { later } from '#ui/later.tsx'

/** Whether the browser can show the timer in a small window of its own, above all others. */
export function canFloat(): boolean {
  return 'documentPictureInPicture' in window
}

/** Opens that window; to be called while a press is being answered. */
export async function openFloating(): Promise<void> {
  const floating = await import('./floating.ts')
  await floating.openFloating()
}

/** How much is left of the stretch or the break; for the timer's panel. */
export const FocusNote = later(async () => (await import('./focus-note.tsx')).FocusNote)
