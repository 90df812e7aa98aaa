/**
 * Dragging over the picture of a day. A mouse drags at once; a finger rests first, because one that
 * moves at once scrolls the page. Escape and a second finger let go of it, and nothing has happened.
 */
import type { DragPart } from '@stint/core/reports/day-timeline.ts'
import { useEffect, useRef, useState } from 'react'
import type { PointerEvent as ReactPointerEvent, RefObject } from 'react'

/** Over empty time, or of a session. */
export interface DayDrag {
  readonly entryId: string | null
  readonly part: DragPart
  /** Where on the axis it began and where it is: 0 … 1 of what is shown. */
  readonly from: number
  readonly to: number
}

/** Pixels that a mouse may tremble by, and a finger that rests. */
const TREMBLE = 4
const REST_TREMBLE = 8
/** Milliseconds that a finger rests before it drags. */
const REST = 350

/**
 * What is dragged, while it is; `onDrop` is told when it is let go. A session on the picture is
 * marked by `data-entry`, its edges by `data-edge`.
 */
export function useDayDrag(
  bed: RefObject<HTMLElement | null>,
  onDrop: (drag: DayDrag) => void,
): { drag: DayDrag | null; onPointerDown: (event: ReactPointerEvent) => void } {
  const [drag, setDrag] = useState<DayDrag | null>(null)
  const letGo = useRef<(() => void) | null>(null)
  useEffect(() => () => letGo.current?.(), [])

  function onPointerDown(event: ReactPointerEvent) {
    const { clientX, clientY, pointerId, pointerType, button, target } = event
    letGo.current?.()
    if (button !== 0 || !(target instanceof Element)) return
    const isTouch = pointerType === 'touch'
    const entry = target.closest<HTMLElement>('[data-entry]')
    // Its times are not known to be its own: it is edited, not dragged.
    if (entry?.dataset['entry'] === '') return
    const edge = target.closest<HTMLElement>('[data-edge]')?.dataset['edge']
    const part = edge === 'start' || edge === 'end' ? edge : 'all'
    const start = {
      entryId: entry?.dataset['entry'] ?? null,
      part,
      from: placeOf(clientY),
    } as const
    let current: DayDrag | null = null
    let isOver = false
    const ended = new AbortController()
    const { signal } = ended

    const begin = (y: number) => {
      current = { ...start, to: placeOf(y) }
      setDrag(current)
    }
    const rest = isTouch ? setTimeout(() => begin(clientY), REST) : undefined
    const end = () => {
      clearTimeout(rest)
      ended.abort()
      letGo.current = null
      setDrag(null)
    }
    letGo.current = end

    const listen = { signal, passive: false, capture: true }
    window.addEventListener('pointermove', move, listen)
    window.addEventListener('pointerup', drop, listen)
    window.addEventListener('pointercancel', end, listen)
    window.addEventListener('contextmenu', (menu) => current && menu.preventDefault(), listen)
    // A finger that drags does not scroll.
    window.addEventListener('touchmove', (touch) => current && touch.preventDefault(), listen)
    window.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape' || !current) return
        isOver = true
        setDrag(null)
      },
      listen,
    )

    function move(moved: PointerEvent) {
      if (moved.pointerId !== pointerId) return
      const distance = Math.hypot(moved.clientX - clientX, moved.clientY - clientY)
      if (isOver) return
      if (current) begin(moved.clientY)
      else if (isTouch && distance > REST_TREMBLE) end()
      else if (!isTouch && distance > TREMBLE) begin(moved.clientY)
    }

    function drop(up: PointerEvent) {
      if (up.pointerId !== pointerId) return
      const dropped = current
      end()
      if (!dropped) return
      swallowClick()
      if (!isOver) onDrop(dropped)
    }
  }

  function placeOf(clientY: number): number {
    const { top = 0, height = 1 } = bed.current?.getBoundingClientRect() ?? {}
    return Math.min(1, Math.max(0, (clientY - top) / height))
  }

  return { drag, onPointerDown }
}

/** The click that follows a drag is none. */
function swallowClick(): void {
  const ended = new AbortController()
  window.addEventListener(
    'click',
    (click) => {
      click.stopPropagation()
      click.preventDefault()
    },
    { capture: true, signal: ended.signal },
  )
  setTimeout(() => ended.abort())
}
