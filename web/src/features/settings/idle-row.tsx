import { t } from '@stint/core/text.ts'
import { useEffect, useState } from 'react'

import { askIdlePermission, idlePermission } from '#hooks/idle-detector.ts'
import type { IdlePermission } from '#hooks/idle-detector.ts'
import { Button } from '#ui/button.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'

/** Returns how Stint sees that its person is away from this device, and what asks the browser for more. */
export function useIdlePermission() {
  const [permission, setPermission] = useState<IdlePermission>('missing')
  useEffect(() => {
    let isShown = true
    void idlePermission().then((known) => isShown && setPermission(known))
    return () => {
      isShown = false
    }
  }, [])
  return { permission, ask: () => void askIdlePermission().then(setPermission) }
}

/** Offers to ask the browser whether somebody uses this computer. Nothing is shown where it cannot be asked. */
export function IdleRow({ permission, ask }: ReturnType<typeof useIdlePermission>) {
  if (permission !== 'prompt') return null
  return (
    <LabelledRow
      label={t('Notice when I leave this computer')}
      hint={t('Your browser can tell when nobody uses it.')}
      wide
    >
      <Button onClick={ask}>{t('Ask the browser')}</Button>
    </LabelledRow>
  )
}

export const SEEN: Record<IdlePermission, string> = {
  granted: t('Your browser tells when nobody uses this computer.'),
  prompt: t('Seen by input in Stint, and sleep.'),
  denied: t('Seen by input in Stint, and sleep. Your browser’s site settings forbid more.'),
  missing: t('Seen by input in Stint, and sleep.'),
}
