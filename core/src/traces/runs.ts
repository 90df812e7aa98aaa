import { MAX_BREAK_MILLISECONDS } from './trace.ts'

/** Returns what happened in order, parted where nothing happened for ten minutes. */
export function runsOf<T extends { readonly from: number; readonly to: number }>(
  moments: readonly T[],
): readonly (readonly [T, ...T[]])[] {
  const runs: [T, ...T[]][] = []
  let end = -Infinity
  for (const moment of moments.toSorted((a, b) => a.from - b.from)) {
    if (moment.from - end < MAX_BREAK_MILLISECONDS) runs.at(-1)?.push(moment)
    else runs.push([moment])
    end = Math.max(end, moment.to)
  }
  return runs
}
