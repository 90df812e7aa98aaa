import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What a trigger must spread onto itself. */
export interface TooltipTrigger {
  'aria-describedby': string | undefined
}

/**
 * A few words over something, on hover, focus and tap. It can be reached with the pointer, Escape
 * sends it away (WCAG 1.4.13), and it stays inside the window.
 */
export function Tooltip({
  content,
  children,
  className,
}: {
  content: ReactNode
  /** The trigger; it must be able to take focus. */
  children: (trigger: TooltipTrigger) => ReactNode
  className?: string
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!open || !trigger.current || !bubble.current) return
    bubble.current.showPopover?.()
    placeAbove(bubble.current, trigger.current)
  }, [open])

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the trigger inside is the control
    <span
      ref={trigger}
      className={classNames('relative', className)}
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onClick={() => setOpen(true)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      {children({ 'aria-describedby': open ? id : undefined })}
      {open && (
        <div
          ref={bubble}
          id={id}
          role="tooltip"
          popover="manual"
          className="fixed inset-auto m-0 max-w-64 rounded-control border border-line bg-raised px-2.5 py-1.5 text-xs text-ink shadow-float"
        >
          {content}
        </div>
      )}
    </span>
  )
}

/** Centred above the trigger, below it where there is no room, never over the window's edge. */
function placeAbove(bubble: HTMLElement, trigger: HTMLElement) {
  const gap = 6
  const target = (trigger.firstElementChild ?? trigger).getBoundingClientRect()
  const { width, height } = bubble.getBoundingClientRect()
  const centred = target.left + target.width / 2 - width / 2
  const left = Math.max(8, Math.min(centred, document.documentElement.clientWidth - width - 8))
  const above = target.top - height - gap
  bubble.style.left = `${left}px`
  bubble.style.top = `${above >= 8 ? above : target.bottom + gap}px`
}
