/**
 * Returns a new document id in the format of the SDK's ID.unique(), without the SDK: seconds and
 * milliseconds in hex, then 7 random hex digits. The id of a session tells other devices when its start
 * was pressed, so `now` is server time for a session.
 */
export function newDocumentId(now: number = Date.now()): string {
  const seconds = Math.floor(now / 1000).toString(16)
  const milliseconds = (now % 1000).toString(16).padStart(5, '0')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(7)), (byte) =>
    (byte % 16).toString(16),
  ).join('')
  return `${seconds}${milliseconds}${random}`
}
