/** In which orders presses may be stored that were made at nearly the same time. */

interface Press {
  readonly key: string
  /** True time. */
  readonly at: number
  readonly device?: number
  /** What its device had heard of. */
  readonly heard?: ReadonlySet<string>
}

/** Seven presses within a second have at most so many orders, if one device has made four of them. */
const MAX_ORDERS = 35

/**
 * Returns the presses in each order in which they may be stored: those of different devices that had not heard of each
 * other may change places if they are no further apart than `precision`, in milliseconds.
 * @param presses in order of time
 */
export function ordersWithin<P extends Press>(
  presses: readonly P[],
  precision: number,
): readonly (readonly P[])[] {
  const orders = new Map([[keysOf(presses), presses]])
  // Orders are added while they are gone through.
  for (const order of orders.values()) {
    for (const [index, press] of order.entries()) {
      const next = order[index + 1]
      if (!next || orders.size >= MAX_ORDERS || !mayChangePlaces(press, next, precision)) continue
      const swapped = order.with(index, next).with(index + 1, press)
      if (!orders.has(keysOf(swapped))) orders.set(keysOf(swapped), swapped)
    }
  }
  return [...orders.values()]
}

function mayChangePlaces(press: Press, other: Press, precision: number): boolean {
  const isHeard = press.heard?.has(other.key) === true || other.heard?.has(press.key) === true
  return press.device !== other.device && !isHeard && Math.abs(press.at - other.at) <= precision
}

function keysOf(presses: readonly Press[]): string {
  return presses.map(({ key }) => key).join(' ')
}
