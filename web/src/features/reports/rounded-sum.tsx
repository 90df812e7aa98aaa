/**
 * What parts add up to as they are written, where the total beside them says more: each is cut to whole
 * minutes. Nothing where they agree; while a timer runs its line stays free, so that nothing moves.
 */
export function RoundedSum({
  what,
  sum,
  isDecimal = false,
  keepsLine,
}: {
  /** 'the bars' */
  what: string
  /** As text; null where it is the total. */
  sum: string | null
  /** The parts are hundredths of hours, which may be rounded up. */
  isDecimal?: boolean
  keepsLine: boolean
}) {
  if (sum === null && !keepsLine) return null
  return (
    <p className="figures -mt-2 min-h-[1lh] text-xs text-quiet">
      {sum !== null &&
        `${isDecimal ? 'Rounded' : 'Rounded down to minutes'}, ${what} add up to ${sum}.`}
    </p>
  )
}
