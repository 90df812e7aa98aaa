/** Requests for shortcuts, by key or by a button with the same action. */
import { createRequest } from '#ui/request.ts'
import type { Shortcut } from './shortcut-keys.ts'

export type { Shortcut } from './shortcut-keys.ts'

/** The requested shortcut. It waits until its handler has loaded; only the last one is kept. */
export const shortcutRequest = createRequest<Shortcut>()

/** Runs the shortcut; queues it until its handler has loaded. */
export const runShortcut = shortcutRequest.open

/** Returns whether the device has a Command key. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
