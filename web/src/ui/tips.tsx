import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'

/**
 * Tips for the parts of a picture: one bubble, however many parts. A part carries `data-tip`, a key
 * of its own; the bubble stands over it, or over the element in it with `data-tip-anchor`, while the
 * pointer or the keyboard's focus is there. It can be reached with the pointer, and Escape sends it
 * away (WCAG 1.4.13). What it says must also be said elsewhere: it is hidden from assistive
 * technology, whose users read the part's own name.
 */
export function Tips({
  renderTip,
  hideOnPress = false,
  className,
  children,
}: {
  /** What to say of a part; null for nothing. */
  renderTip: (key: string) => ReactNode
  /** A press opens something over the picture. */
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
        <Bubble part={pointed.part}>{content}</Bubble>
      )}
    </div>
  )
}

function Bubble({ part, children }: { part: Element; children: ReactNode }) {
  const bubble = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = bubble.current
    if (!element) return
    element.showPopover?.()
    const place = () => placeOver(element, part.querySelector('[data-tip-anchor]') ?? part)
    place()
    addEventListener('scroll', place, { capture: true, passive: true })
    return () => removeEventListener('scroll', place, { capture: true })
  }, [part])

  return (
    <div
      ref={bubble}
      data-tip-bubble=""
      aria-hidden="true"
      popover="manual"
      className="fixed inset-auto m-0 max-w-72 rounded-control border border-line bg-raised px-2.5 py-1.5 text-xs text-ink shadow-float print:hidden"
    >
      {children}
    </div>
  )
}

/** Centred over the part, under it where there is no room above, never over the window's edge. */
function placeOver(bubble: HTMLElement, part: Element) {
  const gap = 6
  const target = part.getBoundingClientRect()
  const { width, height } = bubble.getBoundingClientRect()
  const centred = target.left + target.width / 2 - width / 2
  const left = Math.max(8, Math.min(centred, document.documentElement.clientWidth - width - 8))
  const above = target.top - height - gap
  bubble.style.left = `${left}px`
  bubble.style.top = `${above >= 8 ? above : target.bottom + gap}px`
}
