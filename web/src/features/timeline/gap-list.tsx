import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import type { ReactNode } from 'react'
import type { GapRow } from '@stint/core/record/decided-gaps.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { Button } from '#ui/button.tsx'
import { useFormats } from '#hooks/use-formats.ts'
import type { DecidedGaps } from './use-decided-gaps.ts'

/** The untracked time of the day and the actions on it. */
export function GapList({
  rows,
  gaps: { decide, remove },
  week,
  dayRule,
  onFill,
}: {
  rows: readonly GapRow[]
  gaps: DecidedGaps
  /** As in '3h 20m this week'. */
  week: string
  dayRule: DayRule
  onFill: (gap: Interval) => void
}) {
  const { duration, timeInRange } = useFormats()
  return (
    <div className="print:hidden">
      <h3 className="text-sm font-semibold">{t('Untracked')}</h3>
      <p className="figures text-sm text-quiet">{week}</p>
      {rows.length === 0 && <p className="mt-3 text-sm text-quiet">{t('No gaps on this day')}</p>}
      <ul hidden={rows.length === 0} className="mt-2 divide-y divide-line text-sm">
        {rows.map(({ interval, decided }) => {
          const { start, end } = interval
          const times = `${timeInRange(start, dayRule.timeZone)} – ${timeInRange(end, dayRule.timeZone)}`
          const act = (label: string, run: () => void) => (
            <RowButton label={label} times={times} onPress={run} />
          )
          return (
            <li
              key={start}
              tabIndex={-1}
              className="flex flex-wrap items-center justify-between gap-x-3 py-2"
            >
              <span className="figures whitespace-nowrap">
                {times} <span className="text-quiet">· {duration((end - start) / 1000)}</span>
                {decided && (
                  <span className="text-quiet">
                    {' '}
                    · {decided.decision === 'break' ? t('gap|break') : t('gap|ignored')}
                  </span>
                )}
              </span>
              <span className="-mx-2.5 flex flex-wrap">
                {decided ? (
                  act(t('Undo'), () => void remove(decided))
                ) : (
                  <>
                    {act(t('Fill'), () => onFill(interval))}
                    {act(t('Mark as break'), () => void decide(interval, 'break'))}
                    {act(t('Ignore'), () => void decide(interval, 'ignored'))}
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function RowButton({
  label,
  times,
  onPress,
}: {
  label: string
  times: string
  onPress: () => void
}): ReactNode {
  return (
    <Button
      variant="quiet"
      size="small"
      onClick={(event) => {
        // The button may be replaced by another, so the focus moves to its row first.
        event.currentTarget.closest('li')?.focus()
        onPress()
      }}
    >
      {label}
      <span className="sr-only"> {times}</span>
    </Button>
  )
}
