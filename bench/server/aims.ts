/** What is aimed at beside the floor and the peer, and how it stands (docs/performance.md). */

/** By the database, the work, and what it is held against: the least ratio that is aimed at. */
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

/** Two runs on a machine that others use as well differ by this share, whatever was changed. */
const NOISE = 0.15

interface Ratios {
  readonly ratio: number
  readonly cpuRatio: number | null
  readonly aim: number | null
}

/** The aim of a pair; null: it is there to compare. */
export function aimOf(database: string, work: string, reference: string): number | null {
  return AIMS[`${database} ${work}, ${reference}`] ?? null
}

/** The end of its line: missed is what is below by more than noise both by requests and by processor time. */
export function verdict({ ratio, cpuRatio, aim }: Ratios): string {
  if (aim === null) return ''
  const best = Math.max(ratio, cpuRatio ?? ratio)
  if (best >= aim) return `; met (${aim})`
  return best >= aim * (1 - NOISE) ? `; within noise of ${aim}` : `; MISSED (${aim})`
}
