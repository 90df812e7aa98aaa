import type { Value } from '@stint/core/device/stored.ts'
import { startTimer } from '@stint/core/timer/timer.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'
import { describe, expect, test, vi } from 'vitest'

import { isConflict } from '#backend/errors.ts'
import { bySize, EXHAUSTIVE, exploreWithFigures, ofPart } from '#test/explorer/figures.ts'
import { promising } from '#test/explorer/judge.ts'
import type { Promised } from '#test/explorer/judge.ts'
import { reachable, STINT } from '#test/explorer/operations.ts'
import type { Ending, Limits, Press, Program, Scenario } from '#test/explorer/scenario.ts'
import { explore } from '#test/explorer/search.ts'

import type { SyncContext } from './context.ts'

vi.mock(import('#record/database.ts'), async (importOriginal) => {
  const { memoryDatabase } = await import('#test/memory-database.ts')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the record asks for no more of it
  return { ...(await importOriginal()), ...(memoryDatabase as object) }
})

const FAULTS: Limits = { faults: bySize(1, 1, 3), looks: bySize(0, 1, 1) }
const RESTORES: Limits = { faults: bySize(0, 0, 1), looks: 0, restores: 1 }

/** Where both devices press, a restored server has ten times as many orders, which the short run leaves out. */
function limitsOf({ presses }: Simple): readonly Limits[] {
  const areBothPressed = new Set(presses.map(({ client }) => client)).size > 1
  return bySize(areBothPressed, false, false) ? [FAULTS] : [FAULTS, RESTORES]
}

const TIMEOUT = EXHAUSTIVE ? 3_600_000 : MAX_TEST

const START = Date.UTC(2026, 0, 15, 12)
const TIMER = startTimer('session', 'write', START)
const FORGOTTEN = startTimer('session', 'write', START - 5 * 3_600_000)

// A part of an exhaustive run may have none of these, so they are in no suite, which must have one.
test.each(
  ofPart([
    { clients: 1, faults: 3, looks: 1 },
    { clients: 2, faults: bySize(1, 3, 3), looks: 1 },
    { clients: 3, faults: bySize(0, 2, 3), looks: 0 },
  ]),
)(
  'A stop ends in one entry with the seconds of the first stop: $clients clients, $faults faults',
  async ({ clients, ...limits }) => {
    const { endings, violations } = await exploreWithFigures(STINT, allStop(clients), limits)
    expect(violations).toEqual({})
    expect(endings).toBeGreaterThan(1)
  },
  TIMEOUT,
)

test.each(
  ofPart<{ name: string; scenario: Simple }>([
    {
      name: 'a start runs, or says that it failed and leaves nothing behind',
      scenario: {
        clients: 1,
        running: null,
        presses: [start(0, 'session', 'write', 0)],
        seconds: {},
        check: runsOrSaysSo('session'),
      },
    },
    {
      name: 'a stop during Creating... saves what was worked',
      scenario: {
        clients: 1,
        running: null,
        presses: [start(0, 'session', 'write', 0), act(0, 'stop', 12)],
        seconds: { session: [12] },
      },
    },
    {
      name: 'a start that failed is tracked offline from its first second',
      scenario: {
        clients: 1,
        running: null,
        presses: [
          start(0, 'session', 'write', 0),
          banner(0, 'offline', 10),
          act(0, 'pause', 20),
          act(0, 'stop', 50),
        ],
        seconds: { session: [20], offline: [20] },
      },
    },
    {
      name: 'a pause and a resume count, or stop the timer at that moment and save it',
      scenario: {
        clients: 1,
        running: TIMER,
        presses: [act(0, 'pause', 30), act(0, 'resume', 50), act(0, 'stop', 100)],
        seconds: { session: [30, 80] },
        check: ({ entries }) => (entries.length === 1 ? null : 'not one entry'),
      },
    },
    {
      name: 'Resume in the banner takes a pause that failed up again',
      scenario: {
        clients: 1,
        running: TIMER,
        presses: [act(0, 'pause', 30), banner(0, 'again', 50), act(0, 'stop', 100)],
        // The pause that failed has stopped the session, and Resume takes that back.
        seconds: { session: [30, 80] },
      },
    },
    {
      name: 'a start on one device ends the timer of another, and saves it',
      scenario: {
        clients: 2,
        running: TIMER,
        shownBy: [1],
        presses: [start(0, 'next', 'plan', 60)],
        seconds: { session: [60] },
        check: runsOrSaysSo('next'),
      },
    },
    {
      name: 'two starts at once leave the newer one, and save the older one',
      scenario: {
        clients: 2,
        running: null,
        presses: [start(0, 'older', 'write', 0), start(1, 'newer', 'plan', 20)],
        // A device that learns of the newer timer late has worked until then, a second later while a
        // server is restored. Both timers are kept whole.
        seconds: { older: [20, 21, 620, 621] },
        check: runsOrSaysSo('newer'),
      },
    },
    {
      name: 'a start leaves a timer forgotten for hours to its owner',
      scenario: {
        clients: 1,
        running: FORGOTTEN,
        shownBy: [],
        presses: [start(0, 'next', 'plan', 0)],
        seconds: {},
        check: runsOrSaysSo('next'),
      },
    },
    {
      name: 'a start ends a timer of five hours that its own device still shows, and saves it',
      scenario: {
        clients: 2,
        running: FORGOTTEN,
        shownBy: [1],
        presses: [start(0, 'next', 'plan', 0)],
        seconds: { session: [18_000, 18_600] },
        check: runsOrSaysSo('next'),
      },
    },
  ]),
)(
  'Every order of requests and faults keeps the promise: $name',
  async ({ scenario }) => {
    const promised = judged(scenario)
    for (const limits of limitsOf(scenario)) {
      const { endings, violations } = await exploreWithFigures(STINT, promised, limits)
      expect(violations, `with ${JSON.stringify(limits)}`).toEqual({})
      expect(endings).toBeGreaterThan(1)
    }
  },
  TIMEOUT,
)

