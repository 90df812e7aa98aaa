/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the platform's lists cannot be moved through while a field has the focus */
import { t } from '@stint/core/text.ts'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'

const MAX_SHOWN = 6
const GAP_PIXELS = 6
const EDGE_PIXELS = 8
const MAX_WIDTH_PIXELS = 320

type TextControl = HTMLInputElement | HTMLTextAreaElement

interface Shown {
  /** Where the word that is completed begins. */
  readonly start: number
  readonly cursor: number
  readonly words: readonly string[]
  /** The index of the active word. */
  readonly place: number
}

/** Returns where the word before the cursor begins, and what it may become, best first. */
type Complete = (
  text: string,
  cursor: number,
) => { readonly start: number; readonly words: readonly string[] } | null

/**
 * Suggests words for the one before the cursor of a text field, in a list below it. The field keeps the
 * focus: the arrow keys move through the list, Enter or Tab takes a word, Escape closes the list.
 * Without suggestions the field has all its keys. It stays a text box for assistive technology; the
 * list is announced.
 */
export function Suggestions({ field, complete }: { field: TextControl; complete: Complete }) {
  const id = useId()
  // Of a field that is used already: what was typed while this code was being loaded.
  const [shown, setShown] = useState(() =>
    document.activeElement === field ? suggestedIn(field, complete) : null,
  )

  const onInput = useEffectEvent(() => setShown(suggestedIn(field, complete)))

  const onMoved = useEffectEvent(() => {
    if (shown && field.selectionEnd !== shown.cursor) setShown(null)
  })

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isTyped = event.isComposing || event.keyCode === 229
    if (!shown || isTyped || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return
    const { place, words } = shown
    if (event.key === 'ArrowDown') setShown({ ...shown, place: (place + 1) % words.length })
    else if (event.key === 'ArrowUp') setShown({ ...shown, place: (place || words.length) - 1 })
    else if (event.key === 'Enter' || event.key === 'Tab') take(words[place])
    else if (event.key === 'Escape') setShown(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  })

  function take(word = '') {
    if (!shown) return
    const { start, cursor } = shown
    const rest = field.value.slice(cursor)
    const hasSpace = /^\s/.test(rest) || !fits(field, start + word.length + 1 + rest.length)
    field.setRangeText(hasSpace ? word : `${word} `, start, cursor, 'end')
    // React reads the value as if it were typed.
    field.dispatchEvent(new Event('input', { bubbles: true }))
    setShown(null)
  }

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const element: HTMLElement = field
    element.addEventListener('input', onInput, { signal })
    element.addEventListener('keydown', onKeyDown, { signal })
    element.addEventListener('blur', () => setShown(null), { signal })
    document.addEventListener('selectionchange', onMoved, { signal })
    return () => leaving.abort()
  }, [field])

  useLayoutEffect(() => {
    describe(field, {
      'aria-autocomplete': 'list',
      'aria-controls': shown && `${id}-list`,
      'aria-activedescendant': shown && `${id}-${shown.place}`,
    })
    return () => {
      describe(field, NOT_DESCRIBED)
    }
  }, [field, id, shown])

  return (
    <>
      {shown && (
        <List
          id={id}
          field={field}
          {...shown}
          onPoint={(place) => setShown({ ...shown, place })}
          onTake={take}
        />
      )}
      <output className="sr-only">
        {shown &&
          t('{count, plural, one {{count} suggestion} other {{count} suggestions}}', {
            count: shown.words.length,
          })}
      </output>
    </>
  )
}

/** Returns the words for the one before the cursor of a field; null without any. */
function suggestedIn(field: TextControl, complete: Complete): Shown | null {
  const { value, selectionStart, selectionEnd } = field
  const cursor = selectionStart ?? 0
  const found = cursor === selectionEnd ? complete(value, cursor) : null
  const words = found?.words
    .filter((word) => fits(field, found.start + word.length + value.length - cursor))
    .slice(0, MAX_SHOWN)
  return found && words?.length ? { start: found.start, cursor, words, place: 0 } : null
}

function List({
  id,
  field,
  words,
  place,
  onPoint,
  onTake,
}: Shown & {
  id: string
  field: TextControl
  onPoint: (place: number) => void
  onTake: (word: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => list.current?.showPopover?.(), [])

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const put = () => putBeside(element, field)
    const leaving = new AbortController()
    const options = { capture: true, passive: true, signal: leaving.signal }
    addEventListener('scroll', put, options)
    addEventListener('resize', put, options)
    // The keyboard of a phone covers what is below the visual viewport.
    window.visualViewport?.addEventListener('resize', put, options)
    return () => leaving.abort()
  }, [field])

  useLayoutEffect(() => {
    if (list.current) putBeside(list.current, field)
  })

  useLayoutEffect(() => {
    list.current?.children[place]?.scrollIntoView?.({ block: 'nearest' })
  }, [place])

  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={t('Suggestions')}
      popover="manual"
      className="fixed inset-auto m-0 overflow-y-auto overscroll-contain rounded-control border border-edge bg-raised p-1 text-ink shadow-float"
    >
      {words.map((word, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys; this is for pointers and fingers
        <div
          key={word}
          id={`${id}-${index}`}
          role="option"
          dir="auto"
          aria-selected={index === place}
          onPointerMove={index === place ? undefined : () => onPoint(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(word)}
          className={classNames(
            'flex h-11 cursor-pointer items-center rounded-[6px] px-2 text-sm md:h-8',
            index === place ? 'bg-wash font-semibold' : 'text-quiet',
          )}
        >
          <span className="truncate">{word}</span>
        </div>
      ))}
    </div>
  )
}

const NOT_DESCRIBED = {
  'aria-autocomplete': null,
  'aria-controls': null,
  'aria-activedescendant': null,
}

function describe(
  field: TextControl,
  attributes: typeof NOT_DESCRIBED | Record<string, string | null>,
) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) field.removeAttribute(name)
    else field.setAttribute(name, value)
  }
}

/** Returns whether the field may hold a text of that length. */
function fits({ maxLength }: TextControl, length: number): boolean {
  return maxLength < 0 || length <= maxLength
}

/** Puts the list below the field, or above it where more of the window can be seen. */
function putBeside(list: HTMLElement, field: TextControl) {
  const target = field.getBoundingClientRect()
  const seenTop = window.visualViewport?.offsetTop ?? 0
  const seenBottom = seenTop + (window.visualViewport?.height ?? innerHeight)
  const below = seenBottom - target.bottom - GAP_PIXELS - EDGE_PIXELS
  const above = target.top - seenTop - GAP_PIXELS - EDGE_PIXELS
  list.style.maxHeight = ''
  list.style.width = `${Math.min(target.width, MAX_WIDTH_PIXELS)}px`
  list.style.left = `${target.left}px`
  const isBelow = list.offsetHeight <= below || below >= above
  list.style.maxHeight = `${isBelow ? below : above}px`
  list.style.top = `${isBelow ? target.bottom + GAP_PIXELS : target.top - GAP_PIXELS - list.offsetHeight}px`
}
