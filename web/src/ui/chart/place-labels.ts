/** A label along an axis, in order of its place. */
export interface AxisLabel {
  /** Where it would begin if it were alone. */
  readonly at: number
  readonly height: number
  /** Of labels that do not all have room, the lightest are left out. */
  readonly weight: number
}

/**
 * Returns where each label begins, so that none overlaps another: it moves on by at most `maxShift`.
 * Null is for a label that has no room.
 */
export function placeLabels(
  labels: readonly AxisLabel[],
  length: number,
  maxShift: number,
): (number | null)[] {
  const shown = labels.map((label, index) => ({ ...label, index }))
  for (;;) {
    let end = 0
    /** Where the labels begin that stand without a distance up to the current one. */
    let first = 0
    const places = Array<number | null>(labels.length).fill(null)
    const late = shown.findIndex(({ at, height, index }, place) => {
      const wanted = Math.max(0, Math.min(at, length - height))
      if (wanted > end) first = place
      const top = Math.max(wanted, end)
      places[index] = top
      end = top + height
      return top - wanted > maxShift || end > length
    })
    if (late === -1) return places
    const crowd = shown.slice(first, late + 1)
    const lightest = crowd.reduce((a, b) => (b.weight < a.weight ? b : a))
    shown.splice(shown.indexOf(lightest), 1)
  }
}
