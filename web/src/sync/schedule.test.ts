import { expect, test } from 'vitest'

import { createSchedule } from './schedule.ts'

/** How many turns of the event loop's queue of promises a round takes here. */
const ROUND = 20

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

test('No two rounds run at once, whenever one is asked for while or after others run', async () => {
  for (let after = 0; after < 4 * ROUND; after += 1) {
    let running = 0
    let most = 0
    const round = createSchedule(new AbortController().signal).round(async () => {
      running += 1
      most = Math.max(most, running)
      await turns(ROUND)
      running -= 1
    })
    const asked = [round(), round()]
    await turns(after)
    asked.push(round())
    await Promise.all(asked)
    expect([most, running], `asked for after ${after} turns`).toEqual([1, 0])
  }
})
