import { Coins, Download, Printer, Stamp } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import type { FoundSessions } from '@stint/core/reports/found-sessions.ts'
import { t } from '@stint/core/text.ts'
import { periodDates } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { timesheet } from '@stint/core/timesheet/timesheet.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { later } from '#ui/later.tsx'
import { SealedList } from './sealed-list.tsx'
import { SheetControls } from './sheet-controls.tsx'
import { SheetPaper } from './sheet-paper.tsx'
import { usePricing } from './use-pricing.ts'
import { useSheetChoices } from './use-sheet-choices.ts'
import { useSheetExport } from './use-sheet-export.ts'

const RatesDialog = later(async () => (await import('./rates-dialog.tsx')).RatesDialog)
const SealDialog = later(async () => (await import('./seal-dialog.tsx')).SealDialog)

/** The timesheet of a period over what a filter has found, as it is printed, with its choices. */
export function Sheet({
  period,
  text,
  filter,
  found,
}: {
  period: Period
  /** The text of the filter box, and what it means. */
  text: string
  filter: SessionFilter
  found: FoundSessions
}) {
  const { allTasks } = useTasks()
  const [choices, setChoices] = useSheetChoices()
  const { rounding, onlyBillable } = choices
  const dates = useMemo(() => periodDates(period), [period])
  const pricing = usePricing()
  const [asksRates, setAsksRates] = useState(false)
  const [asksSeal, setAsksSeal] = useState(false)
  const sheet = useMemo(
    () => timesheet(found, dates, allTasks, { rounding, pricing, onlyBillable }),
    [found, dates, allTasks, rounding, pricing, onlyBillable],
  )
  const hasAmounts = choices.showsAmounts && pricing.rates.length > 0
  const shown = useMemo(() => ({ ...choices, hasAmounts }), [choices, hasAmounts])
  const download = useSheetExport(sheet, dates, shown)
  const isEmpty = sheet.lines.length === 0
  return (
    <>
      <SheetControls choices={choices} hasRates={pricing.rates.length > 0} onChange={setChoices} />
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button variant="primary" disabled={isEmpty} onClick={() => window.print()}>
          <Icon of={Printer} />
          {t('Print')}
        </Button>
        <Button disabled={isEmpty} onClick={download}>
          <Icon of={Download} />
          {t('Export CSV')}
        </Button>
        <Button disabled={isEmpty} aria-haspopup="dialog" onClick={() => setAsksSeal(true)}>
          <Icon of={Stamp} />
          {t('Seal')}
        </Button>
        {asksSeal && (
          <SealDialog
            sheet={sheet}
            about={{ dates, filter: text.trim(), rounding, onlyBillable }}
            onClose={() => setAsksSeal(false)}
          />
        )}
        <Button
          variant="quiet"
          aria-haspopup="dialog"
          className="ms-auto"
          onClick={() => setAsksRates(true)}
        >
          <Icon of={Coins} />
          {t('Rates')}
        </Button>
        {asksRates && <RatesDialog onClose={() => setAsksRates(false)} />}
      </div>
      <SheetPaper sheet={sheet} period={period} filter={filter} choices={shown} />
      <SealedList />
    </>
  )
}
