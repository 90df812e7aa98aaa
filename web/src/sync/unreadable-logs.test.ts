/**
 * Logs that this version cannot read: the text stays as it is at the server, the fields of the document count,
 * and edits go on in the fields (docs/log.md).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { beginWalk } from '#test/walk.ts'

type Walking = Awaited<ReturnType<typeof beginWalk>>

let walking: Walking

beforeEach(async () => {
  walking = await beginWalk()
})

afterEach(() => walking.world.close())

type Collection = 'timer_sessions' | 'time_entries'

/** Replaces the log of the first document. Returns the text. */
async function spoil(collection: Collection, spoiled: (log: string) => string): Promise<string> {
  const [document] = await walking.world.stored(collection)
  const log = spoiled(String(document?.['log']))
  const path = `/databases/stint/collections/${collection}/documents/${document?.$id}`
  const reply = await walking.world.user.call('PATCH', path, { data: { log } })
  expect(reply.status).toBe(200)
  return log
}

async function logIn(collection: Collection): Promise<unknown> {
  return (await walking.world.stored(collection))[0]?.['log']
}

const SPOILED = [
  ['of a later version', (log: string) => log.replace(/^\[1,/, '[2,')],
  ['that was cut off', (log: string) => log.slice(0, -20)],
  ['with an event of an unknown kind', (log: string) => log.replaceAll('"stop"', '"soon"')],
] as const

describe.each(SPOILED)('The log of an entry %s', (_what, spoiled) => {
  test('It stays as it is, and the entry counts on every device', async () => {
    const { world, go, end } = walking
    await go('L start, 20, L stop')
    const text = await spoil('time_entries', spoiled)
    await go('L look, P look')

    expect(await logIn('time_entries')).toBe(text)
    expect(await end()).toBe('20')
    expect(await world.stored('timer_sessions')).toEqual([])
  })

  test('A trim, a note and a deletion go on in the fields, and are undone there', async () => {
    const { go, end } = walking
    await go('L start, 20, L stop')
    const text = await spoil('time_entries', spoiled)
    await go('L look, P look, L trim 10, P look, P note x, L look')
    expect(await logIn('time_entries')).toBe(text)
    await go('L delete, L back')
    expect(await logIn('time_entries')).toBe(text)
    expect(await end()).toBe('10(x)')
  })

  test('A device that has heard of the log before writes nothing over it', async () => {
    const { go, end } = walking
    await go('L start, 20, L stop, P look, P off, P note x')
    const text = await spoil('time_entries', spoiled)
    await go('P on, L look')

    expect(await logIn('time_entries')).toBe(text)
    expect(await end()).toBe('20(x)')
  })
})

describe.each([SPOILED[0], SPOILED[1]])('The log of a timer %s', (_what, spoiled) => {
  test('The timer is shown as its fields say, and its text stays through pause and resume', async () => {
    const { go, device } = walking
    await go('L start, 10')
    const text = await spoil('timer_sessions', spoiled)
    await go('P look')
    expect((await device('P')).record.value('timer')?.timer.status).toBe('running')
    await go('P pause, 5')
    expect(await walking.world.stored('timer_sessions')).toMatchObject([
      { isPaused: true, log: text },
    ])
    await go('P resume, 5')
    expect(await walking.world.stored('timer_sessions')).toMatchObject([
      { isRunning: true, log: text },
    ])
  })

  test('A stop saves its time, with that log', async () => {
    const { go, end } = walking
    await go('L start, 10')
    const text = await spoil('timer_sessions', spoiled)
    await go('P look, 5, P stop, L look')

    expect(await logIn('time_entries')).toBe(text)
    expect(await end()).toBe('15')
    expect(await walking.world.stored('timer_sessions')).toEqual([])
  })
})
