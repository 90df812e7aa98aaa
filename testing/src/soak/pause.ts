/**
 * One pause of the event loop, such as a large garbage collection: the server must not take it for
 * overload. The measure is the clock, so the run belongs on a quiet machine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestApp } from '#test-app.ts'

/** The pause, and how long requests are sent after it: longer than the mean of delays looks back; in milliseconds. */
const PAUSE = 1000
const LOOKS_ON = 3000

export interface PauseReport {
  readonly answered: number
  readonly refused: number
}

/** Pauses a server so many times, and counts the replies to requests after each pause. */
export async function pauses(times: number): Promise<PauseReport> {
  const server = await createTestApp({ shedsLoad: true })
  const ann = await server.signedInUser('Ann')
  let answered = 0
  let refused = 0
  for (let count = 0; count < times; count++) {
    block(PAUSE)
    const end = performance.now() + LOOKS_ON
    while (performance.now() < end) {
      const { status } = await ann.call('GET', '/account')
      if (status === 200) answered++
      else refused++
      await sleep(20)
    }
  }
  await server.close()
  return { answered, refused }
}

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
