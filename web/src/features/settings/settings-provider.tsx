import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { SettingsContext, useStoredSettings } from './api.ts'
import { applyTheme } from './theme.ts'

/** Hands the signed-in person's settings down, and shows everything in their theme. */
export function SettingsProvider({ children }: { children: ReactNode }) {
  const { settings, known } = useStoredSettings()
  const { theme } = settings

  // Until they are known, the theme of last time stays.
  useEffect(() => (known ? applyTheme(theme) : undefined), [known, theme])

  return <SettingsContext value={settings}>{children}</SettingsContext>
}
