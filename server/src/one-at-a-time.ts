/** Work that runs one after the other for each key. */

/** Runs `work` after the earlier work of the same key. Resolves or rejects as `work` does. */
export type OneAtATime = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Returns a queue of its own. */
export function oneAtATime(): OneAtATime {
  /** The last running work of each key; never rejects. */
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = Promise.allSettled([result])
    last.set(key, settled)
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key)
    })
    return result
  }
}
