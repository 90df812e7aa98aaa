/**
 * Returns a new document id in the provider's format: seconds and milliseconds in hex, then 7
 * random hex digits. ID.unique() of the SDK has the same format, but this function needs no SDK at
 * first paint and uses the platform's random source. The id of a session tells other devices when
 * its start was pressed, so `now` is server time for a session.
 */
export function newDocumentId(now: number = Date.now()): string {
  const seconds = Math.floor(now / 1000).toString(16)
  const milliseconds = (now % 1000).toString(16).padStart(5, '0')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(7)), (byte) =>
    (byte % 16).toString(16),
  ).join('')
  return `${seconds}${milliseconds}${random}`
}
