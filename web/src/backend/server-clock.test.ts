import { describe, expect, test } from 'vitest'

import { createServerClock } from './server-clock.ts'

const TRUTH = Date.UTC(2026, 0, 15, 12)
const DAY = 24 * 60 * 60 * 1000

/** A device whose wall clock is off by `skew`, and its server. */
function device(skew: number, storage: Map<string, string> = new Map()) {
  let truth = TRUTH
  let wrong = skew
  const clock = createServerClock(
    {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
    },
    { wall: () => truth + wrong, monotonic: () => truth - TRUTH },
  )
  return {
    clock,
    truth: () => truth,
    pass: (milliseconds: number) => void (truth += milliseconds),
    setClockBy: (milliseconds: number) => void (wrong += milliseconds),
    ask: (roundTrip = 40) => {
      const sentAt = truth + wrong
      truth += roundTrip
      const serverTime = truth - roundTrip / 2
      clock.learn({ serverTime, sentAt, receivedAt: truth + wrong })
    },
  }
}

describe('server time', () => {
  test.each([0, 10 * 60_000, -10 * 60_000, DAY, -DAY])(
    'Server time is right on a device whose clock is off by %i ms',
    (skew) => {
      const { clock, ask, truth } = device(skew)
      ask()
      expect(Math.abs(clock.now() - truth())).toBeLessThanOrEqual(500)
    },
  )

  test('Server time is remembered for the next load', () => {
    const storage = new Map<string, string>()
    device(DAY, storage).ask()
    const { clock, truth } = device(DAY, storage)
    expect(Math.abs(clock.now() - truth())).toBeLessThanOrEqual(500)
  })

  test('Server time does not fall when the device’s clock is set back', () => {
    const { clock, ask, pass, setClockBy } = device(0)
    ask()
    const before = clock.now()
    setClockBy(-4 * 60 * 60 * 1000)
    pass(1000)
    expect(clock.now() - before).toBe(1000)
  })

  test('Server time does not fall in another tab or after a reload when the clock was set back', () => {
    const storage = new Map<string, string>()
    const { clock, ask, setClockBy } = device(0, storage)
    ask()
    setClockBy(-3000)
    const before = clock.now()
    const { clock: reloaded } = device(-3000, storage)
    expect(reloaded.now()).toBe(before - 40)
  })

  test('A clock that was set back is not corrected by the server, in this tab or in the next', () => {
    const storage = new Map<string, string>()
    const { clock, ask, setClockBy } = device(0, storage)
    setClockBy(-3000)
    clock.now()
    ask()
    expect(clock.reading()).toMatchObject({ offset: 0, isSure: true })
    const next = device(-3000, storage)
    next.ask()
    expect(next.clock.reading()).toMatchObject({ offset: 0, isSure: true })
  })

  test('The clock reports a leap ahead and is right again once the server has responded', () => {
    const { clock, ask, pass, setClockBy, truth } = device(0)
    let leaps = 0
    clock.onChange(({ isSure }) => (leaps += isSure ? 0 : 1))
    clock.now()
    setClockBy(DAY)
    pass(1000)
    clock.now()
    expect(leaps).toBe(1)
    ask()
    expect(Math.abs(clock.now() - truth())).toBeLessThanOrEqual(500)
  })

  test('A leap is of whole milliseconds, although monotonic time has fractions', () => {
    const { clock, pass, setClockBy } = device(0.3)
    pass(1000.4)
    setClockBy(DAY - 0.3)
    pass(1000.6)
    clock.now()
    expect(clock.reading().leaps.every(({ by }) => Number.isInteger(by))).toBe(true)
  })

  test('A clock that is a little behind the last write of an earlier page shows no time before it', () => {
    const { clock, truth } = device(-DAY)
    const writtenAt = truth() - DAY + 300
    clock.setAtLeast(writtenAt)
    expect(clock.reading()).toMatchObject({ since: writtenAt, leaps: [] })
    expect(clock.now()).toBe(writtenAt)
  })

  test('Server time does not jitter with responses of different speed', () => {
    const { clock, ask, truth } = device(DAY)
    ask(40)
    const error = clock.now() - truth()
    for (const roundTrip of [10, 400, 90, 700]) ask(roundTrip)
    expect(clock.now() - truth()).toBe(error)
  })

  test('A slow response does not change the clock', () => {
    const { clock, ask, truth } = device(DAY)
    ask(6000)
    expect(clock.now() - truth()).toBe(DAY)
    expect(clock.reading().isSure).toBe(false)
  })

  test('A slow response confirms a clock that agrees with it', () => {
    const { clock, ask, truth } = device(1000)
    ask(6000)
    expect(clock.now() - truth()).toBe(1000)
    expect(clock.reading().isSure).toBe(true)
  })

  test('A slow response does not confirm a clock that was set back while the app was closed, nor in the next page', () => {
    const storage = new Map<string, string>()
    const { clock, ask, truth } = device(-DAY, storage)
    clock.setAtLeast(truth() - 3000)
    ask(8000)
    expect(clock.reading().isSure).toBe(false)
    const next = device(-DAY, storage)
    next.ask(8000)
    expect(next.clock.reading().isSure).toBe(false)
    next.ask()
    expect([next.clock.now() - next.truth(), next.clock.reading().isSure]).toEqual([0, true])
  })

  test('A response that took longer than a request may take confirms nothing', () => {
    const { clock, ask } = device(0)
    ask(60_000)
    expect(clock.reading().isSure).toBe(false)
  })
})
