/**
 * A new document id in the provider's format: seconds and milliseconds in hex, then 7
 * random hex digits. The SDK's ID.unique() makes the same; this one needs no SDK at first paint
 * and takes its randomness from the platform. That of a session tells other devices when its start was pressed:
 * `now` is the server's time then.
 */
export function newDocumentId(now: number = Date.now()): string {
  const seconds = Math.floor(now / 1000).toString(16)
  const milliseconds = (now % 1000).toString(16).padStart(5, '0')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(7)), (byte) =>
    (byte % 16).toString(16),
  ).join('')
  return `${seconds}${milliseconds}${random}`
}
