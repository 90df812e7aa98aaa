/** The note of the active timer while it is typed. */
import { isFields } from '@stint/core/guards.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { setNote } from '@stint/core/device/timer.ts'
import { TYPED_NOTE_KEY } from '#session/personal-keys.ts'
import { useRecord } from '#session/signed-in.ts'

/** After this long without an input, nothing is being typed, wherever the focus is. */
const IDLE_MILLISECONDS = 30_000

/**
 * Returns the text of the note, and what its field calls. Every input is saved. While something is
 * being typed, news from elsewhere do not change the text.
 */
export function useNote({ sessionId, note = '' }: ActiveTimer) {
  const record = useRecord()
  /** The text that is being typed, or null. */
  const [typed, setTyped] = useState<string | null>(null)
  const latest = useRef('')
  const idle = useRef<ReturnType<typeof setTimeout>>(undefined)

  async function save(text: string): Promise<void> {
    latest.current = text
    keep({ sessionId, text })
    // Letters that wait for the disk are written together.
    await record.write((draft) => setNote(draft, sessionId, latest.current))
    if (latest.current === text) keep(null)
  }

  const saveLeft = useEffectEvent(() => {
    const text = kept(sessionId)
    if (text !== null) void save(text)
  })
  useEffect(() => saveLeft(), [])

  return {
    text: typed ?? note,
    type(text: string) {
      setTyped(text)
      clearTimeout(idle.current)
      idle.current = setTimeout(() => setTyped(null), IDLE_MILLISECONDS)
      void save(text)
    },
    async leave() {
      if (typed === null) return
      await save(typed.trim())
      // Somebody may type again already.
      setTyped((now) => (now === typed ? null : now))
    },
  }
}

/** Keeps a text at once. A page that is closed within milliseconds has not written it. */
function keep(typed: { readonly sessionId: string; readonly text: string } | null): void {
  try {
    if (typed) localStorage.setItem(TYPED_NOTE_KEY, JSON.stringify(typed))
    else localStorage.removeItem(TYPED_NOTE_KEY)
  } catch {
    // The record gets it soon.
  }
}

/** Returns the text that a page has left behind for this session, or null. */
function kept(sessionId: string): string | null {
  try {
    const typed: unknown = JSON.parse(localStorage.getItem(TYPED_NOTE_KEY) ?? 'null')
    const isOwn = isFields(typed) && typed['sessionId'] === sessionId
    return isOwn && typeof typed['text'] === 'string' ? typed['text'] : null
  } catch {
    return null
  }
}
