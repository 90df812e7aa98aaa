import type { HoursAccount } from '@stint/core/balance/account.ts'
import { itemsOf } from '@stint/core/balance/account.ts'
import { itemText } from '@stint/core/balance/item-text.ts'
import { ABSENCES } from '@stint/core/balance/items.ts'
import type { Absence, DayOff, Portion } from '@stint/core/balance/items.ts'
import { lineProblem } from '@stint/core/balance/line.ts'
import { costOfDayOff, daysOffWithin, markedDays } from '@stint/core/balance/marked-days.ts'
import { t } from '@stint/core/text.ts'
import { addDays } from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { datesText } from '@stint/core/time/date-text.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { useSettings } from '#hooks/use-settings.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { tint } from '#ui/tint.ts'
import { useBalanceCommands } from './use-balance.ts'
import { YearGrid } from './year-grid.tsx'
import type { DayMark } from './year-grid.tsx'

const TINTS = { holiday: 'violet', vacation: 'teal', sick: 'orange', other: 'slate' } as const
const ABSENCE_NAMES: Readonly<Record<Absence, string>> = {
  vacation: t('Vacation'),
  sick: t('Sick'),
  other: t('Day off'),
}
const KINDS = [
  ['holiday', t('Public holiday')],
  ...ABSENCES.map((absence) => [absence, ABSENCE_NAMES[absence]] as const),
] as const

/** A year with what is off in it. Days off are drawn on it. */
export function YearCalendar({ account, today }: { account: HoursAccount; today: CalendarDate }) {
  const { weekStart } = useSettings()
  const [year, setYear] = useState(Number(today.slice(0, 4)))
  const [selected, setSelected] = useState<DateRange | null>(null)
  const [isChosen, setIsChosen] = useState(false)
  const marks = useMemo(() => marksOf(account, year), [account, year])
  const area = useRef<HTMLDivElement>(null)
  const select = (dates: DateRange | null) => {
    setIsChosen(false)
    setSelected(dates)
  }
  const show = (next: number) => {
    select(null)
    setYear(next)
  }
  // Escape and a saved day off lead back to the day. It has the focus only when the old choice is gone: a press that
  // comes with the focus would otherwise be taken for one within that choice.
  const close = () => {
    flushSync(() => select(null))
    area.current?.querySelector<HTMLElement>('[data-date][tabindex="0"]')?.focus()
  }
  const choose = useCallback(() => setIsChosen(true), [])
  return (
    // Not a panel, which clips: the choice stays in view wherever the days are.
    <div className="rounded-panel border border-line bg-surface p-4 md:p-5">
      <div ref={area} className="flex flex-col gap-4">
        <div className="flex items-center gap-1">
          <IconButton
            icon={ChevronLeft}
            label={t('The year before')}
            onClick={() => show(year - 1)}
          />
          <h3 aria-live="polite" className="figures text-base font-semibold">
            {year}
          </h3>
          <IconButton
            icon={ChevronRight}
            label={t('The next year')}
            onClick={() => show(year + 1)}
          />
          <Legend />
        </div>
        <YearGrid
          year={year}
          weekStart={weekStart}
          today={today}
          marks={marks}
          selected={selected}
          onSelect={select}
          onChoose={choose}
        />
        {selected === null || !isChosen ? (
          <p className="text-sm text-quiet">
            {t(
              'Draw over days with the mouse, press the first and the last, or use arrow keys with Shift and Enter.',
            )}
          </p>
        ) : (
          <Choice
            key={`${selected.from} ${selected.to}`}
            account={account}
            dates={selected}
            onClose={close}
          />
        )}
      </div>
    </div>
  )
}

function marksOf(account: HoursAccount, year: number): ReadonlyMap<CalendarDate, DayMark> {
  const range = { from: `${year}-01-01`, to: `${year + 1}-01-01` } as const
  return new Map(
    [...markedDays(account, range)].map(([date, { kind, isWhole, items }]) => {
      return [date, { tint: TINTS[kind], isWhole, text: items.map(itemText).join(', ') }] as const
    }),
  )
}

function Legend() {
  return (
    <ul className="ms-auto flex flex-wrap justify-end gap-x-4 gap-y-1 text-xs text-quiet">
      {KINDS.map(([kind, name]) => (
        <li key={kind} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            style={{ backgroundColor: tint(TINTS[kind]) }}
            className="size-2.5 rounded-full"
          />
          {name}
        </li>
      ))}
    </ul>
  )
}

const PORTIONS: readonly { value: Extract<Portion, string>; label: string }[] = [
  { value: 'whole', label: t('portion|All day') },
  { value: 'am', label: t('portion|Morning') },
  { value: 'pm', label: t('portion|Afternoon') },
]

/** What the selected days are: a new day off, or one of those that are there, to be removed. */
function Choice({
  account,
  dates,
  onClose,
}: {
  account: HoursAccount
  dates: DateRange
  onClose: () => void
}) {
  const { save, remove } = useBalanceCommands()
  const [portion, setPortion] = useState<Extract<Portion, string>>('whole')
  const [problem, setProblem] = useState<string | null>(null)
  const first = useRef<HTMLDivElement>(null)
  const itemOf = (absence: Absence): DayOff => {
    const { from, to } = dates
    return { kind: 'dayoff', absence, from, last: addDays(to, -1), portion }
  }
  const cost = costOfDayOff(account, itemOf('vacation'))
  const known = daysOffWithin(account, dates)

  useEffect(() => {
    first.current?.querySelector('button')?.focus()
  }, [])

  async function add(absence: Absence) {
    const item = itemOf(absence)
    const found = lineProblem(item, itemsOf(account))
    setProblem(found)
    if (found !== null) return
    await save(item, null)
    onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles events of its controls, and is none itself
    <section
      aria-label={datesText(dates)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
      className="sticky bottom-2 z-10 max-md:bottom-36 flex flex-col gap-3 rounded-panel border border-line bg-raised p-3 shadow-float"
    >
      <p className="text-sm">
        <span className="font-semibold">{datesText(dates)}</span>{' '}
        <span className="text-quiet">
          {t('costs {days, plural, one {# day} other {# days}} of vacation', {
            days: cost / 100,
          })}
        </span>
      </p>
      {problem !== null && <Banner>{problem}</Banner>}
      <div ref={first} className="flex flex-wrap items-center gap-2">
        {ABSENCES.map((absence) => (
          <Button key={absence} onClick={() => void add(absence)}>
            {ABSENCE_NAMES[absence]}
          </Button>
        ))}
        <Segmented
          label={t('portion|Part of the day')}
          options={PORTIONS}
          value={portion}
          onChange={setPortion}
        />
        <Button variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
      {known.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {known.map((item) => (
            <Button
              key={itemText(item)}
              variant="quiet"
              size="small"
              onClick={() => {
                void remove(item)
                onClose()
              }}
            >
              {t('Remove {line}', { line: itemText(item) })}
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}
