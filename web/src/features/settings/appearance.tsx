import { Segmented } from '#ui/segmented.tsx'

import { useChangeSettings, useSettings } from './api.ts'

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const

/** How everything looks. */
export function Appearance() {
  const { theme } = useSettings()
  const change = useChangeSettings()
  return (
    <Segmented
      label="Theme"
      options={THEMES}
      value={theme}
      onChange={(next) => change({ theme: next })}
    />
  )
}
