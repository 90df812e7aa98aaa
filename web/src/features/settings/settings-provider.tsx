import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { SettingsContext, useStoredSettings } from './api.ts'
import { applyTheme } from './theme.ts'

/** Provides the signed-in user's settings and applies their theme. */
export function SettingsProvider({ children }: { children: ReactNode }) {
  const { settings, known } = useStoredSettings()
  const { theme } = settings

  // Until the settings are loaded, the theme of the last visit stays.
  useEffect(() => (known ? applyTheme(theme) : undefined), [known, theme])

  return <SettingsContext value={settings}>{children}</SettingsContext>
}
