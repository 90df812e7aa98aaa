import {
  timerAttributes,
  newSessionAttributes,
  stopAttributes,
} from '@stint/core/record/timer-session.ts'
import { entryAttributes, entryFromStopped } from '@stint/core/record/time-entry.ts'
import { pauseTimer, resumeTimer, startTimer, stopTimer } from '@stint/core/timer/timer.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import type { TestApp } from '@stint/testing/test-app.ts'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import type { Backend } from '#backend/backend.ts'
import { asBackendError } from '#backend/errors.ts'

import { answerCall, EMPTY_SERVER } from './stand-in-server.ts'
import type { Answer, Call, StandInServer } from './stand-in-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await createTestApp()
})

afterAll(async () => {
  vi.unstubAllGlobals()
  await server.close()
})

const USER = 'the-user'

test('The stand-in answers every call of the timer like the real server, whatever came before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall(), { minLength: 1, maxLength: 12 }), async (calls) => {
      const user = await server.signedInUser()
      vi.stubGlobal('fetch', user.fetch)
      const real = createAppwriteBackend({
        endpoint: 'http://localhost:3000/v1',
        projectId: 'stint',
        databaseId: 'stint',
        ownServer: true,
      })
      let standIn: StandInServer = EMPTY_SERVER
      for (const each of calls) {
        server.clock.advance(1000)
        const call = since(each, server.clock.now())
        const step = answerCall(standIn, ofUser(call, USER), server.clock.now())
        standIn = step.server
        const answer = await send(real, ofUser(call, user.id))
        expect({ call, answer: comparable(answer, user.id) }).toEqual({
          call,
          answer: comparable(step.answer, USER),
        })
      }
    }),
    { numRuns: 60 },
  )
})

/** An instant before the server's time, so that an instant is in the future only on purpose. */
const START = Date.UTC(2026, 0, 15, 11)

/**
 * Returns calls as the client makes them, on few ids so that the calls meet, and some that break
 * the rules.
 */
function anyCall(): fc.Arbitrary<Call> {
  const id = fc.constantFrom('session-a', 'session-b')
  const minutes = fc.integer({ min: 0, max: 30 })
  const timer = fc.record({ id, started: minutes, paused: minutes, resumed: minutes }).map((at) => {
    const running = startTimer(at.id, 'task', START + at.started * 60_000)
    const paused = pauseTimer(running, START + at.paused * 60_000)
    return { running, paused, resumed: resumeTimer(paused, START + at.resumed * 60_000) }
  })
  const active = timer.chain(({ running, paused, resumed }) =>
    fc.constantFrom(running, paused, resumed),
  )
  const stopped = fc
    .tuple(active, fc.integer({ min: 0, max: 90 }))
    .map(([each, end]) => stopTimer(each, START + end * 60_000))
  const sessions = { collection: 'timer_sessions' as const }
  const entries = { collection: 'time_entries' as const }
  const collection = fc.constantFrom('timer_sessions' as const, 'time_entries' as const)
  const unchangedSince = fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined })
  const log = fc.constantFrom('log', 'longer log')
  return fc.oneof(
    {
      weight: 3,
      arbitrary: active.map((each) => ({
        ...sessions,
        method: 'create' as const,
        id: each.sessionId,
        data: newSessionAttributes(each, 'log', { userId: USER, device: 'laptop' }),
      })),
    },
    fc.tuple(active, log, unchangedSince).map(([each, text, since]) => ({
      ...sessions,
      method: 'update' as const,
      id: each.sessionId,
      data: timerAttributes(each, text),
      unchangedSince: since,
    })),
    {
      weight: 2,
      arbitrary: fc.tuple(stopped, log).map(([each, text]) => ({
        ...sessions,
        method: 'update' as const,
        id: each.sessionId,
        data: stopAttributes(each, text),
      })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(id, log).map(([each, text]) => ({
        ...sessions,
        method: 'update' as const,
        id: each,
        data: { log: text },
      })),
    },
    stopped.map((each) => ({
      ...entries,
      method: 'create' as const,
      id: each.sessionId,
      data: entryAttributes(entryFromStopped(each), USER),
    })),
    stopped.map((each) => ({
      ...entries,
      method: 'create' as const,
      id: each.sessionId,
      data: { ...entryAttributes(entryFromStopped(each), USER), durationSeconds: 7200 },
    })),
    id.map((each) => ({
      ...entries,
      method: 'update' as const,
      id: each,
      data: { deletedAt: new Date(START).toISOString() },
    })),
    fc.array(stopped, { minLength: 1, maxLength: 2 }).chain((each) =>
      fc.tuple(fc.boolean(), unchangedSince, fc.boolean()).map(([isNew, since, isWhole]) => ({
        ...entries,
        method: 'save' as const,
        documents: uniqueById(each).map((one) => ({
          id: one.sessionId,
          isNew,
          unchangedSince: since,
          // A server that was restored may lack the document of a change.
          data: isWhole
            ? entryAttributes(entryFromStopped(one), USER)
            : { userId: USER, note: 'changed' },
        })),
      })),
    ),
    fc.record({ method: fc.constant('delete' as const), collection, id, unchangedSince }),
    fc.record({
      method: fc.constant('list' as const),
      collection,
      options: fc.record({
        limit: fc.constantFrom(1, 100),
        order: fc.constantFrom('newest-created' as const, 'oldest-updated' as const),
      }),
    }),
  )
}

