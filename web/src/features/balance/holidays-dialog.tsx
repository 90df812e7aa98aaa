import type { HoursAccount } from '@stint/core/balance/account.ts'
import type { Holiday } from '@stint/core/balance/items.ts'
import { MAX_ITEMS } from '@stint/core/balance/items.ts'
import { t } from '@stint/core/text.ts'
import { formatWeekdayAndDate, isCalendarDate } from '@stint/core/time/calendar.ts'
import { useMemo, useState } from 'react'

import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Scroller } from '#ui/scroller.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { countries, holidaysOf, regionsOf } from './public-holidays.ts'
import { useBalanceCommands, useHolidayPlace } from './use-balance.ts'

/** Chooses the public holidays of a year by country and region. Each can be left out. */
export function HolidaysDialog({
  account,
  year: thisYear,
  onClose,
}: {
  account: HoursAccount
  /** The year of today. */
  year: number
  onClose: () => void
}) {
  const { saveHolidays } = useBalanceCommands()
  const [place, setPlace] = useState(useHolidayPlace())
  const [year, setYear] = useState(() => firstMissing(account, thisYear))
  const [hasHalves, setHasHalves] = useState(false)
  const [struck, setStruck] = useState<ReadonlySet<string>>(NONE)
  const [country = ''] = place.split('-')
  const places = useMemo(() => countries(), [])
  const regions = useMemo(() => regionsOf(country), [country])
  const known = new Set(account.holidays.map(({ from }) => from))
  const offered = useMemo(
    () => withHalves(country === '' ? [] : holidaysOf(place, year), hasHalves, year),
    [country, place, year, hasHalves],
  )
  const chosen = offered.filter(({ from }) => !known.has(from) && !struck.has(from))
  const room = MAX_ITEMS.holiday - account.holidays.length

  const choose = (next: string) => {
    setPlace(next)
    setStruck(NONE)
  }
  const add = () => {
    void saveHolidays(
      chosen.slice(0, room),
      place,
      t('{count, plural, one {Added # public holiday} other {Added # public holidays}}', {
        count: Math.min(chosen.length, room),
      }),
    )
    onClose()
  }

  return (
    <Dialog open title={t('Public holidays')} onClose={onClose}>
      <SelectField
        label={t('Country')}
        value={country}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{t('Choose a country')}</option>
        {places.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      {regions.length > 0 && (
        <SelectField
          label={t('Region')}
          value={place}
          onChange={({ target }) => choose(target.value)}
        >
          <option value={country}>{t('The whole country')}</option>
          {regions.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={t('Year')}
        value={year}
        onChange={({ target }) => setYear(Number(target.value))}
      >
        {YEARS.map((step) => (
          <option key={step} value={thisYear + step}>
            {thisYear + step}
          </option>
        ))}
      </SelectField>
      <Checkbox
        label={t('24 and 31 December are half days off')}
        checked={hasHalves}
        onChange={({ target }) => setHasHalves(target.checked)}
      />
      {offered.length > 0 && (
        <Scroller
          label={t('Public holidays')}
          className="-mx-5 max-h-[40dvh] overflow-y-auto border-y border-line px-5"
        >
          <ul>
            {offered.map(({ from, name, isHalf }) => (
              <li key={from}>
                <Checkbox
                  label={
                    <>
                      <span className="figures">{formatWeekdayAndDate(from, false)}</span> {name}
                      {isHalf && ` ${t('(half a day)')}`}
                    </>
                  }
                  checked={known.has(from) || !struck.has(from)}
                  disabled={known.has(from)}
                  onChange={() => setStruck(toggled(struck, from))}
                />
              </li>
            ))}
          </ul>
        </Scroller>
      )}
      <p className="text-xs">
        {/* not translated: a name and a licence */}
        date-holidays, CC BY-SA 3.0
      </p>
      <FormActions>
        <Button variant="primary" disabled={chosen.length === 0 || room <= 0} onClick={add}>
          {t('Add {count}', { count: Math.min(chosen.length, Math.max(room, 0)) })}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </FormActions>
    </Dialog>
  )
}

const NONE: ReadonlySet<string> = new Set()
/** Before and after this year. */
const YEARS = [-3, -2, -1, 0, 1, 2]

/** Returns the first year from the contract on, or else this one or the next, without a public holiday. */
function firstMissing({ contracts, holidays }: HoursAccount, year: number): number {
  const begun = Math.max(year + (YEARS[0] ?? 0), Number(contracts[0]?.from.slice(0, 4) ?? year))
  const missing = (of: number) => !holidays.some(({ from }) => from.startsWith(String(of)))
  return [Math.min(begun, year), year, year + 1].find(missing) ?? year
}

function withHalves(holidays: readonly Holiday[], hasHalves: boolean, year: number): Holiday[] {
  if (!hasHalves) return [...holidays]
  const halves = [
    [`${year}-12-24`, t('Christmas Eve')],
    [`${year}-12-31`, t('New Year’s Eve')],
  ] as const
  return [
    ...holidays.filter(({ from, isHalf }) => !isHalf || !halves.some(([date]) => date === from)),
    ...halves.flatMap(([from, name]): Holiday[] =>
      isCalendarDate(from) && !holidays.some((each) => each.from === from && !each.isHalf)
        ? [{ kind: 'holiday', from, isHalf: true, name }]
        : [],
    ),
  ].toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

function toggled(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}
