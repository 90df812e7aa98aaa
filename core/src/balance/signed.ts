/**
 * Returns a duration with its sign, '+1h 5m' or '−1h 5m', and without one where it reads as none.
 * @param write formats seconds, 0 or more.
 */
export function signed(seconds: number, write: (seconds: number) => string): string {
  const text = write(Math.abs(seconds))
  if (text === write(0)) return text
  return (seconds < 0 ? '−' : '+') + text
}