function uniqueById(stopped: readonly StoppedTimer[]): readonly StoppedTimer[] {
  return [...new Map(stopped.map((each) => [each.sessionId, each])).values()]
}

/** Replaces `unchangedSince`, chosen as seconds before now, by an instant. */
function since(call: Call, now: number): Call {
  const instant = (ago: number | undefined) => (ago === undefined ? undefined : now - ago * 1000)
  switch (call.method) {
    case 'update':
    case 'delete':
      return { ...call, unchangedSince: instant(call.unchangedSince) }
    case 'save': {
      const documents = call.documents.map((each) => ({
        ...each,
        unchangedSince: instant(each.unchangedSince),
      }))
      return { ...call, documents }
    }
    default:
      return call
  }
}

function ofUser(call: Call, userId: string): Call {
  switch (call.method) {
    case 'save': {
      const documents = call.documents.map((each) => ({ ...each, data: { ...each.data, userId } }))
      return { ...call, documents }
    }
    case 'list':
      return { ...call, options: { ...call.options, equal: { userId } } }
    case 'create':
      return { ...call, data: { ...call.data, userId } }
    default:
      return call
  }
}

async function send(backend: Backend, call: Call): Promise<Answer> {
  try {
    return { ok: true, value: (await ask()) ?? null }
  } catch (error) {
    return { ok: false, error: asBackendError(error).kind }
  }

  async function ask(): Promise<unknown> {
    const { collection } = call
    // The data were generated for this collection, which the type cannot express.
    /* oxlint-disable typescript/no-unsafe-type-assertion */
    switch (call.method) {
      case 'list':
        return backend.list(collection, call.options)
      case 'create':
        return backend.create(collection, call.id, call.data as never)
      case 'update':
        return backend.update(collection, call.id, call.data, call.unchangedSince)
      case 'delete':
        return backend.delete(collection, call.id, call.unchangedSince)
      case 'save':
        return backend.saveTogether(collection, call.documents)
    }
    /* oxlint-enable typescript/no-unsafe-type-assertion */
  }
}

/**
 * Returns the answer without what always differs: the owner, and the database's numbers of rows.
 */
function comparable(answer: Answer, userId: string): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) =>
    key === '$sequence' || key === '$permissions' ? undefined : value,
  )
  return JSON.parse(text.replaceAll(userId, 'user'))
}