describe('the explorer', () => {
  test('The explorer finds the time that is lost when a stop deletes the session and saves nothing', async () => {
    const { violations } = await explore(forgetful(), allStop(1), { faults: 0, looks: 0 })
    expect(Object.keys(violations)).toContain('lost')
  })

  test('The explorer finds the time that is saved twice when a save is retried under a new id', async () => {
    const { violations } = await explore(withFreshIds(), allStop(1), { faults: 1, looks: 0 })
    expect(violations['duplicate']).toContain('0 create time_entries: answer lost')
  })
})

/** A scenario and the promises about its sessions. */
type Simple = Omit<Scenario, 'judge'> & Promised

function judged({ seconds, check, ...scenario }: Simple): Scenario {
  return { ...scenario, judge: promising({ seconds, ...(check && { check }) }) }
}

/** Every client shows the timer and presses Stop, ten seconds after the previous one. */
function allStop(clients: number): Scenario {
  const presses = Array.from({ length: clients }, (_, client) =>
    act(client, 'stop', 60 + client * 10),
  )
  return judged({
    clients,
    running: TIMER,
    presses,
    isPressedTogether: true,
    seconds: { session: [60] },
    check: ({ sessions, entries }) =>
      sessions.length === 0 && entries.length === 1 ? null : 'not one entry',
  })
}

/**
 * Checks that the session runs in the end or that its device said that the start failed. The
 * message is in the banner. When another text has replaced it, the work is asked about.
 */
function runsOrSaysSo(sessionId: string) {
  return ({ sessions, clients }: Ending): string | null => {
    if (sessions.some((session) => session.$id === sessionId)) return null
    const values = clients.flatMap((client) => client.values)
    return values.some((value) => isFailure(value, sessionId)) ? null : 'silently not started'
  }
}

function isFailure(value: Value, sessionId: string): boolean {
  if (value.key === 'banner') return value.text.startsWith('Timer stopped: ')
  return value.key === 'asked' && value.questions.some((each) => each.sessionId === sessionId)
}

function start(client: number, sessionId: string, taskId: string, second: number): Press {
  return { client, action: 'start', sessionId, taskId, at: START + second * 1000 }
}

function act(client: number, action: 'pause' | 'resume' | 'stop', second: number): Press {
  return { client, action, at: START + second * 1000 }
}

function banner(client: number, sessionId: string, second: number): Press {
  return { client, action: 'banner', sessionId, at: START + second * 1000 }
}

/** The product's code, except that Stop forgets the timer and deletes its document. */
function forgetful(): Program {
  return {
    ...STINT,
    async press({ record }) {
      await record.takeIn((draft) => {
        draft.values.remove('timer')
        draft.sessions.remove(TIMER.sessionId)
      })
      return null
    },
    flush: ({ backend }) => reachable(backend.delete('timer_sessions', TIMER.sessionId)),
  }
}

/** The product's code, except that a retried save creates another entry. */
function withFreshIds(): Program {
  let ids = 0
  const fresh = (context: SyncContext): SyncContext => ({
    ...context,
    backend: {
      ...context.backend,
      create: async (collection, id, data) => {
        ids += 1
        return context.backend.create(collection, id, data).catch(async (error: unknown) => {
          if (collection !== 'time_entries' || !isConflict(error)) throw error
          const again = await context.backend.create(collection, `${id} ${ids}`, data)
          return { ...again, $id: id }
        })
      },
    },
  })
  return {
    ...STINT,
    flush: (context) => STINT.flush(fresh(context)),
    refresh: (context) => STINT.refresh(fresh(context)),
    reopen: (context) => STINT.reopen(fresh(context)),
  }
}
