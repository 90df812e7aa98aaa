/**
 * Ids that follow from others, such as that of the second part of a split entry. They have a file of
 * their own, which the first screen does not load.
 */
import type { TimeEntry } from './time-entry.ts'

/**
 * Returns the id of the second part when an entry is split. Two devices that split the same version
 * of the entry make one second part, not two, even at different times.
 *
 * @param version the entry as the backend last had it
 */
export function splitId(entry: TimeEntry, version: TimeEntry): string {
  const { id, startedAt, endedAt } = entry
  return idFrom(`split ${id} ${version.updatedAt} ${startedAt} ${endedAt}`)
}

/** Returns the FNV-1a hash of 128 bits, in the characters that an id may have. */
export function idFrom(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn
  for (const letter of text) {
    const mixed = hash ^ BigInt(letter.charCodeAt(0))
    hash = BigInt.asUintN(128, mixed * 0x1000000000000000000013bn)
  }
  return hash.toString(36)
}
