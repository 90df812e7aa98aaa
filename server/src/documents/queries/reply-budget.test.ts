import { expect, test, vi } from 'vitest'
import { replyBudget } from './reply-budget.ts'

const MEBIBYTE = 1_048_576

test('replies that do not fit wait in order until one is sent', async () => {
  const budget = replyBudget()
  const entered: string[] = []
  const reserve = async (name: string, mebibytes: number) => {
    const room = await budget.reserve('ann', mebibytes * MEBIBYTE)
    entered.push(name)
    return room
  }
  const first = await reserve('first', 30)
  const large = reserve('large', 20)
  const small = reserve('small', 1)
  await turn()
  expect(entered).toEqual(['first'])
  first.resize(10 * MEBIBYTE)
  await turn()
  expect(entered).toEqual(['first', 'large', 'small'])
  for (const room of [first, await large, await small]) room.release()
})

test('a reply that is larger than the bound is admitted when it is the only one', async () => {
  const budget = replyBudget()
  const alone = await budget.reserve('ann', 100 * MEBIBYTE)
  let isIn = false
  const next = budget.reserve('ann', 1).then((room) => ((isIn = true), room))
  await turn()
  expect(isIn).toBe(false)
  alone.release()
  alone.release()
  ;(await next).release()
  expect(isIn).toBe(true)
})

test('an owner waits for their own replies only, up to the bound of all', async () => {
  const budget = replyBudget()
  const others = []
  for (const owner of ['a', 'b', 'c']) others.push(await budget.reserve(owner, 32 * MEBIBYTE))
  const own = await budget.reserve('d', 32 * MEBIBYTE)
  let isIn = false
  const late = budget.reserve('e', 32 * MEBIBYTE).then((room) => ((isIn = true), room))
  await turn()
  expect(isIn).toBe(false)
  others[0]?.release()
  ;(await late).release()
  for (const room of [...others, own]) room.release()
})

test('a request that waits too long or behind too many others is refused', async () => {
  vi.useFakeTimers()
  try {
    const budget = replyBudget()
    const first = await budget.reserve('ann', 32 * MEBIBYTE)
    const waiting = Array.from({ length: 100 }, () => budget.reserve('ann', MEBIBYTE))
    const settled = Promise.allSettled(waiting)
    await expect(budget.reserve('ann', MEBIBYTE)).rejects.toThrow('Too many lists')
    await vi.advanceTimersByTimeAsync(3000)
    expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']))
    first.release()
    ;(await budget.reserve('ann', 32 * MEBIBYTE)).release()
  } finally {
    vi.useRealTimers()
  }
})

/** Waits until everything that is due has run. */
function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}
