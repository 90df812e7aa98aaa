/** What a balance is made of. */

/** In the order in which they are explained. `before` and all of them sum to the balance. */
export const BALANCE_PARTS = [
  'opening',
  'worked',
  'owed',
  'holidays',
  'daysOff',
  'corrections',
  'lapsed',
] as const
export type BalancePart = (typeof BALANCE_PARTS)[number]
