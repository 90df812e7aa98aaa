/** The account's preferences as they are here (docs/decisions/0055-settings-are-preferences.md). */
import type { Prefs } from '@stint/core/settings.ts'

import type { Draft } from './draft.ts'
import { change, NO_SETTINGS, SETTINGS_ID } from './edits.ts'

/**
 * Changes preferences. What follows from those that are there is asked for as they are written: a list
 * that two presses add to keeps both.
 */
export function changePrefs(
  draft: Draft,
  changes: Prefs | ((known: Prefs) => Prefs),
  now: number,
): void {
  const settings = draft.value('settings') ?? NO_SETTINGS
  const { prefs } = settings
  const next = typeof changes === 'function' ? changes(prefs) : changes
  // Before the first pull there are none, and what is not changed is as the account has it.
  if (!draft.value('settings')) draft.putValue(settings)
  change(draft, 'settings', SETTINGS_ID, { ...prefs, ...next }, now)
}
