/** What the signed-in person has chosen, and changing it. */
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { browserTimeZone, clockTime, timeInRange } from '@stint/core/time/calendar.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import { DEFAULT_SETTINGS, prefsFromSettings, settingsFromPrefs } from '@stint/core/settings.ts'
import type { Prefs, Settings, SettingsChange } from '@stint/core/settings.ts'
import { createContext, use } from 'react'

import { changePrefs } from '#record/edits.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

/** The settings around a screen; the defaults where nobody is signed in. */
export const SettingsContext = createContext<Settings>(DEFAULT_SETTINGS)

/** The settings, live: changed here, in another tab or on another device. */
export function useSettings(): Settings {
  return use(SettingsContext)
}

/** How times are written. */
export interface Formats {
  /** A span of so many seconds: '1h 5m', '1:05' or '1.08h'. */
  readonly duration: (seconds: number) => string
  /** What a clock in the zone shows: '09:05' or '9:05 AM'. */
  readonly clockTime: (instant: number, timeZone: string) => string
  /** The same for a start or an end: it says which one, of a time that comes twice. */
  readonly timeInRange: (instant: number, timeZone: string) => string
}

/** Times as this person has them written. */
export function useFormats(): Formats {
  const { durationFormat, hourCycle } = useSettings()
  return {
    duration: (seconds) => formatDuration(seconds, durationFormat),
    clockTime: (instant, timeZone) => clockTime(instant, timeZone, hourCycle),
    timeInRange: (instant, timeZone) => timeInRange(instant, timeZone, hourCycle),
  }
}

/** When days begin: in the browser's zone, or in the one that was chosen. */
export function useDayRule(): DayRule {
  const { timeZone, dayStartHour } = useSettings()
  return dayRuleOf(timeZone ?? browserTimeZone(), dayStartHour)
}

/** Told whenever a setting is changed here: the settings page says that it is saved. */
export const ChangedContext = createContext<() => void>(() => undefined)

/** Changes some settings: here at once, and on the other devices when the backend has them. */
export function useChangeSettings(): (change: SettingsChange) => void {
  const record = useRecord()
  const onChanged = use(ChangedContext)
  return (change) => {
    onChanged()
    void record.write((draft, now) => changePrefs(draft, prefsFromSettings(change), now))
  }
}

/** What is stored of the signed-in person's settings; `known` is false before anything is. */
export function useStoredSettings(): { settings: Settings; known: boolean } {
  const stored = useValue('settings')
  return {
    settings: stored ? settingsOf(stored.prefs) : DEFAULT_SETTINGS,
    known: stored !== undefined,
  }
}

/** The same object for the same preferences, so that nothing is drawn anew for nothing. */
function settingsOf(prefs: Prefs): Settings {
  const known = readPrefs.get(prefs)
  if (known) return known
  const settings = settingsFromPrefs(prefs)
  readPrefs.set(prefs, settings)
  return settings
}

const readPrefs = new WeakMap<Prefs, Settings>()
