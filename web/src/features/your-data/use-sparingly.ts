/** Keeps a long calculation from taking the page while an import changes the record again and again. */
import { useEffect, useState } from 'react'

/** How many times as long as a calculation took nothing is calculated again. */
const REST = 20

/**
 * Returns what `calculate` last returned. When it is another function it is called again, at once if
 * calculating takes little, and else so that it takes a twentieth of the time at most.
 */
export function useSparingly<T>(calculate: () => T): T {
  const [made, setMade] = useState(() => timed(calculate))
  useEffect(() => {
    if (made.of === calculate) return
    const wait = Math.max(0, made.until - performance.now())
    const timeout = setTimeout(() => setMade(timed(calculate)), wait)
    return () => clearTimeout(timeout)
  }, [calculate, made])
  return made.result
}

function timed<T>(calculate: () => T) {
  const before = performance.now()
  const result = calculate()
  const now = performance.now()
  return { of: calculate, result, until: now + REST * (now - before) }
}
