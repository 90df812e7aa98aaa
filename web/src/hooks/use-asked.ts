/** The last question whether somebody still works. It is a preference, so every device of the account has it. */
import { askedFromPrefs } from '@stint/core/focus/still-working.ts'
import type { Asked } from '@stint/core/focus/still-working.ts'
import { useMemo } from 'react'

import { useValue } from '#session/signed-in.ts'

/** Returns the last question, open or answered; null if there was none. */
export function useAsked(): Asked | null {
  const prefs = useValue('settings')?.prefs
  return useMemo(() => askedFromPrefs(prefs ?? {}), [prefs])
}
