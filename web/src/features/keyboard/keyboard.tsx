import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'

import { useSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'

import { runShortcut, shortcutRequest, startLineRequest } from '#hooks/requests.ts'
import type { Shortcut } from '#hooks/shortcut-keys.ts'
import { rememberTimer, useCommands } from './commands.ts'
import { listenForKeys } from './listen-for-keys.ts'
import { Palette } from './palette.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'

/** Listens for shortcuts, runs them, and shows the palette and the list of shortcuts. */
export function Keyboard({ earlyKeys }: { earlyKeys: readonly KeyboardEvent[] }) {
  const { shortcuts } = useSettings()
  const { timer } = useTimer()
  const commands = useCommands()
  const [open, setOpen] = useState<'palette' | 'start' | 'sheet' | null>(null)
  const [typed, setTyped] = useState('')

  const run = useEffectEvent((shortcut: Shortcut) => {
    if (shortcut === 'palette' || shortcut === 'start' || shortcut === 'sheet') setOpen(shortcut)
    else commands[shortcut]()
  })

  useEffect(() => shortcutRequest.handle((shortcut) => run(shortcut)), [])
  // Not as a key of the palette: the text is there, and nothing is pressed.
  const fill = useEffectEvent((line: string) => {
    if (typeIntoStartLine(line)) return
    setTyped(line)
    setOpen('start')
  })
  useEffect(() => startLineRequest.handle((line) => fill(line)), [])
  useEffect(() => rememberTimer(timer), [timer])
  const singleKeys = useEffectEvent(() => shortcuts)
  // In the same commit, the listener for the early keys ends.
  useLayoutEffect(() => {
    const onShortcut = (shortcut: Shortcut, text: string) => {
      if (shortcut === 'start' && typeIntoStartLine(text)) return
      setTyped(text)
      runShortcut(shortcut)
    }
    return listenForKeys(onShortcut, () => singleKeys(), earlyKeys)
  }, [earlyKeys])

  return (
    <>
      {(open === 'palette' || open === 'start') && (
        <Palette startsOnly={open === 'start'} typed={typed} onClose={() => setOpen(null)} />
      )}
      <ShortcutSheet open={open === 'sheet'} onClose={() => setOpen(null)} />
    </>
  )
}

/**
 * Focuses the field of the page that starts a timer and types the text into it. Returns false if there is
 * none, or if the text ends with Enter, which the palette takes.
 */
function typeIntoStartLine(text: string): boolean {
  const field = document.querySelector<HTMLInputElement>('input[data-start-line]')
  if (!field || text.endsWith('\n')) return false
  field.focus()
  if (text === '') return true
  field.setRangeText(text, 0, field.value.length, 'end')
  // React reads the value as if it were typed.
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
