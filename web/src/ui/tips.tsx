import { useEffect, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Bubble } from './bubble.tsx'
import { classNames } from './class-names.ts'

/**
 * Tooltips for the parts of a picture, with one bubble for all parts. A part has a unique `data-tip`
 * key. The bubble is above the part, or above the element in it with `data-tip-anchor`, while the part
 * is hovered, touched or focused. The pointer can enter the bubble, and Escape hides it (WCAG 1.4.13). A
 * part may contain smaller parts: while it has the focus, the arrow keys move between them. The bubble is hidden from assistive technology, which reads the part's own accessible name.
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

  const point = (target: EventTarget | null) => {
    if (!(target instanceof Element) || target.closest('[data-tip-bubble]')) return
    const part = target.closest('[data-tip]')
    const key = part?.getAttribute('data-tip') ?? null
    setPointed(part && key !== null ? { part, key } : null)
  }

  const isPointed = pointed !== null
  useEffect(() => {
    if (!isPointed) return undefined
    // A touch does not leave a part, so the next one elsewhere hides the bubble.
    const hide = ({ target }: Event) => {
      setPointed((now) => (now && target instanceof Node && now.part.contains(target) ? now : null))
    }
    document.addEventListener('pointerdown', hide)
    return () => document.removeEventListener('pointerdown', hide)
  }, [isPointed])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setPointed(null)
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const whole = event.target instanceof Element ? event.target.closest('[data-tip]') : null
    if (step === 0 || !whole || !event.currentTarget.querySelector('[data-tip] [data-tip]')) return
    // A part without smaller ones takes the arrow too, so that it does the same in the whole picture.
    event.preventDefault()
    const parts = [whole, ...whole.querySelectorAll('[data-tip]')]
    const at = parts.findIndex((part) => part === pointed?.part)
    point(parts[(Math.max(at, 0) + step + parts.length) % parts.length] ?? null)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles events of its controls, and is none itself
    <div
      className={classNames('relative', className)}
      onPointerOver={(event) => point(event.target)}
      onPointerLeave={({ pointerType }) => {
        if (pointerType !== 'touch') setPointed(null)
      }}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) point(event.target)
      }}
      onBlur={() => setPointed(null)}
      onClick={() => {
        if (hideOnPress) setPointed(null)
      }}
      onKeyDown={onKeyDown}
    >
      {children}
      {pointed && content && (
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
