/**
 * Clients that know nothing of logs, such as an earlier build of the app or a script: what they write counts as
 * an edit, on every device alike, and nothing is lost (docs/log.md).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { beginWalk } from '#test/walk.ts'

type Walking = Awaited<ReturnType<typeof beginWalk>>

let walking: Walking
let beganAt: number

beforeEach(async () => {
  walking = await beginWalk()
  beganAt = walking.world.server.clock.now()
})

afterEach(() => walking.world.close())

const SESSIONS = 'timer_sessions'
const ENTRIES = 'time_entries'
type Collection = typeof SESSIONS | typeof ENTRIES

/** Returns an instant of the walk as the API has it. */
const at = (seconds: number) => new Date(beganAt + seconds * 1000).toISOString()

function call(method: string, collection: Collection, id = '', body?: object) {
  const path = `/databases/stint/collections/${collection}/documents${id && `/${id}`}`
  return walking.world.user.call(method, path, body)
}

/** Returns the id of the first document, or of the one that `place` names. */
async function idIn(collection: Collection, place = 0): Promise<string> {
  const documents = await walking.world.stored(collection)
  const sorted = documents.toSorted((a, b) =>
    String(a['startTime']).localeCompare(String(b['startTime'])),
  )
  return String(sorted[place]?.$id)
}

/** Changes plain fields of a document. */
async function patch(collection: Collection, data: object, place = 0): Promise<void> {
  const reply = await call('PATCH', collection, await idIn(collection, place), { data })
  expect(reply.status).toBe(200)
}

/** Returns the attributes of an entry of the task. */
function entry(seconds: number, from = 0) {
  const times = { startTime: at(from), endTime: at(from + seconds), durationSeconds: seconds }
  return { taskId: walking.tasks.get('A'), userId: walking.world.user.id, ...times }
}

const PAUSED = () => ({ isRunning: false, isPaused: true, currentPauseStart: at(5) })

interface Case {
  readonly title: string
  readonly before: string
  readonly writes: () => Promise<unknown>
  readonly after: string
  readonly end: string
}

const ON_SESSIONS: readonly Case[] = [
  {
    title: 'A pause counts',
    before: 'L start, P look, 10',
    writes: () => patch(SESSIONS, PAUSED()),
    after: 'L look, P look, L stop',
    end: '5, asks 5',
  },
  {
    title: 'A pause meets a press that was not sent yet',
    before: 'L start, P look, 10, L off, L move -5',
    writes: () => patch(SESSIONS, PAUSED()),
    after: 'L on, P look, L stop',
    end: '10, asks 5',
  },
  {
    title: 'A resume with the seconds of the pause counts',
    before: 'L start, 10, L pause, P look, 5',
    writes: () =>
      patch(SESSIONS, {
        isRunning: true,
        isPaused: false,
        currentPauseStart: null,
        pauseDurationSeconds: 5,
      }),
    after: 'L look, 10, L stop',
    end: '20',
  },
  {
    title: 'A note and another task count',
    before: 'L start, 10',
    writes: () => patch(SESSIONS, { note: 'x', taskId: walking.tasks.get('B') }),
    after: 'P look, L stop',
    end: '10B(x)',
  },
  {
    title: 'A start that was moved counts',
    before: 'L start, 10',
    writes: () => patch(SESSIONS, { startTime: at(-5) }),
    after: 'P look, L look, L stop',
    end: '15',
  },
  {
    title: 'A stop counts, and what the screen showed since is asked about',
    before: 'L start, P look, 20',
    writes: () => patch(SESSIONS, { isRunning: false, endTime: at(10) }),
    after: 'L look, P look',
    end: '10, asks 10',
  },
  {
    title: 'A stop with its entry, as the specification has it, counts once',
    before: 'L start, 10',
    async writes() {
      const id = await idIn(SESSIONS)
      await patch(SESSIONS, { isRunning: false, endTime: at(10) })
      const data = { ...entry(10), sessionId: id }
      await call('POST', ENTRIES, '', { documentId: id, data })
      await call('DELETE', SESSIONS, id)
    },
    after: 'P look, L look',
    end: '10',
  },
  {
    title: 'A session that was deleted without an entry is written again',
    before: 'L start, P look, 10',
    writes: async () => call('DELETE', SESSIONS, await idIn(SESSIONS)),
    after: 'P look, 5, L look, L stop',
    end: '15',
  },
  {
    title: 'A session without a log is shown, and can be paused and stopped on any device',
    before: '0',
    async writes() {
      const { taskId, userId, startTime } = entry(0)
      const data = { taskId, userId, startTime, isRunning: true }
      await call('POST', SESSIONS, '', { documentId: 'plain', data })
    },
    after: '10, L look, P look, L pause, P look, 5, P resume, 5, L look, L stop',
    end: '15',
  },
]

