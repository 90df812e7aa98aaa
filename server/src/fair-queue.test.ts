import { expect, test } from 'vitest'
import { fairQueue } from './fair-queue.ts'

test('work of one person runs one after the other, that of several people in turn', async () => {
  const queue = fairQueue(1)
  const order: string[] = []
  let running = 0
  const work = (name: string) => async () => {
    running += 1
    expect(running).toBe(1)
    order.push(name)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
  }
  await Promise.all(['ann', 'ann', 'ann', 'bob'].map((name) => queue(name, work(name))))
  expect(order).toEqual(['ann', 'bob', 'ann', 'ann'])
})

test('a person who has too much waiting is refused, and others are not', async () => {
  const queue = fairQueue(1)
  const done = Promise.withResolvers<void>()
  const asked = Array.from({ length: 12 }, () => queue('ann', () => done.promise))
  const bob = queue('bob', async () => 'done')
  done.resolve()
  await expect(bob).resolves.toBe('done')
  const settled = await Promise.allSettled(asked)
  expect(settled.map(({ status }) => status).indexOf('rejected')).toBe(11)
  await expect(asked.at(-1)).rejects.toThrow('Too many long reads are waiting')
})
