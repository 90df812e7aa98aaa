/**
 * The books that the ledger is written from. A press that the screen confirmed is in every ledger; one at which its
 * device died is on the disk or not, and nobody was told: the ending may fit either, whole, but must fit one.
 */
import { createLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'

/** One thing that happened, as it is entered into a ledger. */
export type Entry = (ledger: Ledger) => void

export interface Books {
  readonly enter: (entry: Entry) => void
  /** Enters what was pressed and not confirmed; the function that is returned confirms it. */
  readonly enterUnconfirmed: (entry: Entry) => () => void
  /** The verdict on the ledger that fits best: one without violations, or else that on all that was pressed. */
  readonly best: <V extends { readonly violations: readonly string[] }>(
    judge: (ledger: Ledger) => V,
  ) => V
}

/** A device rarely dies at a press: all combinations of so many are tried. */
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
      const ofAll = judge(ledgerWithout([]))
      if (ofAll.violations.length === 0) return ofAll
      for (let choice = 1; choice < 2 ** doubtful.length; choice += 1) {
        const omitted = doubtful.filter((_, index) => Math.floor(choice / 2 ** index) % 2 === 1)
        const verdict = judge(ledgerWithout(omitted))
        if (verdict.violations.length === 0) return verdict
      }
      return ofAll
    },
  }

  function ledgerWithout(omitted: readonly { readonly entry: Entry }[]): Ledger {
    const ledger = createLedger(devices)
    for (const each of entries) if (!omitted.includes(each)) each.entry(ledger)
    return ledger
  }
}
