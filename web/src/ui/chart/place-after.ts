import type { Axis } from './marks.tsx'

/**
 * Returns the place, 0 … `last`, that a key moves to along an axis; null for other keys. Home and End are
 * keys of the line.
 */
export function placeAfter(
  key: string,
  place: number,
  last: number,
  axis: Axis = 'across',
): number | null {
  const [back, forward] = axis === 'across' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  if (key === forward) return Math.min(place + 1, last)
  if (key === back) return Math.max(place - 1, 0)
  if (axis === 'across' && key === 'Home') return 0
  return axis === 'across' && key === 'End' ? last : null
}
