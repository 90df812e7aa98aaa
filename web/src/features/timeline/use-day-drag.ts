/**
 * Dragging on the timeline of a day. A mouse drags at once. A touch drags after a long press, because a
 * touch that moves at once scrolls the page. Escape or a second touch cancels the drag.
 */
import type { DragPart } from '@stint/core/reports/day-timeline.ts'
import { useEffect, useRef, useState } from 'react'
import type { PointerEvent as ReactPointerEvent, RefObject } from 'react'

/** A drag over empty time or of a session. */
export interface DayDrag {
  readonly entryId: string | null
  readonly part: DragPart
  /** The start and the current place of the drag on the axis, 0 to 1 of the shown time. */
  readonly from: number
  readonly to: number
}

/** Movement in pixels that does not start a drag: of a mouse, and of a touch before the long press. */
const MOUSE_TOLERANCE = 4
const TOUCH_TOLERANCE = 8
/** The duration of a long press in milliseconds. */
const LONG_PRESS = 350

/**
 * Returns the current drag; calls `onDrop` when it ends. On the timeline, `data-entry` marks a session
 * and `data-edge` its edges.
 */
export function useDayDrag(
  area: RefObject<HTMLElement | null>,
  onDrop: (drag: DayDrag) => void,
  axis: 'down' | 'across' = 'down',
): { drag: DayDrag | null; onPointerDown: (event: ReactPointerEvent) => void } {
  const [drag, setDrag] = useState<DayDrag | null>(null)
  const cancel = useRef<(() => void) | null>(null)
  useEffect(() => () => cancel.current?.(), [])

  function onPointerDown(event: ReactPointerEvent) {
    const { clientX, clientY, pointerId, pointerType, button, target } = event
    cancel.current?.()
    if (button !== 0 || !(target instanceof Element)) return
    const isTouch = pointerType === 'touch'
    const entry = target.closest<HTMLElement>('[data-entry]')
    // The running timer can be edited but not dragged, as its end is not fixed.
    if (entry?.dataset['entry'] === '') return
    const edge = target.closest<HTMLElement>('[data-edge]')?.dataset['edge']
    const part = edge === 'start' || edge === 'end' ? edge : 'all'
    const start = {
      entryId: entry?.dataset['entry'] ?? null,
      part,
      from: placeOf(event),
    } as const
    let current: DayDrag | null = null
    let isOver = false
    const ended = new AbortController()
    const { signal } = ended

    const begin = (point: Point) => {
      current = { ...start, to: placeOf(point) }
      setDrag(current)
    }
    const rest = isTouch ? setTimeout(() => begin({ clientX, clientY }), LONG_PRESS) : undefined
    const end = () => {
      clearTimeout(rest)
      ended.abort()
      cancel.current = null
      setDrag(null)
    }
    cancel.current = end

    const listen = { signal, passive: false, capture: true }
    window.addEventListener('pointermove', move, listen)
    window.addEventListener('pointerup', drop, listen)
    window.addEventListener('pointercancel', end, listen)
    window.addEventListener('contextmenu', (menu) => current && menu.preventDefault(), listen)
    // Prevents scrolling during a touch drag.
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
      if (current) begin(moved)
      else if (isTouch && distance > TOUCH_TOLERANCE) end()
      else if (!isTouch && distance > MOUSE_TOLERANCE) begin(moved)
    }

    function drop(up: PointerEvent) {
      if (up.pointerId !== pointerId) return
      const dropped = current
      end()
      if (!dropped) return
      suppressNextClick()
      if (!isOver) onDrop(dropped)
    }
  }

  function placeOf(point: Point): number {
    return area.current ? placeIn(area.current, point, axis) : 0
  }

  return { drag, onPointerDown }
}

type Point = Pick<PointerEvent, 'clientX' | 'clientY'>

/** Returns where a point is on the axis of an element, 0 to 1 from its start. */
export function placeIn(
  element: Element,
  { clientX, clientY }: Point,
  axis: 'down' | 'across',
): number {
  const { top, left, right, width, height } = element.getBoundingClientRect()
  const isFromRight = getComputedStyle(element).direction === 'rtl'
  const across = (isFromRight ? right - clientX : clientX - left) / width
  return Math.min(1, Math.max(0, axis === 'down' ? (clientY - top) / height : across))
}

/** Suppresses the click after a drag. */
function suppressNextClick(): void {
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
