import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { serverForFile } from '@stint/testing/server-tests.ts'
import type { Program } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'
import type { TestSocket } from '@stint/testing/test-sockets.ts'

const sockets = testSockets()
const server = serverForFile()
let shell: Program
let laptop: TestSocket

beforeAll(() => server.app.listen({ host: '127.0.0.1', port: 0 }))
beforeEach(async () => {
  const ann = await server.signedInUser()
  shell = await server.program(ann)
  laptop = await sockets.subscribed(server, ann, ['documents'])
})
afterEach(() => sockets.closeAll())

test('the devices of a person hear of each press of a program, in order', async () => {
  await shell('POST', '/start', { task: 'Write' })
  await shell('POST', '/pause')
  server.clock.advance(1000)
  await shell('POST', '/resume')
  server.clock.advance(1000)
  await shell('POST', '/stop')
  const heard: string[] = []
  for (let count = 0; count < 7; count++) heard.push(eventOf((await laptop.next()).data.events))
  expect(heard).toEqual([
    'tasks create',
    'timer_sessions create',
    'timer_sessions update',
    'timer_sessions update',
    'timer_sessions update',
    'time_entries create',
    'timer_sessions delete',
  ])
})

test('a refused press publishes nothing', async () => {
  await shell('POST', '/start', { task: 'Write' })
  await shell('POST', '/stop', { at: '2026-01-15T11:00:00Z' })
  await shell('POST', '/pause')
  const heard = []
  for (let count = 0; count < 3; count++) heard.push(eventOf((await laptop.next()).data.events))
  expect(heard).toEqual(['tasks create', 'timer_sessions create', 'timer_sessions update'])
})

/** Returns collection and action of an event. */
function eventOf([name = '']: readonly string[]): string {
  const [, , , collection, , , action] = name.split('.')
  return `${collection} ${action}`
}
