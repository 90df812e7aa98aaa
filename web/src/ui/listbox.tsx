/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the platform's lists cannot be moved through while a field has the focus */
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Dot } from './row.tsx'
import type { WordsAround } from './words-around.ts'

/** An option of a list whose field keeps the focus. The active one is visible in the list. */
export function Option({
  id,
  active,
  onPoint,
  onChoose,
  children,
}: {
  id: string
  active: boolean
  onPoint: () => void
  onChoose: () => void
  children: ReactNode
}) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active && element.current) showInList(element.current)
  }, [active])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys; this is for pointers and fingers
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={active}
      onPointerMove={active ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2 py-1 text-sm md:min-h-9',
        active && 'bg-wash',
      )}
    >
      {children}
    </div>
  )
}

/** The words of an option about a named thing. The details are a line of their own, never cut by the name. */
export function NamedOption({
  tintName,
  before,
  name,
  after,
  details,
}: WordsAround & { tintName: string | undefined; name: string; details?: string | undefined }) {
  return (
    <>
      <Dot tintName={tintName} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="name">
          {before && <span className="text-quiet">{before}</span>}
          <bdi>{name}</bdi>
          {after && <span className="text-quiet">{after}</span>}
        </span>
        {details && (
          <span className="text-xs text-quiet">
            <span className="sr-only"> · </span>
            {details}
          </span>
        )}
      </span>
    </>
  )
}

/** Scrolls only the list; `scrollIntoView` would also scroll the page behind it. */
function showInList(option: HTMLElement): void {
  const list = option.closest('[role="listbox"]')
  if (!list) return
  const { top, bottom } = option.getBoundingClientRect()
  const edge = list.getBoundingClientRect()
  if (top < edge.top + LIST_PADDING) list.scrollTop -= edge.top + LIST_PADDING - top
  if (bottom > edge.bottom - LIST_PADDING) list.scrollTop += bottom - edge.bottom + LIST_PADDING
}

const LIST_PADDING = 8

/** Returns the place that a key moves to, wrapping around; null for other keys. */
export function placeAfter(key: string, place: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count
    case 'ArrowUp':
      return (place - 1 + count) % count
    case 'PageDown':
      return Math.min(place + 8, count - 1)
    case 'PageUp':
      return Math.max(place - 8, 0)
    default:
      return null
  }
}
