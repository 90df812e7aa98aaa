/** The error banner of the timer. */
import { prefsFromSettings } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { SAVE_FAILED } from '@stint/core/device/timer-texts.ts'
import * as store from '@stint/core/device/timer.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

import { resumeStopped } from '#hooks/use-timer-commands.ts'

export interface SessionError {
  readonly text: string
  readonly action: {
    readonly label: string
    readonly run: () => Promise<void>
    /** Whether the timer was stopped and its time saved. */
    readonly isSaved: boolean
  } | null
  readonly dismiss: () => Promise<void>
}

/** Returns the timer's error and its action; null without one. */
export function useSessionError(): SessionError | null {
  const record = useRecord()
  const banner = useValue('banner')
  if (!banner) return null
  const { action } = banner
  const text =
    banner.text === SAVE_FAILED ? t('Timer stopped, but failed to save data') : banner.text
  const dismiss = () => record.write((draft) => store.dismissBanner(draft))
  switch (action?.kind) {
    case undefined:
      return { text, action: null, dismiss }
    case 'track-offline': {
      const { sessionId } = action
      const run = () =>
        record.write((draft) => {
          store.trackOffline(draft, sessionId)
          // From the first time on, the setting is on.
          changePrefs(draft, prefsFromSettings({ trackOffline: true }))
        })
      return { text, dismiss, action: { label: t('Track offline'), run, isSaved: false } }
    }
    case 'resume': {
      const { stopped, gap } = action
      const run = () => resumeStopped(record, stopped, gap)
      return { text, dismiss, action: { label: t('Resume'), run, isSaved: true } }
    }
  }
}
