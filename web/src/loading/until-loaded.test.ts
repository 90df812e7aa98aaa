import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { untilLoaded } from './until-loaded.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A load that fails until `isThere`, as without a network. */
function codeThatIsAway() {
  const code = { isThere: false, loads: 0, load }
  async function load() {
    code.loads++
    if (!code.isThere) throw new Error('no network')
    return 'code'
  }
  return code
}

test.each(['online', 'focus'])('A failed load is retried at the event %s', async (event) => {
  const code = codeThatIsAway()
  const errors: unknown[] = []
  const loading = untilLoaded(code.load, { onFailure: (error) => errors.push(error) })
  await vi.waitFor(() => expect(errors).toEqual([new Error('no network')]))

  code.isThere = true
  dispatchEvent(new Event(event))
  expect(await loading).toBe('code')
  expect(code.loads).toBe(2)
})

test('Without an event it is retried after waits that double up to a minute', async () => {
  const code = codeThatIsAway()
  const loading = untilLoaded(code.load)
  const loads: number[] = []
  for (const seconds of [0, 1, 2, 4, 8, 16, 32, 60, 60]) {
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    loads.push(code.loads)
  }
  expect(loads).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])

  code.isThere = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await loading).toBe('code')
  expect(vi.getTimerCount()).toBe(0)
})

test('Without a network it is not retried before the network returns', async () => {
  const code = codeThatIsAway()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const loading = untilLoaded(code.load)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(code.loads).toBe(1)

  code.isThere = true
  dispatchEvent(new Event('online'))
  expect(await loading).toBe('code')
})

test('After an abort nothing is loaded and nothing is told', async () => {
  const code = codeThatIsAway()
  const ended = new AbortController()
  const told = vi.fn<() => void>()
  void untilLoaded(code.load, { signal: ended.signal, onFailure: told }).then(told)
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toHaveBeenCalledTimes(1)

  code.isThere = true
  ended.abort()
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(code.loads).toBe(1)
  expect(told).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('What is loaded after an abort is not told', async () => {
  const ended = new AbortController()
  const loading = Promise.withResolvers<string>()
  const told = vi.fn<() => void>()
  void untilLoaded(() => loading.promise, { signal: ended.signal }).then(told)
  ended.abort()
  loading.resolve('code')
  await vi.advanceTimersByTimeAsync(0)
  expect(told).not.toHaveBeenCalled()
})
