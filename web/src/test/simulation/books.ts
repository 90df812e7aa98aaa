/**
 * The books from which the ledger is written. A press that the screen confirmed is in every ledger.
 * A press at which its device died may or may not be on the disk, and nobody was told. The ending
 * must then match the ledger with the whole press or the ledger without it.
 */
import { createLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'

/** An event, as a function that enters it into a ledger. */
export type Entry = (ledger: Ledger) => void

export interface Books {
  readonly enter: (entry: Entry) => void
  /** Enters an unconfirmed press. The returned function confirms it. */
  readonly enterUnconfirmed: (entry: Entry) => () => void
  /**
   * Returns the verdict on the ledger with the fewest violations. Of two with as many, the one with more
   * presses counts.
   */
  readonly best: <V extends { readonly violations: readonly string[] }>(
    judge: (ledger: Ledger) => V,
  ) => V
}

/**
 * All combinations of this many unconfirmed presses are tried. More are rare, because a device
 * rarely dies at a press.
 */
const MAX_UNCONFIRMED = 8

export function createBooks(devices: number): Books {
  const entries: { readonly entry: Entry; isConfirmed: boolean }[] = []

  return {
    enter: (entry) => void entries.push({ entry, isConfirmed: true }),
    enterUnconfirmed(entry) {
      const entered = { entry, isConfirmed: false }
      entries.push(entered)
      return () => void (entered.isConfirmed = true)
    },
    best(judge) {
      const doubtful = entries.filter(({ isConfirmed }) => !isConfirmed).slice(-MAX_UNCONFIRMED)
      let best = judge(ledgerWithout([]))
      if (best.violations.length === 0) return best
      for (let choice = 1; choice < 2 ** doubtful.length; choice += 1) {
        const omitted = doubtful.filter((_, index) => Math.floor(choice / 2 ** index) % 2 === 1)
        const verdict = judge(ledgerWithout(omitted))
        if (verdict.violations.length === 0) return verdict
        if (verdict.violations.length < best.violations.length) best = verdict
      }
      return best
    },
  }

  function ledgerWithout(omitted: readonly { readonly entry: Entry }[]): Ledger {
    const ledger = createLedger(devices)
    for (const each of entries) if (!omitted.includes(each)) each.entry(ledger)
    return ledger
  }
}
