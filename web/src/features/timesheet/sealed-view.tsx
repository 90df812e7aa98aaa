import { Download, Printer } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { t } from '@stint/core/text.ts'
import { formatFullDate, localDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { rangePeriod } from '@stint/core/time/period.ts'
import { openedSeal } from '@stint/core/timesheet/opened-seal.ts'
import type { Difference, SealDifference } from '@stint/core/timesheet/seal-sheet.ts'
import type { SealedSheet } from '@stint/core/timesheet/sealed-sheets.ts'
import type { Timesheet } from '@stint/core/timesheet/timesheet.ts'
import { isDayFirst } from '#hooks/day-order.ts'
import { openEditor } from '#hooks/requests.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useRecord } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { later } from '#ui/later.tsx'
import { LayoutControls } from './sheet-controls.tsx'
import { sheetHash } from './sheet-hash.ts'
import { SheetPaper } from './sheet-paper.tsx'
import { usePricing } from './use-pricing.ts'
import { useSealCommands } from './use-seals.ts'
import { useSheetChoices } from './use-sheet-choices.ts'
import { useSheetExport } from './use-sheet-export.ts'

const SealMark = later(async () => (await import('./seal-mark.tsx')).SealMark)

/** A sealed timesheet as its sessions are now: with its seal while nothing differs, else with what does. */
export function SealedView({ sealed }: { sealed: SealedSheet }) {
  const { weekStart } = useSettings()
  const [choices, setChoices] = useSheetChoices()
  const { sheet, filter, differences, hasRates } = useSealed(sealed)
  const hash = useHash(sheet)
  const { unseal } = useSealCommands()
  const hasAmounts = choices.showsAmounts && hasRates
  const { rounding, onlyBillable } = sealed
  const shown = useMemo(
    () => ({ ...choices, rounding, onlyBillable, hasAmounts }),
    [choices, rounding, onlyBillable, hasAmounts],
  )
  const download = useSheetExport(sheet, sealed.dates, shown)
  const isSame = hash === sealed.hash && differences.length === 0
  return (
    <>
      {hash !== null && !isSame && <Differences sealed={sealed} differences={differences} />}
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <Button variant="primary" onClick={() => window.print()}>
          <Icon of={Printer} />
          {t('Print')}
        </Button>
        <Button onClick={download}>
          <Icon of={Download} />
          {t('Export CSV')}
        </Button>
        <Button variant="quiet" onClick={() => void unseal(sealed)}>
          {t('Remove seal')}
        </Button>
        <div className="ms-auto">
          <LayoutControls choices={choices} hasRates={hasRates} onChange={setChoices} />
        </div>
      </div>
      <SheetPaper
        sheet={sheet}
        period={rangePeriod(sealed.dates, weekStart)}
        filter={filter}
        choices={shown}
        seal={
          isSame ? (
            <SealMark sealed={sealed} />
          ) : (
            hash !== null && <p>{t('This differs from the sealed timesheet.')}</p>
          )
        }
      />
    </>
  )
}

/** Returns the sheet as it would be now, and what differs from the seal. */
function useSealed(sealed: SealedSheet) {
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  const { view } = useRecord()
  const dayRule = useDayRule()
  const { weekStart, hourCycle } = useSettings()
  const pricing = usePricing()
  return useMemo(() => {
    const { unbilled, rates } = pricing
    const context = { dayRule, weekStart, hourCycle, isDayFirst: isDayFirst(), unbilled }
    const all = view.entries.all()
    const opened = openedSeal(sealed, { entries, all, tasks: allTasks, context, pricing })
    return { ...opened, hasRates: rates.length > 0 }
  }, [sealed, entries, allTasks, view, dayRule, weekStart, hourCycle, pricing])
}

/** Returns the hash of the sheet; null until it is known, '' where the browser has none. */
function useHash(sheet: Timesheet): string | null {
  const [known, setKnown] = useState<{ sheet: Timesheet; hash: string } | null>(null)
  useEffect(() => {
    let isWanted = true
    const keep = (hash: string) => isWanted && setKnown({ sheet, hash })
    sheetHash(sheet).then(keep, () => keep(''))
    return () => {
      isWanted = false
    }
  }, [sheet])
  return known?.sheet === sheet ? known.hash : null
}

/** What differs from the seal, each session with a button that opens it. */
function Differences({
  sealed,
  differences,
}: {
  sealed: SealedSheet
  differences: readonly SealDifference[]
}) {
  return (
    <section className="flex flex-col gap-1 rounded-panel border border-line bg-surface p-4 text-ink">
      <h2 className="font-semibold">
        {differences.length === 0
          ? t('Names, rates or the time zone changed since this was sealed.')
          : t(
              '{count, plural, one {# session differs} other {# sessions differ}} from what was sealed on {date}',
              { count: differences.length, date: formatFullDate(sealed.sealedOn) },
            )}
      </h2>
      <ul aria-label={t('Differences to the seal')}>
        {differences.map((difference) => (
          <DifferenceRow key={difference.entry.id} difference={difference} />
        ))}
      </ul>
    </section>
  )
}

function DifferenceRow({ difference }: { difference: SealDifference }) {
  const { entry, taskName, what, sealedSeconds, seconds } = difference
  const day = formatFullDate(localDate(entry.startedAt, useDayRule()))
  const times =
    sealedSeconds === seconds
      ? exactDuration(seconds)
      : `${exactDuration(sealedSeconds)} → ${exactDuration(seconds)}`
  const text = `${day} · ${taskName} · ${what.map((each) => WORDS[each]).join(', ')} · ${times}`
  return (
    <li className="figures text-sm">
      {entry.deletedAt === null ? (
        <button
          type="button"
          className="py-1 text-start underline-offset-2 hover:underline"
          onClick={() => openEditor({ kind: 'edit', entryId: entry.id })}
        >
          {text}
        </button>
      ) : (
        text
      )}
    </li>
  )
}

const WORDS: Readonly<Record<Difference, string>> = {
  deleted: t('difference|deleted'),
  time: t('difference|another time'),
  task: t('difference|another task'),
  billable: t('difference|billable or not'),
  note: t('difference|another note'),
  added: t('difference|added'),
}
