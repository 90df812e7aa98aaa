import { useEffect, useEffectEvent, useState } from 'react'

import { useSettings } from '#features/settings/api.ts'
import { useTimer } from '#features/timer/api/use-timer.ts'

import { ask, shortcutRequest } from './api.ts'
import type { Shortcut } from './api.ts'
import { noteTimer, useCommands } from './commands.ts'
import { listenForKeys } from './keys.ts'
import { Palette } from './palette.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'

/** Listens for shortcuts, runs them, and shows the palette and the list of shortcuts. */
export function Keyboard({ earlyKeys }: { earlyKeys: readonly KeyboardEvent[] }) {
  const { shortcuts } = useSettings()
  const { timer } = useTimer()
  const commands = useCommands()
  const [open, setOpen] = useState<'palette' | 'start' | 'sheet' | null>(null)

  const answer = useEffectEvent((shortcut: Shortcut) => {
    if (shortcut === 'palette' || shortcut === 'start' || shortcut === 'sheet') setOpen(shortcut)
    else commands[shortcut]()
  })

  useEffect(() => shortcutRequest.answer((shortcut) => answer(shortcut)), [])
  useEffect(() => noteTimer(timer), [timer])
  const singleKeys = useEffectEvent(() => shortcuts)
  useEffect(() => listenForKeys(ask, () => singleKeys(), earlyKeys), [earlyKeys])

  return (
    <>
      {(open === 'palette' || open === 'start') && (
        <Palette startsOnly={open === 'start'} onClose={() => setOpen(null)} />
      )}
      <ShortcutSheet open={open === 'sheet'} onClose={() => setOpen(null)} />
    </>
  )
}
