/**
 * Explains why the displayed parts do not add up to the total: each is rounded down to minutes. Renders
 * nothing when they do. `keepsLine` reserves the line, so that the layout does not shift while the figures
 * change.
 */
export function RoundedSum({
  sum,
  text,
  keepsLine,
}: {
  /** The sum of the parts as displayed; null when it equals the total. */
  sum: string | null
  /** Returns the sentence about the sum. Decimal hours may be rounded up, minutes only down. */
  text: (sum: string) => string
  keepsLine: boolean
}) {
  if (sum === null && !keepsLine) return null
  return <p className="figures -mt-2 min-h-[1lh] text-xs text-quiet">{sum !== null && text(sum)}</p>
}
