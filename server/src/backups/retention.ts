/** Which backups are kept: the newest of each of the last 7 days, 4 weeks and 6 months. */

const DAY = 86_400_000

/** For how many days, weeks and months that have a backup the newest one is kept. */
const KEPT = { days: 7, weeks: 4, months: 6 }

/**
 * Returns the backups that are deleted. Days, weeks (from Monday) and months are those of UTC. Only
 * those with a backup count, so a server that was off for a year keeps what it has.
 * @param backups each with its time in epoch milliseconds, in any order.
 */
export function outdated<Backup extends { readonly at: number }>(
  backups: readonly Backup[],
): Backup[] {
  const newestFirst = [...backups].sort((a, b) => b.at - a.at)
  const kept = new Set([
    ...newestOfEach(newestFirst, dayOf, KEPT.days),
    ...newestOfEach(newestFirst, weekOf, KEPT.weeks),
    ...newestOfEach(newestFirst, monthOf, KEPT.months),
  ])
  return newestFirst.filter((backup) => !kept.has(backup))
}

/** Returns the first backup of each of the first `count` periods. */
function newestOfEach<Backup extends { readonly at: number }>(
  newestFirst: readonly Backup[],
  periodOf: (at: number) => number | string,
  count: number,
): Backup[] {
  const found = new Map<number | string, Backup>()
  for (const backup of newestFirst) {
    const period = periodOf(backup.at)
    if (!found.has(period)) found.set(period, backup)
  }
  return [...found.values()].slice(0, count)
}

function dayOf(at: number): number {
  return Math.floor(at / DAY)
}

/** 1970-01-01 was a Thursday. */
function weekOf(at: number): number {
  return Math.floor((dayOf(at) + 3) / 7)
}

function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}
