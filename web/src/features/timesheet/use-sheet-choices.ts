/** How the user wants timesheets. It is stored with the account. */
import { changePrefs } from '@stint/core/device/edits.ts'
import { prefsWithChoices, sheetChoices } from '@stint/core/timesheet/choices.ts'
import type { SheetChoices } from '@stint/core/timesheet/choices.ts'
import { useMemo, useState } from 'react'

import { useRecord, useValue } from '#session/signed-in.ts'

/** Returns the choices, which re-render when they change, and a function that changes them. */
export function useSheetChoices(): readonly [SheetChoices, (choices: SheetChoices) => void] {
  const record = useRecord()
  const prefs = useValue('settings')?.prefs
  const stored = useMemo(() => sheetChoices(prefs ?? {}), [prefs])
  // What is pressed is shown before it is stored.
  const [pressed, setPressed] = useState({ prefs, choices: stored })
  const change = (choices: SheetChoices) => {
    setPressed({ prefs, choices })
    void record.write((draft) => changePrefs(draft, prefsWithChoices(choices)))
  }
  return [pressed.prefs === prefs ? pressed.choices : stored, change]
}
