import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Bubble } from './bubble.tsx'
import { classNames } from './class-names.ts'

/**
 * Tooltips for the parts of a picture, with one bubble for all parts. A part has a unique `data-tip`
 * key. The bubble is above the part, or above the element in it with `data-tip-anchor`, while the part
 * is hovered or focused. The pointer can enter the bubble, and Escape hides it (WCAG 1.4.13). The
 * bubble is hidden from assistive technology, which reads the part's own accessible name.
 */
export function Tips({
  renderTip,
  hideOnPress = false,
  className,
  children,
}: {
  /** Renders the tooltip of a part; null for none. */
  renderTip: (key: string) => ReactNode
  /** True when a press opens something over the picture. */
  hideOnPress?: boolean
  className?: string
  children: ReactNode
}) {
  const [pointed, setPointed] = useState<{ part: Element; key: string } | null>(null)
  const content = pointed && renderTip(pointed.key)

  const point = (target: EventTarget) => {
    if (!(target instanceof Element) || target.closest('[data-tip-bubble]')) return
    const part = target.closest('[data-tip]')
    const key = part?.getAttribute('data-tip') ?? null
    setPointed(part && key !== null ? { part, key } : null)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it listens in, it is no control
    <div
      className={classNames('relative', className)}
      onPointerOver={(event) => point(event.target)}
      onPointerLeave={() => setPointed(null)}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) point(event.target)
      }}
      onBlur={() => setPointed(null)}
      onClick={() => {
        if (hideOnPress) setPointed(null)
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') setPointed(null)
      }}
    >
      {children}
      {pointed && content !== null && content !== undefined && (
        <Bubble
          anchor={pointed.part.querySelector('[data-tip-anchor]') ?? pointed.part}
          data-tip-bubble=""
          aria-hidden="true"
          className="max-w-72"
        >
          {content}
        </Bubble>
      )}
    </div>
  )
}
