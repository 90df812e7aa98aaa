/** The banner about a timer that another device has ended. */
import type { Draft } from '@stint/core/device/draft.ts'
import { showBanner } from '@stint/core/device/timer.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { browserTimeZone, clockTime } from '@stint/core/time/calendar.ts'

/**
 * Takes in news, and says when it has ended the timer that was on the screen. If a timer runs elsewhere now, the panel
 * names its device and no banner is needed. A banner with an action, such as Track offline, stays.
 */
export function sayEnded(draft: Draft, takeInNews: () => void): void {
  const shown = draft.value('timer')?.timer.sessionId
  takeInNews()
  const entry = shown === undefined ? undefined : draft.entries.get(shown)
  if (draft.value('timer') || draft.value('banner')?.action || !entry) return
  const { timeZone, hourCycle } = settingsFromPrefs(draft.value('settings')?.prefs)
  const isDiscarded = entry.deletedAt !== null && entry.durationSeconds > 0
  const zone = timeZone ?? browserTimeZone()
  const at = clockTime((isDiscarded ? entry.deletedAt : null) ?? entry.endedAt, zone, hourCycle)
  const text = isDiscarded
    ? t('Already discarded on another device at {at}', { at })
    : t('Already stopped on another device at {at}', { at })
  showBanner(draft, { text, action: null })
}
