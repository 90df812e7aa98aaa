import { t } from '@stint/core/text.ts'
import { useEffect, useState } from 'react'

import { askIdlePermission, idlePermission } from '#hooks/idle-detector.ts'
import type { IdlePermission } from '#hooks/idle-detector.ts'
import { Button } from '#ui/button.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'

/** How Stint sees that its person is away from this device, and a button that asks the browser for more where it has more. */
export function IdleRow() {
  const [permission, setPermission] = useState<IdlePermission>('missing')
  useEffect(() => {
    let isShown = true
    void idlePermission().then((known) => isShown && setPermission(known))
    return () => {
      isShown = false
    }
  }, [])
  return (
    <LabelledRow label={t('How Stint sees that I’m away')} hint={HINTS[permission]} wide>
      {permission === 'prompt' && (
        <Button onClick={() => void askIdlePermission().then(setPermission)}>
          {t('Ask the browser')}
        </Button>
      )}
    </LabelledRow>
  )
}

const HINTS: Record<IdlePermission, string> = {
  granted: t('Your browser tells when nobody uses this computer.'),
  prompt: t(
    'By input in Stint, and sleep. Your browser can also tell when nobody uses this computer.',
  ),
  denied: t('By input in Stint, and sleep. Your browser’s site settings forbid more.'),
  missing: t('By input in Stint, and sleep. This browser can’t tell more.'),
}
