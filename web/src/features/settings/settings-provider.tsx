import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { takeNewAccount } from '#hooks/new-account.ts'

import { SettingsContext, useChangeSettings, useStoredSettings } from '#hooks/use-settings.ts'
import { applyTheme, shownDarkTheme } from './theme.ts'

/** Provides the signed-in user's settings and applies their theme. */
export function SettingsProvider({ children }: { children: ReactNode }) {
  const { settings, known } = useStoredSettings()
  const { theme } = settings
  const change = useChangeSettings()

  // Until the settings are loaded, the theme of the last visit stays.
  useEffect(() => {
    if (!known) return undefined
    // A new account stays in the dark theme of the page on which it was created.
    const dark = takeNewAccount('theme') ? shownDarkTheme() : null
    if (dark !== null) change({ theme: dark })
    return applyTheme(dark ?? theme)
    // oxlint-disable-next-line react/exhaustive-deps
  }, [known, theme])

  return <SettingsContext value={settings}>{children}</SettingsContext>
}