const ON_ENTRIES: readonly Case[] = [
  {
    title: 'A shorter end counts',
    before: 'L start, 20, L stop, P look',
    writes: () => patch(ENTRIES, { endTime: at(10), durationSeconds: 10 }),
    after: 'L look, P look',
    end: '10',
  },
  {
    title: 'A longer end counts',
    before: 'L start, 20, L stop, 20',
    writes: () => patch(ENTRIES, { endTime: at(30), durationSeconds: 30 }),
    after: 'P look, L look',
    end: '30',
  },
  {
    title: 'A note meets a trim that was not sent yet',
    before: 'L start, 20, L stop, P look, P off, P trim 10',
    writes: () => patch(ENTRIES, { note: 'x' }),
    after: 'P on, L look',
    end: '10(x)',
  },
  {
    title: 'Another task meets a split that was not sent yet, for both halves',
    before: 'L start, 20, L stop, P look, P off, P split 5',
    writes: () => patch(ENTRIES, { taskId: walking.tasks.get('B') }),
    after: 'P on, L look',
    end: '5B 15B',
  },
  {
    title: 'A change of the second half of a split counts, and the first half stays',
    before: 'L start, 20, L stop, L split 5, P look',
    writes: () => patch(ENTRIES, { note: 'x' }, 1),
    after: 'P look, L look, L note y',
    end: '5(y) 15(x)',
  },
  {
    title: 'A shorter second half counts',
    before: 'L start, 20, L stop, L split 5, P look',
    writes: () => patch(ENTRIES, { endTime: at(10), durationSeconds: 5 }, 1),
    after: 'P look, L look',
    end: '5 5',
  },
  {
    title: 'A deletion counts',
    before: 'L start, 20, L stop, P look',
    writes: () => patch(ENTRIES, { deletedAt: at(20) }),
    after: 'P look, L look',
    end: 'nothing',
  },
  {
    title: 'An entry that was deleted for good is written again',
    before: 'L start, 20, L stop, P look',
    writes: async () => call('DELETE', ENTRIES, await idIn(ENTRIES)),
    after: 'P look, L look',
    end: '20',
  },
  {
    title: 'A new entry without a log is edited on two devices',
    before: '30',
    writes: () => call('POST', ENTRIES, '', { documentId: 'plain', data: entry(20) }),
    after: 'L look, P look, P off, L trim 10, 1, P note x, P on, L look',
    end: '10(x)',
  },
  {
    title: 'An entry without a log meets a split and a trim at once',
    before: '40',
    writes: () => call('POST', ENTRIES, '', { documentId: 'plain', data: entry(40) }),
    after: 'L look, P look, P off, L split 10, 1, P trim 30, P on, L look',
    end: '10 20',
  },
]

describe.each([
  ['A client without logs writes a session', ON_SESSIONS],
  ['A client without logs writes an entry', ON_ENTRIES],
])('%s', (_subject, cases) => {
  test.each(cases)('$title', async ({ before, writes, after, end }) => {
    await walking.go(before)
    await writes()
    await walking.go(after)
    expect(await walking.end()).toBe(end)
  })
})
