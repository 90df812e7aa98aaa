/** The goals relative to the floor and the peer, and whether they are met (docs/performance.md). */

/** The smallest ratio that is a goal, by database, work and reference. */
const AIMS: Readonly<Record<string, number>> = {
  'sqlite get, floor on SQLite: get': 0.6,
  'sqlite get, Parse Server: get': 20,
  'postgres get, floor on PostgreSQL: get': 0.6,
  'postgres get, Parse Server: get': 4,
  'sqlite list 100, floor on SQLite: list 100, stored JSON': 0.5,
  'postgres list 100, floor on PostgreSQL: list 100, stored JSON': 0.4,
  'sqlite list of 300, floor on SQLite: list of 300': 0.5,
  'sqlite list of 300, counted, floor on SQLite: list of 300, counted': 0.5,
  'sqlite list of 20,000, floor on SQLite: list of 20,000': 0.5,
  'sqlite list of 20,000, counted, floor on SQLite: list of 20,000, counted': 0.5,
  'postgres list of 300, floor on PostgreSQL: list of 300': 0.4,
  'postgres list of 300, counted, floor on PostgreSQL: list of 300, counted': 0.4,
  'postgres list of 20,000, floor on PostgreSQL: list of 20,000': 0.4,
  'postgres list of 20,000, counted, floor on PostgreSQL: list of 20,000, counted': 0.4,
  'sqlite create, floor on SQLite: create, one by one': 4,
  'sqlite create, floor on SQLite: create, together': 0.6,
  'sqlite create, Parse Server: create': 15,
  'sqlite create, Parse Server, live: create': 15,
  'postgres create, floor on PostgreSQL: create, one by one': 0.6,
  'postgres create, Parse Server: create': 4,
  'postgres create, Parse Server, live: create': 4,
}

/** The difference of two equal runs on a shared machine, as a share. */
const NOISE = 0.15

interface Ratios {
  readonly ratio: number
  readonly cpuRatio: number | null
  readonly aim: number | null
}

/** Returns the goal of a pair; null: the pair is for comparison only. */
export function aimOf(database: string, work: string, reference: string): number | null {
  return AIMS[`${database} ${work}, ${reference}`] ?? null
}

/**
 * Returns the end of the line of a result. A goal is missed if both requests per second and
 * processor time are below it by more than the noise.
 */
export function verdict({ ratio, cpuRatio, aim }: Ratios): string {
  if (aim === null) return ''
  const best = Math.max(ratio, cpuRatio ?? ratio)
  if (best >= aim) return `; met (${aim})`
  return best >= aim * (1 - NOISE) ? `; within noise of ${aim}` : `; MISSED (${aim})`
}
