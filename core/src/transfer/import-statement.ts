/**
 * What the file says and what Stint counts, in all and by month, with every difference named: the
 * counted time is the stated time and the differences, to the second.
 */

/**
 * 'rounding': a duration beside times is rounded, or a time has parts of a second. 'durations': it
 * differs by a minute or more, and the times count. 'breaks': taken off the times. 'noWork': rows
 * that are breaks, holidays or sick days. 'repeats': the same as an earlier row. 'known': imported
 * already. 'likely': at the times of a session of another task. 'skipped': cannot be read.
 */
export const DIFFERENCES = [
  'rounding',
  'durations',
  'breaks',
  'noWork',
  'repeats',
  'known',
  'likely',
  'skipped',
] as const
export type DifferenceKind = (typeof DIFFERENCES)[number]

export interface Difference {
  readonly kind: DifferenceKind
  /** Whole seconds, below zero for time that is in the file and not counted. */
  readonly seconds: number
  /** How many rows have it. */
  readonly rows: number
}

export interface Sums {
  /** What the file says, in whole seconds. */
  readonly statedSeconds: number
  /** What is imported. */
  readonly countedSeconds: number
  /** The differences that are not zero. */
  readonly differences: readonly Difference[]
}

export interface MonthSums extends Sums {
  /** '2026-03'; null for rows without a date that can be read. */
  readonly month: string | null
}

export interface ImportStatement extends Sums {
  readonly months: readonly MonthSums[]
  /** The total that the file has at its end, in seconds; null if it has none. */
  readonly fileTotalSeconds: number | null
}

/** What one row says and what is counted of it. */
export interface StatedRow {
  readonly month: string | null
  readonly statedSeconds: number
  readonly countedSeconds: number
  /** The differences, which make what is counted of what is stated. */
  readonly differences: Partial<Record<DifferenceKind, number>>
}

/** Adds up the rows. */
export interface StatementBuilder {
  readonly add: (row: StatedRow) => void
  readonly sums: (fileTotalSeconds: number | null) => ImportStatement
}

interface Sum {
  stated: number
  counted: number
  readonly differences: Map<DifferenceKind, { seconds: number; rows: number }>
}

export function startStatement(): StatementBuilder {
  const months = new Map<string | null, Sum>()
  const all = emptySum()
  return {
    add: (row) => {
      const month = months.get(row.month) ?? emptySum()
      months.set(row.month, month)
      addRow(month, row)
      addRow(all, row)
    },
    sums: (fileTotalSeconds) => ({
      ...wholeSums(all),
      months: [...months]
        .map(([month, sum]) => ({ month, ...wholeSums(sum) }))
        .sort((a, b) => ((a.month ?? '~') < (b.month ?? '~') ? -1 : 1)),
      fileTotalSeconds,
    }),
  }
}

function emptySum(): Sum {
  return { stated: 0, counted: 0, differences: new Map() }
}

function addRow(sum: Sum, { statedSeconds, countedSeconds, differences }: StatedRow): void {
  sum.stated += statedSeconds
  sum.counted += countedSeconds
  for (const kind of DIFFERENCES) {
    const seconds = differences[kind]
    if (seconds === undefined) continue
    const so = sum.differences.get(kind) ?? { seconds: 0, rows: 0 }
    sum.differences.set(kind, { seconds: so.seconds + seconds, rows: so.rows + 1 })
  }
}

/** Returns the sums in whole seconds. What is left of parts of a second is rounding. */
function wholeSums({ stated, counted, differences }: Sum): Sums {
  const statedSeconds = Math.round(stated)
  const whole = DIFFERENCES.flatMap((kind): Difference[] => {
    const sum = differences.get(kind)
    return sum ? [{ kind, seconds: Math.round(sum.seconds), rows: sum.rows }] : []
  })
  const left = counted - statedSeconds - whole.reduce((sum, { seconds }) => sum + seconds, 0)
  const rounding = whole.find(({ kind }) => kind === 'rounding')
  const listed =
    rounding || left === 0
      ? whole.map((each) => (each === rounding ? { ...each, seconds: each.seconds + left } : each))
      : [{ kind: 'rounding' as const, seconds: left, rows: 0 }, ...whole]
  return {
    statedSeconds,
    countedSeconds: counted,
    // Rows that are left out are named even if what they say cannot be read.
    differences: listed.filter(({ kind, seconds }) => seconds !== 0 || LEAVES_OUT.has(kind)),
  }
}

const LEAVES_OUT: ReadonlySet<DifferenceKind> = new Set([
  'noWork',
  'repeats',
  'known',
  'likely',
  'skipped',
])
