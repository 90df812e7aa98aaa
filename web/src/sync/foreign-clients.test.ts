/**
 * Clients that know nothing of logs, such as an earlier build of the app or a script: what they write counts as
 * an edit, on every device alike, and nothing is lost (docs/log.md).
 */
import { describe, expect } from 'vitest'

import type { World } from '#test/devices.ts'
import { testWalks } from '#test/walk.ts'
import type { Foreign } from '#test/walk.ts'

const SESSIONS = 'timer_sessions'
const ENTRIES = 'time_entries'
type Collection = typeof SESSIONS | typeof ENTRIES
type Walked = Parameters<Foreign>[0]

async function call(world: World, method: string, collection: Collection, id = '', body?: object) {
  const path = `/databases/stint/collections/${collection}/documents${id && `/${id}`}`
  const reply = await world.user.call(method, path, body)
  expect(reply.status).toBeLessThan(300)
}

/** Returns the id of the document. */
async function idIn(world: World, collection: Collection): Promise<string> {
  const [document] = await world.stored(collection)
  return String(document?.$id)
}

/** Changes plain fields of a document. */
function patch(collection: Collection, data: (walked: Walked) => object): Foreign {
  return async (walked) => {
    const id = await idIn(walked.world, collection)
    await call(walked.world, 'PATCH', collection, id, { data: data(walked) })
  }
}

/** Returns the attributes of an entry of the task. */
function entry({ world, taskIds, at }: Walked, seconds: number) {
  const times = { startTime: at(0), endTime: at(seconds), durationSeconds: seconds }
  return { taskId: taskIds.get('A'), userId: world.user.id, ...times }
}

const ends = (seconds: number) =>
  patch(ENTRIES, ({ at }) => ({ endTime: at(seconds), durationSeconds: seconds }))
const deletes =
  (collection: Collection): Foreign =>
  async ({ world }) =>
    call(world, 'DELETE', collection, await idIn(world, collection))

const foreign: Readonly<Record<string, Foreign>> = {
  pause: patch(SESSIONS, ({ at }) => ({
    isRunning: false,
    isPaused: true,
    currentPauseStart: at(5),
  })),
  resume: patch(SESSIONS, () => ({
    isRunning: true,
    isPaused: false,
    currentPauseStart: null,
    pauseDurationSeconds: 5,
  })),
  'note and task': patch(SESSIONS, ({ taskIds }) => ({ note: 'x', taskId: taskIds.get('B') })),
  'move -5': patch(SESSIONS, ({ at }) => ({ startTime: at(-5) })),
  stop: patch(SESSIONS, ({ at }) => ({ isRunning: false, endTime: at(10) })),
  async 'stop with its entry'(walked) {
    const { world, at } = walked
    const id = await idIn(world, SESSIONS)
    const data = { isRunning: false, endTime: at(10) }
    await call(world, 'PATCH', SESSIONS, id, { data })
    const saved = { ...entry(walked, 10), sessionId: id }
    await call(world, 'POST', ENTRIES, '', { documentId: id, data: saved })
    await call(world, 'DELETE', SESSIONS, id)
  },
  'delete of the session': deletes(SESSIONS),
  async start(walked) {
    const { taskId, userId, startTime } = entry(walked, 0)
    const data = { taskId, userId, startTime, isRunning: true }
    await call(walked.world, 'POST', SESSIONS, '', { documentId: 'plain', data })
  },
  'end 10': ends(10),
  'end 30': ends(30),
  note: patch(ENTRIES, () => ({ note: 'x' })),
  task: patch(ENTRIES, ({ taskIds }) => ({ taskId: taskIds.get('B') })),
  deletion: patch(ENTRIES, ({ at }) => ({ deletedAt: at(20) })),
  'delete of the entry': deletes(ENTRIES),
}

describe('A client without logs writes a session', () => {
  testWalks(
    `
    A pause counts
      L start, P look, 10, foreign pause, L look, P look, L stop → 5, asks 5
    A pause meets a press that was not sent yet
      L start, P look, 10, L off, L move -5, foreign pause, L on, P look, L stop → 10, asks 5
    A resume with the seconds of the pause counts
      L start, 10, L pause, P look, 5, foreign resume, L look, 10, L stop → 20
    A note and another task count
      L start, 10, foreign note and task, P look, L stop → 10B(x)
    A start that was moved counts
      L start, 10, foreign move -5, P look, L look, L stop → 15
    A stop counts, and what the screen showed since is asked about
      L start, P look, 20, foreign stop, L look, P look → 10, asks 10
    A stop with its entry, as the specification has it, counts once
      L start, 10, foreign stop with its entry, P look, L look → 10
    A session that was deleted without an entry is written again
      L start, P look, 10, foreign delete of the session, P look, 5, L look, L stop → 15
    A session without a log is shown, and can be paused and stopped on any device
      foreign start, 10, L look, P look, L pause, P look, 5, P resume, 5, L look, L stop → 15
  `,
    { foreign },
  )
})

describe('A client without logs writes an entry', () => {
  testWalks(
    `
    A shorter end counts
      L start, 20, L stop, P look, foreign end 10, L look, P look → 10
    A longer end counts
      L start, 20, L stop, 20, foreign end 30, P look, L look → 30
    A note meets a trim that was not sent yet
      L start, 20, L stop, P look, P off, P trim 10, foreign note, P on, L look → 10(x)
    A shorter end meets a note that was not sent yet
      L start, 20, L stop, P look, P off, P note x, foreign end 10, P on, L look → 10(x)
    A deletion meets a trim that was not sent yet
      L start, 20, L stop, P look, P off, P trim 10, foreign deletion, P on, L look → nothing
    Another task meets a split that was not sent yet, for both halves
      L start, 20, L stop, P look, P off, P split 5, foreign task, P on, L look → 5B 15B
    A deletion counts
      L start, 20, L stop, P look, foreign deletion, P look, L look → nothing
    An entry that was deleted for good is written again
      L start, 20, L stop, P look, foreign delete of the entry, P look, L look → 20
  `,
    { foreign },
  )
})
