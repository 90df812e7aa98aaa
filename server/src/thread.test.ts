import { afterEach, expect, test } from 'vitest'
import { thread, ThreadEnded } from './thread.ts'
import type { Thread } from './thread.ts'

/** Answers a number with itself, and other words by what they say. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const kept = []
    parentPort.on('message', (asked) => {
      if (asked === 'work for ever') for (;;);
      if (asked === 'fill the memory') for (;;) kept.push(Array(100_000).fill(kept.length + 0.5))
      if (asked === 'throw') throw new Error('no')
      if (asked !== 'say nothing') parentPort.postMessage(asked)
    })
  `)}`,
)

let used: Thread<unknown, unknown>

afterEach(() => used.close())

test.each(['work for ever', 'fill the memory', 'throw'])(
  'a thread that is asked to %s ends, and the next work is done by another',
  async (asked) => {
    used = thread(SCRIPT, { data: null, maxMebibytes: 32, maxTime: 500 })
    expect(await used.ask(1)).toBe(1)
    await expect(used.ask(asked)).rejects.toThrow(ThreadEnded)
    expect(await used.ask(2)).toBe(2)
  },
)

test('work that waits for a closed thread is refused', async () => {
  used = thread(SCRIPT, { data: null, maxMebibytes: 32 })
  await Promise.all([expect(used.ask('say nothing')).rejects.toThrow(ThreadEnded), used.close()])
})
