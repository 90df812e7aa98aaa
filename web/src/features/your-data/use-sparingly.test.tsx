import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSparingly } from './use-sparingly.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('A calculation rests twenty times as long as it took, and then the last change counts', () => {
  vi.useFakeTimers()
  const { result, rerender } = renderHook(({ calculate }) => useSparingly(calculate), {
    initialProps: { calculate: calculation(1) },
  })
  expect(result.current).toBe(1)
  rerender({ calculate: calculation(2) })
  rerender({ calculate: calculation(3) })
  act(() => void vi.advanceTimersByTime(1999))
  expect(result.current).toBe(1)
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toBe(3)
})

test('A calculation that takes no time follows every change at once', () => {
  vi.useFakeTimers()
  const { result, rerender } = renderHook(({ value }) => useSparingly(value), {
    initialProps: { value: () => 1 },
  })
  rerender({ value: () => 2 })
  act(() => void vi.advanceTimersByTime(0))
  expect(result.current).toBe(2)
})

/** Returns a calculation that takes a tenth of a second. */
function calculation(result: number): () => number {
  return () => {
    vi.advanceTimersByTime(100)
    return result
  }
}
