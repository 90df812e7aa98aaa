import { expect, test } from 'vitest'

import { createSchedule } from './schedule.ts'

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'No two rounds run at once when one is asked for %i turns after another one has ended',
  async (turns) => {
    const works: PromiseWithResolvers<void>[] = []
    let running = 0
    let most = 0
    const round = createSchedule(new AbortController().signal).round(async () => {
      running += 1
      most = Math.max(most, running)
      const work = Promise.withResolvers<void>()
      works.push(work)
      await work.promise
      running -= 1
    })
    const asked = [round(), round()]
    works[0]?.resolve()
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    asked.push(round())
    for (let each = 1; each < 4; each += 1) {
      await new Promise((resolve) => setTimeout(resolve))
      for (const work of works) work.resolve()
    }
    await Promise.all(asked)
    expect([most, running]).toEqual([1, 0])
  },
)
