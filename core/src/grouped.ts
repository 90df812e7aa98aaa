/**
 * A count with its thousands grouped: '999', '12,345'. The first number that Intl formats costs a page 10 ms, which
 * short ones need not pay.
 */
export function grouped(count: number): string {
  return count < 1000 ? String(count) : count.toLocaleString('en')
}
