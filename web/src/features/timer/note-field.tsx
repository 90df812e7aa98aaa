import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '@stint/core/text.ts'
import { COLLECTIONS } from '@stint/core/collections.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { later } from '#ui/later.tsx'

import { useNote } from './use-note.ts'

/** Loaded when the field is first used. */
const TagSuggestions = later(
  async () => (await import('#hooks/tag-suggestions.tsx')).TagSuggestions,
)

const MAX_LENGTH = COLLECTIONS.timer_sessions.note.size

/** The note of the active timer. Its caller gives it a key per session. */
export function NoteField({ timer }: { timer: ActiveTimer }) {
  const note = useNote(timer)
  const [field, setField] = useState<HTMLTextAreaElement | null>(null)
  return (
    <>
      <textarea
        aria-label={t('Note')}
        placeholder={t('Add a note, #tag')}
        rows={1}
        maxLength={MAX_LENGTH}
        dir="auto"
        enterKeyHint="done"
        autoComplete="off"
        value={note.text}
        onChange={({ target }) => note.type(target.value)}
        onFocus={({ currentTarget }) => setField(currentTarget)}
        onBlur={() => void note.leave()}
        onKeyDown={leaveOnEnter}
        className="-mx-[9px] block field-sizing-content max-h-40 min-h-11 w-[calc(100%+18px)] resize-none rounded-control border border-transparent bg-transparent px-2 py-2.5 text-base text-ink transition-colors duration-80 placeholder:text-quiet hover:border-edge focus:border-edge md:min-h-9 md:py-1.5 md:text-sm"
      />
      {field && <TagSuggestions field={field} />}
    </>
  )
}

function leaveOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, nativeEvent, currentTarget } = event
  // 229: Safari's key that ends a composition, after `isComposing` is false again.
  if (nativeEvent.isComposing || nativeEvent.keyCode === 229) return
  if ((key !== 'Enter' || event.shiftKey) && key !== 'Escape') return
  event.preventDefault()
  currentTarget.blur()
}
