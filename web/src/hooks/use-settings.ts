/** The signed-in user's settings. */
import { unbilledCategories } from '@stint/core/record/billable.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { browserTimeZone } from '@stint/core/time/calendar.ts'
import { DEFAULT_SETTINGS, prefsFromSettings, settingsFromPrefs } from '@stint/core/settings.ts'
import type { Prefs, Settings, SettingsChange } from '@stint/core/settings.ts'
import { hasRates } from '@stint/core/timesheet/has-rates.ts'
import { createContext, use } from 'react'

import { changePrefs } from '@stint/core/device/edits.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

/** The settings of the component tree; the defaults without a signed-in user. */
export const SettingsContext = createContext<Settings>(DEFAULT_SETTINGS)

/** Returns the settings and re-renders when they change here, in another tab or on another device. */
export function useSettings(): Settings {
  return use(SettingsContext)
}

/** Returns when days start: in the chosen time zone, else in the browser's. */
export function useDayRule(): DayRule {
  const { timeZone, dayStartHour } = useSettings()
  return dayRuleOf(timeZone ?? browserTimeZone(), dayStartHour)
}

/** Returns the folded categories whose sessions are not billable by default; the same set while nothing changes. */
export function useUnbilled(): ReadonlySet<string> {
  return unbilledCategories(useValue('settings')?.prefs ?? NO_PREFS)
}

/** Returns whether there are rates. Without any, nothing is said about amounts and what is billable. */
export function useHasRates(): boolean {
  return hasRates(useValue('settings')?.prefs ?? NO_PREFS)
}

const NO_PREFS: Prefs = {}

/** Called whenever a setting is changed here, so that the settings page can show its save state. */
export const ChangedContext = createContext<() => void>(() => undefined)

/** Returns a function that changes settings: here at once, on other devices after a sync. */
export function useChangeSettings(): (change: SettingsChange) => void {
  const record = useRecord()
  const onChanged = use(ChangedContext)
  return (change) => {
    // Not before it is stored, as the page then says that it is saved.
    void record
      .write((draft) => changePrefs(draft, prefsFromSettings(change)))
      .then(() => onChanged())
  }
}

/** Returns the stored settings; `known` is false until there are any. */
export function useStoredSettings(): { settings: Settings; known: boolean } {
  const stored = useValue('settings')
  return {
    settings: stored ? settingsOf(stored.prefs) : DEFAULT_SETTINGS,
    known: stored !== undefined,
  }
}

/** Returns the same object for the same preferences, to avoid re-renders. */
function settingsOf(prefs: Prefs): Settings {
  const known = readPrefs.get(prefs)
  if (known) return known
  const settings = settingsFromPrefs(prefs)
  readPrefs.set(prefs, settings)
  return settings
}

const readPrefs = new WeakMap<Prefs, Settings>()
