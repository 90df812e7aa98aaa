/** The hours account of a person, read from their preferences. */
import { unbilledCategories } from '#record/billable.ts'
import { MAX_FILTER_TEXT } from '#record/saved-filters.ts'
import type { Prefs } from '#settings.ts'
import { itemOf, MAX_ITEMS } from './items.ts'
import type {
  Allowance,
  Cap,
  Contract,
  Correction,
  DayOff,
  Holiday,
  Item,
  ItemKind,
  PayPeriods,
} from './items.ts'

/** Each list is in the order of its days. */
export interface HoursAccount {
  readonly contracts: readonly Contract[]
  readonly daysOff: readonly DayOff[]
  readonly holidays: readonly Holiday[]
  readonly corrections: readonly Correction[]
  readonly caps: readonly Cap[]
  readonly allowances: readonly Allowance[]
  readonly periods: readonly PayPeriods[]
  /** Which sessions count, in the language of the filter box; '': all. */
  readonly filter: string
  /** The folded categories whose sessions are not billable by default. */
  readonly unbilled: ReadonlySet<string>
}

/** The preference that says which sessions count. */
export const BALANCE_FILTER = 'balanceFilter'

/**
 * Reads the account. Never throws: what is unreadable, or beyond `MAX_ITEMS`, is not counted. The same
 * preferences return the same account.
 */
export function hoursAccount(prefs: Prefs): HoursAccount {
  const known = accounts.get(prefs)
  if (known) return known
  const items = Object.entries(prefs)
    .flatMap(([name, value]) => itemOf(name, value) ?? [])
    .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const of = <Kind extends ItemKind>(kind: Kind) =>
    items.filter((item) => isOf(item, kind)).slice(0, MAX_ITEMS[kind])
  const filter = prefs[BALANCE_FILTER]
  const account = {
    contracts: of('contract'),
    daysOff: of('dayoff'),
    holidays: of('holiday'),
    corrections: of('correction'),
    caps: of('cap'),
    allowances: of('allowance'),
    periods: of('period'),
    filter: typeof filter === 'string' && filter.length <= MAX_FILTER_TEXT ? filter : '',
    unbilled: unbilledCategories(prefs),
  }
  accounts.set(prefs, account)
  return account
}

const accounts = new WeakMap<Prefs, HoursAccount>()

function isOf<Kind extends ItemKind>(
  item: Item,
  kind: Kind,
): item is Extract<Item, { kind: Kind }> {
  return item.kind === kind
}

/** Returns all items of the account. */
export function itemsOf(account: HoursAccount): Item[] {
  const { contracts, daysOff, holidays, corrections, caps, allowances, periods } = account
  return [...contracts, ...daysOff, ...holidays, ...corrections, ...caps, ...allowances, ...periods]
}
