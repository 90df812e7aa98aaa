import { afterEach, beforeEach, expect, test } from 'vitest'

import type { LocalRecord } from '#record/record.ts'
import { createWorld } from '#test/devices.ts'
import type { World } from '#test/devices.ts'

import { timerCommands } from './use-timer-commands.ts'

const FORMATS = { duration: String }

let world: World
let record: LocalRecord

beforeEach(async () => {
  world = await createWorld()
  ;({ record } = await world.device())
})

afterEach(() => world.close())

const shownId = () => record.value('timer')?.timer.sessionId

test.each(['stop', 'pause'] as const)(
  'A %s that is pressed while the screen still shows another timer leaves the new one alone',
  async (press) => {
    const commands = timerCommands(record, FORMATS, undefined)
    await commands.start('first')
    const onScreen = timerCommands(record, FORMATS, shownId())
    await onScreen.start('second')

    await onScreen[press]()
    expect(record.value('timer')?.timer).toMatchObject({ taskId: 'second', status: 'running' })
    expect(record.value('banner')).toBeUndefined()

    await timerCommands(record, FORMATS, shownId())[press]()
    expect(record.value('timer')?.timer.status).toBe(press === 'stop' ? undefined : 'paused')
  },
)
