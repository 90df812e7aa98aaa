/** Says what a row of a file states, and how what is counted of it differs. */
import type { Added } from './import-plan.ts'
import type { DifferenceKind, StatedRow } from './import-statement.ts'

/** Returns what a row says that is left out. */
export function leftOutOf(added: Added, kind: DifferenceKind): StatedRow {
  const statedSeconds = statedSecondsOf(added)
  return {
    month: monthOf(added),
    statedSeconds,
    countedSeconds: 0,
    differences: { [kind]: -statedSeconds },
  }
}

/** Returns what a row says in seconds: its duration if it has one, else what is between its times. */
export function statedSecondsOf(added: Added): number {
  if (added.kind === 'own') return added.entry.durationSeconds
  const { when } = added.entry
  if (when.kind === 'day') return when.seconds
  return when.statedSeconds ?? (when.endedAt - when.startedAt) / 1000
}

function monthOf(added: Added): string | null {
  return added.kind === 'table' ? added.entry.month : added.month
}

const MINUTE_SECONDS = 60

/** Returns what a row says, and how what is counted differs. */
export function statedOf(added: Added, countedSeconds: number): StatedRow {
  const month = monthOf(added)
  const statedSeconds = statedSecondsOf(added)
  const left = countedSeconds - statedSeconds
  if (added.kind === 'own' || left === 0)
    return { month, statedSeconds, countedSeconds, differences: {} }
  const { when } = added.entry
  if (when.kind === 'times' && when.statedSeconds === null) {
    const { pausedSeconds } = when
    const rounding = left + pausedSeconds
    const differences = {
      ...(pausedSeconds > 0 && { breaks: -pausedSeconds }),
      ...(rounding !== 0 && { rounding }),
    }
    return { month, statedSeconds, countedSeconds, differences }
  }
  const kind = Math.abs(left) < MINUTE_SECONDS ? 'rounding' : 'durations'
  return { month, statedSeconds, countedSeconds, differences: { [kind]: left } }
}
