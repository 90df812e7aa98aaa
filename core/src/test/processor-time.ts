/** How often a call is repeated that took longer than it may. */
const MAX_RUNS = 10

/**
 * Returns the processor time of a call in milliseconds: that of the first run within the bound, or the least of ten.
 * Only the calling thread counts. The first runs also compile the code, and on a shared core each takes up to twice
 * its time while others use that core.
 *
 * @param bound in milliseconds
 * @throws what the call throws
 */
export function processorTime(bound: number, call: () => unknown): number {
  let least = Infinity
  for (let run = 0; run < MAX_RUNS && least > bound; run += 1) {
    const before = process.threadCpuUsage()
    call()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
