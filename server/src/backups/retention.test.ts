import { array, assert, boolean, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { outdated } from './retention.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** Returns the days that are left of one backup at 03:00 on each of these days. */
function kept(days: readonly string[]): string[] {
  const backups = days.map((day) => ({ day, at: Date.parse(`${day}T03:00:00Z`) }))
  const gone = new Set(outdated(backups))
  return backups.filter((backup) => !gone.has(backup)).map(({ day }) => day)
}

test.each<[string, string[], string[]]>([
  ['none', [], []],
  ['one', ['2026-01-15'], ['2026-01-15']],
  [
    'eight days of one week and the next: the last seven, and the newest of each week',
    days('2026-01-12', 8),
    days('2026-01-13', 7),
  ],
  [
    'five weeks: the last seven days, three Sundays before, and the end of January',
    days('2026-01-05', 35),
    ['2026-01-18', '2026-01-25', '2026-01-31', '2026-02-01', ...days('2026-02-02', 7)],
  ],
  [
    'a year: seven days, four weeks and six months',
    days('2025-01-01', 365),
    [
      '2025-07-31',
      '2025-08-31',
      '2025-09-30',
      '2025-10-31',
      '2025-11-30',
      '2025-12-14',
      '2025-12-21',
      ...days('2025-12-25', 7),
    ],
  ],
  [
    'those of long ago, because only periods with a backup count',
    ['2019-03-01', '2019-03-02', '2026-01-15'],
    ['2019-03-01', '2019-03-02', '2026-01-15'],
  ],
  [
    'across the turn of a year, whose week is one',
    ['2025-12-29', '2025-12-31', '2026-01-01', '2026-01-04'],
    ['2025-12-29', '2025-12-31', '2026-01-01', '2026-01-04'],
  ],
])('of backups on these days, those are kept: %s', (_, made, expected) => {
  expect(kept(made)).toEqual(expected)
})

test('of several backups of one day only the newest is kept', () => {
  const noon = Date.UTC(2026, 0, 15, 12)
  const backups = [0, 1, 2, 3].map((hours) => ({ at: noon + hours * HOUR }))
  expect(outdated(backups)).toEqual([backups[2], backups[1], backups[0]])
})

const instants = array(
  integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 0) }).map((at) => ({ at })),
  { minLength: 1, maxLength: 120 },
)

test('the newest is kept, seven days and seventeen backups at most, and deleting again deletes nothing', () => {
  assert(
    property(instants, (backups) => {
      const gone = new Set(outdated(backups))
      const left = backups.filter((backup) => !gone.has(backup))
      expect(left.length).toBeLessThanOrEqual(17)
      expect(left.length).toBe(new Set(left).size)
      const newest = Math.max(...times(backups))
      expect(Math.max(...times(left))).toBe(newest)
      expect(outdated(left)).toEqual([])
      // Seven different days are left, if there are so many.
      const daysOf = (all: typeof backups) => new Set(all.map(({ at }) => Math.floor(at / DAY)))
      expect(daysOf(left).size).toBeGreaterThanOrEqual(Math.min(7, daysOf(backups).size))
    }),
  )
})

test('what is kept does not depend on the order of the files', () => {
  assert(
    property(instants, (backups) => {
      expect(times(outdated(backups.toReversed()))).toEqual(times(outdated(backups)))
    }),
  )
})

test('deleting every day leaves what deleting once at the end would, also when days are missing', () => {
  assert(
    property(
      integer({ min: 0, max: 365 }),
      array(boolean(), { minLength: 250, maxLength: 300 }),
      (start, isMade) => {
        const all: { at: number }[] = []
        let left: { at: number }[] = []
        for (const [index, made] of isMade.entries()) {
          if (!made) continue
          const backup = { at: Date.UTC(2025, 0, 1 + start + index, 3) }
          all.push(backup)
          left.push(backup)
          const gone = new Set(outdated(left))
          left = left.filter((each) => !gone.has(each))
        }
        const gone = new Set(outdated(all))
        expect(left).toEqual(all.filter((each) => !gone.has(each)))
      },
    ),
    { numRuns: 30 },
  )
})

function times(backups: readonly { at: number }[]): number[] {
  return backups.map(({ at }) => at)
}

function days(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * DAY).toISOString().slice(0, 10),
  )
}
