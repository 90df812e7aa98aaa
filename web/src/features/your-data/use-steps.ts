/** Runs long calculations in short slices, so that the page stays responsive. */
import { useEffect, useState } from 'react'

/** The length of a slice: half a frame. */
const SLICE_MILLISECONDS = 8

export interface Steps<T> {
  /** Null until the calculation is complete. */
  readonly result: T | null
  /** 0 to 1. */
  readonly progress: number
}

const PENDING = { result: null, progress: 0 }

/**
 * Returns the result of a calculation that yields its progress. Calculates again when `start` is another
 * function; stops on unmount.
 */
export function useSteps<T>(start: () => Generator<number, T>): Steps<T> {
  const [made, setMade] = useState<Steps<T> & { readonly of: unknown }>({ ...PENDING, of: null })

  useEffect(() => {
    const steps = start()
    let timeout = setTimeout(run)
    function run() {
      const until = performance.now() + SLICE_MILLISECONDS
      for (;;) {
        const step = steps.next()
        if (step.done) return setMade({ result: step.value, progress: 1, of: start })
        if (performance.now() < until) continue
        setMade({ result: null, progress: step.value, of: start })
        timeout = setTimeout(run)
        return
      }
    }
    return () => clearTimeout(timeout)
  }, [start])

  return made.of === start ? made : PENDING
}
