/** Asking for what a shortcut does: by its key, or by a button that does the same. */
import { createRequest } from '#ui/request.ts'

export type Shortcut =
  | 'palette'
  | 'sheet'
  | 'start'
  | 'stop'
  | 'pause'
  | 'continue'
  | 'add'
  | 'search'
  | 'float'
  | 'dashboard'
  | 'tasks'
  | 'reports'
  | 'settings'

/** What a shortcut does is loaded behind the screen; until it is there, what was asked for last waits. */
export const shortcutRequest = createRequest<Shortcut>()

/** Has it done, as soon as the code that does it is there. */
export const ask = shortcutRequest.open

/** Whether it is a machine with a Command key. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
