import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { t } from '@stint/core/text.ts'
import { CONTROL_CLASSES } from '#ui/field.tsx'
import { later } from '#ui/later.tsx'
import { takeNewAccount } from '#hooks/new-account.ts'

/** The line is read, and its choices are shown, by code that is loaded in the background. */
const StartChoices = later(async () => (await import('./start-choices.tsx')).StartChoices)

/**
 * The field that starts a timer, or names the task 'Untitled' that is being timed. It has the focus
 * by itself only in a new account, because a phone would show its keyboard.
 */
export function StartField({ names = false }: { names?: boolean }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const press = useRef<((key: string) => boolean) | null>(null)
  /** Enter was pressed before there was a choice. */
  const [isEntered, setIsEntered] = useState(false)
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const [activeId, setActiveId] = useState<string | null>(null)
  /** What may be typed, while the field has the focus. */
  const [example, setExample] = useState<string | null>(null)

  useEffect(() => {
    if (takeNewAccount('cursor')) input.current?.focus()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    const { key, nativeEvent } = event
    // 229: Safari's key that ends a composition, after `isComposing` is false again.
    if (nativeEvent.isComposing || nativeEvent.keyCode === 229) return
    // A key that is held must not start what the first press has not shown.
    if (key === 'Enter' && event.repeat) return
    if (key === 'Escape') {
      setText('')
      setIsOpen(false)
    } else if (!isOpen && (key === 'Enter' || key === 'ArrowDown')) setIsOpen(true)
    else if (press.current) {
      if (!press.current(key)) return
    } else if (key === 'Enter') setIsEntered(true)
    else return
    event.preventDefault()
  }

  return (
    <div className="relative">
      <input
        ref={input}
        data-start-line={names ? undefined : ''}
        role="combobox"
        aria-label={t('What are you working on?')}
        placeholder={example ?? t('What are you working on?')}
        aria-autocomplete="list"
        aria-expanded={activeId !== null}
        aria-controls={activeId === null ? undefined : id}
        aria-activedescendant={activeId ?? undefined}
        type="text"
        dir="auto"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        value={text}
        onChange={(event) => {
          setIsEntered(false)
          setText(event.target.value)
          setIsOpen(true)
        }}
        onFocus={() => {
          setIsOpen(true)
          if (!names) setExample(nextExample())
        }}
        onBlur={() => {
          setExample(null)
          setIsEntered(false)
          setIsOpen(false)
        }}
        onKeyDown={onKeyDown}
        className={`${CONTROL_CLASSES} w-full text-ellipsis`}
      />
      {isOpen && (
        <StartChoices
          id={id}
          text={text}
          names={names}
          press={press}
          isEntered={isEntered}
          onEntered={setIsEntered}
          onActive={setActiveId}
          onStart={() => input.current?.closest('section')?.focus()}
          onDone={() => {
            setText('')
            setIsOpen(false)
          }}
          onComplete={setText}
        />
      )}
    </div>
  )
}

/** Lines that are read, one at a time. */
const EXAMPLES = [
  t('example|call Ann #acme 10m ago'),
  t('example|9-10 hiring'),
  t('example|report since 9:30'),
]
let shown = 0

/** Returns the next one. */
function nextExample(): string {
  const line = EXAMPLES[shown % EXAMPLES.length] ?? ''
  shown += 1
  return t('Try “{line}”', { line })
}
