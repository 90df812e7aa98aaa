/**
 * Explains why the displayed parts do not add up to the total: each is rounded down to minutes. Renders
 * nothing when they do. `keepsLine` reserves the line, so that the layout does not shift while a timer
 * runs.
 */
import { t } from '@stint/core/text.ts'

export function RoundedSum({
  what,
  sum,
  isDecimal = false,
  keepsLine,
}: {
  /** The name of the parts, such as 'the bars'. */
  what: string
  /** The sum of the parts as displayed; null when it equals the total. */
  sum: string | null
  /** True: the parts are decimal hours, which may be rounded up. */
  isDecimal?: boolean
  keepsLine: boolean
}) {
  if (sum === null && !keepsLine) return null
  return (
    <p className="figures -mt-2 min-h-[1lh] text-xs text-quiet">
      {sum !== null &&
        `${isDecimal ? 'Rounded' : t('Rounded down to minutes')}, ${what} add up to ${sum}.`}
    </p>
  )
}
