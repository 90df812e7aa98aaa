/** How its owner wants timesheets. The choice is a preference of the account, as short words: '15 up line day'. */
import type { Prefs } from '#settings.ts'
import { NO_ROUNDING, ROUNDED_UNITS, ROUNDING_DIRECTIONS, ROUNDING_STEPS } from './rounding.ts'
import type { Rounding } from './rounding.ts'
import { SHEET_GROUPS } from './timesheet.ts'
import type { SheetGrouping } from './timesheet.ts'

export interface SheetChoices {
  readonly rounding: Rounding
  /** What the lines are under. */
  readonly groupBy: SheetGrouping
  /** Whether the exact times and the sessions stand beside the lines. */
  readonly showsExact: boolean
  /** Leaves out what is not billable. */
  readonly onlyBillable: boolean
  /** Whether amounts are shown, once there are rates. */
  readonly showsAmounts: boolean
}

const PREFERENCE = 'timesheet'
const EXACT = 'exact'
const BILLABLE = 'billable'
const NO_AMOUNTS = 'no-amounts'

/** Reads the choices. Never throws: what is missing or unknown is the default, exact times by day. */
export function sheetChoices(prefs: Prefs): SheetChoices {
  const stored = prefs[PREFERENCE]
  const words = typeof stored === 'string' ? stored.split(' ') : []
  const chosen = <T extends string | number>(known: readonly T[], otherwise: T) =>
    known.find((each) => words.includes(String(each))) ?? otherwise
  return {
    rounding: {
      step: chosen(ROUNDING_STEPS, NO_ROUNDING.step),
      direction: chosen(ROUNDING_DIRECTIONS, NO_ROUNDING.direction),
      per: chosen(ROUNDED_UNITS, NO_ROUNDING.per),
    },
    groupBy: chosen(SHEET_GROUPS, 'day'),
    showsExact: words.includes(EXACT),
    onlyBillable: words.includes(BILLABLE),
    showsAmounts: !words.includes(NO_AMOUNTS),
  }
}

/** Returns the preferences that keep the choices. */
export function prefsWithChoices(choices: SheetChoices): Prefs {
  const { step, direction, per } = choices.rounding
  const flags = [
    ...(choices.showsExact ? [EXACT] : []),
    ...(choices.onlyBillable ? [BILLABLE] : []),
    ...(choices.showsAmounts ? [] : [NO_AMOUNTS]),
  ]
  return { [PREFERENCE]: [step, direction, per, choices.groupBy, ...flags].join(' ') }
}
