/**
 * The ids of what an import makes follow each other, so that an import can be found again by its
 * first id and their number, on any device and after they were sent.
 */

/** How many hex digits at the end of an id are counted. */
const COUNTED_DIGITS = 7
/** The first id leaves room for as many as there may be. */
const MAX_FIRST = 0x8000000

/** Returns the id with which an import begins. `id` is any new id. */
export function firstImportId(id: string): string {
  return idFrom(id.slice(0, -COUNTED_DIGITS), counterOf(id) % MAX_FIRST)
}

/** Returns a function that returns the ids that follow each other from the first one on. */
export function importIds(first: string): () => string {
  const prefix = first.slice(0, -COUNTED_DIGITS)
  let next = counterOf(first)
  return () => idFrom(prefix, next++)
}

/** Returns whether an id is one of the first `count` ids of an import. */
export function isImportId(id: string, first: string, count: number): boolean {
  if (id.length !== first.length || !id.startsWith(first.slice(0, -COUNTED_DIGITS))) return false
  const place = counterOf(id) - counterOf(first)
  return place >= 0 && place < count
}

function counterOf(id: string): number {
  return Number.parseInt(id.slice(-COUNTED_DIGITS), 16)
}

function idFrom(prefix: string, counter: number): string {
  return prefix + counter.toString(16).padStart(COUNTED_DIGITS, '0')
}
