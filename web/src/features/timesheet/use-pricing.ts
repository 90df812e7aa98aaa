/** The rates of the account, and which categories are billable. They are stored with the account. */
import { prefsWithCategory, unbilledCategories } from '@stint/core/record/billable.ts'
import { prefsWithRate, ratesOf } from '@stint/core/timesheet/rates.ts'
import type { Rate } from '@stint/core/timesheet/rates.ts'
import type { Pricing } from '@stint/core/timesheet/timesheet.ts'
import { t } from '@stint/core/text.ts'
import { useMemo } from 'react'

import { useValue } from '#session/signed-in.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'

export interface PricingCommands {
  /** Saves a rate in the place of one of the same task or category and day, and offers to undo it. */
  readonly save: (rate: Rate) => Promise<boolean>
  readonly remove: (rate: Rate) => Promise<boolean>
  /** Makes sessions of a category billable by default, or not. */
  readonly setBillable: (category: string, isBillable: boolean) => Promise<boolean>
}

/** Returns the rates and what is billable, and re-renders when they change. */
export function usePricing(): Pricing {
  const prefs = useValue('settings')?.prefs
  return useMemo(
    () => ({ rates: ratesOf(prefs ?? {}), unbilled: unbilledCategories(prefs ?? {}) }),
    [prefs],
  )
}

/** Returns the commands that change them. */
export function usePricingCommands(): PricingCommands {
  const { change } = useRecordCommands()
  return {
    save: (rate) => change({ prefs: { changes: prefsWithRate(rate, true) } }, t('Rate saved')),
    remove: (rate) => change({ prefs: { changes: prefsWithRate(rate, false) } }, t('Rate removed')),
    setBillable: (category, isBillable) =>
      change(
        { prefs: { changes: prefsWithCategory(category, isBillable) } },
        isBillable
          ? t('{category} is billable', { category })
          : t('{category} is not billable', { category }),
      ),
  }
}
