/** The one motion of the timer: start, pause, resume and stop settle in the same way. */
import type { Timer } from '@stint/core/timer/timer.ts'
import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

const MOTION = { duration: 200, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/**
 * Returns a ref for the timer's panel. When the timer changes its state, what is marked `data-settles` in the
 * panel settles; after a stop a block of `color` lands in today's bar. Nothing moves for people who prefer that.
 */
export function useTimerMotion(
  status: Timer['status'],
  color: string | undefined,
): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null)
  const last = useRef({ status, color })
  useLayoutEffect(() => {
    const before = last.current
    last.current = { status, color }
    if (before.status === status || !panel.current || !isMotionWanted()) return
    for (const part of panel.current.querySelectorAll('[data-settles]')) {
      part.animate([{ opacity: 0.4, translate: '0 4px' }, {}], MOTION)
    }
    if (status === 'idle') land(panel.current, before.color)
  }, [status, color])
  return panel
}

/** Moves a block from the clock to the line of the current time in today's bar. */
function land(panel: HTMLElement, color = 'var(--color-accent)'): void {
  const from = panel.querySelector('[role="timer"]')?.getBoundingClientRect()
  const to = document.querySelector('[data-day-now]')?.getBoundingClientRect()
  if (!from || !to) return
  const block = document.createElement('span')
  block.ariaHidden = 'true'
  block.className = 'pointer-events-none fixed top-0 left-0 z-20 h-8 w-12 rounded-[3px]'
  block.style.backgroundColor = color
  document.body.append(block)
  const start = at(from.left, from.top, '1')
  const landed = at(to.left - block.offsetWidth, to.top, '0.1, 1')
  const moving = block.animate(
    [
      { transform: start, transformOrigin: 'right', opacity: 0.6 },
      { transform: landed, transformOrigin: 'right', opacity: 1 },
    ],
    MOTION,
  )
  const remove = () => block.remove()
  moving.addEventListener('finish', remove)
  moving.addEventListener('cancel', remove)
}

function at(x: number, y: number, scale: string): string {
  return `translate(${x}px, ${y}px) scale(${scale})`
}

/** False in an environment without animations as well. */
function isMotionWanted(): boolean {
  return 'animate' in Element.prototype && !matchMedia('(prefers-reduced-motion: reduce)').matches
}
