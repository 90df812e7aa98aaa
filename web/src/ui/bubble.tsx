import { useLayoutEffect, useRef } from 'react'
import type { HTMLAttributes, ReactNode } from 'react'
import { classNames } from './class-names.ts'

const GAP_PIXELS = 6
const EDGE_PIXELS = 8

/**
 * The bubble of a tooltip. It is above its anchor, or below without room above, stays inside the
 * window, and follows the anchor when something scrolls.
 */
export function Bubble({
  anchor,
  className,
  children,
  ...attributes
}: {
  anchor: Element
  className?: string
  children: ReactNode
} & HTMLAttributes<HTMLDivElement>) {
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = bubble.current
    if (!element) return undefined
    element.showPopover?.()
    const place = () => placeBy(element, anchor)
    place()
    addEventListener('scroll', place, { capture: true, passive: true })
    return () => removeEventListener('scroll', place, { capture: true })
  }, [anchor])

  return (
    <div
      {...attributes}
      ref={bubble}
      popover="manual"
      className={classNames(
        'fixed inset-auto m-0 rounded-control border border-line bg-raised px-2.5 py-1.5 text-xs text-ink shadow-float print:hidden',
        className,
      )}
    >
      {children}
    </div>
  )
}

function placeBy(bubble: HTMLElement, anchor: Element) {
  const target = anchor.getBoundingClientRect()
  const { width, height } = bubble.getBoundingClientRect()
  const centred = target.left + target.width / 2 - width / 2
  const maxLeft = document.documentElement.clientWidth - width - EDGE_PIXELS
  const above = target.top - height - GAP_PIXELS
  bubble.style.left = `${Math.max(EDGE_PIXELS, Math.min(centred, maxLeft))}px`
  bubble.style.top = `${above >= EDGE_PIXELS ? above : target.bottom + GAP_PIXELS}px`
}
