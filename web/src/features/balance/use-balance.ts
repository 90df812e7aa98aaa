/** The hours account of the user, kept up to date. */
import { hoursAccount } from '@stint/core/balance/account.ts'
import type { HoursAccount } from '@stint/core/balance/account.ts'
import { hoursBalance } from '@stint/core/balance/balance.ts'
import type { HoursBalance } from '@stint/core/balance/balance.ts'
import { itemText } from '@stint/core/balance/item-text.ts'
import { prefsWithItem } from '@stint/core/balance/items.ts'
import type { Holiday, Item } from '@stint/core/balance/items.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { useMemo } from 'react'

import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useValue } from '#session/signed-in.ts'

/** Returns the account; the same object while its preferences are the same. */
export function useHoursAccount(): HoursAccount {
  return hoursAccount(useValue('settings')?.prefs ?? NO_PREFS)
}

const NO_PREFS: Prefs = {}

/** The place whose public holidays were chosen last: 'DE-BY'. No figure depends on it. */
const PLACE = 'holidayPlace'

/** Returns that place, or ''. */
export function useHolidayPlace(): string {
  const place = useValue('settings')?.prefs[PLACE]
  return typeof place === 'string' ? place : ''
}

/** Returns the balance; null while no contract has begun. */
export function useBalance(input: ReportInput, account: HoursAccount): HoursBalance | null {
  return useMemo(() => hoursBalance(input, account), [input, account])
}

export interface BalanceCommands {
  /** Saves an item, in place of another one if there is one, and offers to undo it. */
  readonly save: (item: Item, instead: Item | null) => Promise<void>
  /** Saves public holidays, and the place that they are of. */
  readonly saveHolidays: (
    items: readonly Holiday[],
    place: string,
    message: string,
  ) => Promise<void>
  readonly remove: (item: Item) => Promise<void>
  /** Says which sessions count. */
  readonly saveFilter: (filter: string) => Promise<void>
}

export function useBalanceCommands(): BalanceCommands {
  const { change } = useRecordCommands()
  const apply = async (changes: Prefs, message: string) => {
    await change({ prefs: { changes } }, message)
  }
  return {
    save: (item, instead) =>
      apply(prefsWithItem(item, instead), t('Saved: {line}', { line: itemText(item) })),
    saveHolidays: (items, place, message) =>
      apply(
        Object.assign({ [PLACE]: place }, ...items.map((item) => prefsWithItem(item, null))),
        message,
      ),
    remove: (item) =>
      apply(prefsWithItem(null, item), t('Removed: {line}', { line: itemText(item) })),
    saveFilter: (filter) =>
      apply({ balanceFilter: filter === '' ? undefined : filter }, t('Saved which sessions count')),
  }
}
