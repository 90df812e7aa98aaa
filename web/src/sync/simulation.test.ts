/**
 * Thousands of presses on three devices, with every fault. `npm run soak -- presses` makes a million.
 * SEED selects another start or repeats a failure. FAULTS=offline,late leaves the other faults out.
 * LOOK_ON=1 continues after a violation, and shows one schedule of each kind. LOOK_ON=all names every
 * seed that fails, and shrinks none.
 */
import { existsSync } from 'node:fs'

import { IS_SHORT, runsOf } from '@stint/testing/size.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import {
  confirmsBeforeItWrites,
  forgetsStops,
  forgetsWhatIsMissing,
  leavesOutShowed,
  placesAnew,
  resendsNothing,
  savesUnderNewIds,
  trustsItsClock,
  writesBlindly,
} from '#test/simulation/plants.ts'
import { ALL_FAULTS, ALL_PRESSES, anySchedule } from '#test/simulation/schedule.ts'
import type { Faults } from '#test/simulation/schedule.ts'
import { search } from '#test/simulation/search.ts'
import type { Search } from '#test/simulation/search.ts'
import { prepareSimulation, simulate } from '#test/simulation/world.ts'
import type { Outcome } from '#test/simulation/world.ts'

vi.mock(import('#record/database.ts'), async (importOriginal) => {
  const { withMemory } = await import('#test/simulation/disks.ts')
  return withMemory(await importOriginal())
})

const { env } = process
const COUNT = runsOf('SIMULATE', 300, 3000)
const SEED = Number(env['SEED'] ?? 1)

const MEMORY = '/dev/shm'

let server: TestApp

beforeAll(async () => {
  // The server writes to its disk before it answers. Here that disk may be memory.
  if (existsSync(MEMORY)) vi.stubEnv('TMPDIR', MEMORY)
  server = await createTestApp()
  vi.unstubAllEnvs()
})

beforeEach(prepareSimulation)

afterAll(async () => {
  await server.close()
})

const EVERYDAY: Search = {
  faults: faultsOf(env['FAULTS']),
  presses: ALL_PRESSES,
  count: COUNT,
  seed: SEED,
  known: env['KNOWN']?.split(',') ?? [],
  looksOn: env['LOOK_ON'] !== undefined,
  shrinks: env['LOOK_ON'] !== 'all',
  maxSteps: Number(env['STEPS'] ?? 250),
}

/** A search that is long enough to find each planted bug. */
const PLANTED: Search = {
  ...EVERYDAY,
  faults: faultsOf(''),
  count: 2000,
  seed: 1,
  known: [],
  shrinks: false,
  maxSteps: 60,
}

/** A bug, the faults without which it changes nothing, and the beginning of what is found. */
type Plant = readonly [what: string, faults: string, bug: Partial<Search>, found: string]

// Only one fault is on at a time, so that nothing else explains the finding.
const PLANTS: readonly Plant[] = [
  ['says that it has stopped and goes on', '', { forgets: forgetsStops }, 'start-'],
  ['saves an entry under a new id', 'cutAfter', { plant: savesUnderNewIds }, 'start-'],
  [
    'confirms a press before it is on the disk',
    'kill',
    { plant: confirmsBeforeItWrites, isHasty: true },
    'shown after its stop',
  ],
  // The real server says why it refuses.
  ['takes its clock for right', 'clock', { plant: trustsItsClock, isReal: true }, 'in the future'],
  ['takes what is missing for deleted', 'restore', { plant: forgetsWhatIsMissing }, 'lost'],
]
const PLANTS_OF_LOGS: readonly Plant[] = [
  ['sends nothing again', 'cutBefore', { plant: resendsNothing }, 'different'],
  ['writes over what it has not read', 'offline', { plant: writesBlindly }, 'written over'],
  ['leaves out what its screen showed', 'offline', { plant: leavesOutShowed }, 'shown and lost'],
  ['places anew what a request has had', 'cutBefore', { plant: placesAnew }, 'written anew'],
]

describe('three devices in virtual time', () => {
  test(
    'Three devices keep every worked second exactly once, whatever is pressed and whatever fails',
    async () => {
      const begun = process.cpuUsage()
      const { failure, ...found } = await search(server, {
        ...EVERYDAY,
        onFailure: (text) => void process.stdout.write(`${text}\n\n`),
        onProgress: (sofar) => void process.stdout.write(`${JSON.stringify(sofar)}\n`),
      })
      const { user, system } = process.cpuUsage(begun)
      const seconds = Math.round((user + system) / 1e5) / 10
      process.stdout.write(`${JSON.stringify({ ...found, seconds })}\n`)
      expect(failure).toBeNull()
      expect(found.presses).toBeGreaterThanOrEqual(COUNT)
    },
    MAX_TEST + COUNT * 300,
  )

  test(
    'Three devices keep the note of the timer, whatever is pressed and whatever fails',
    async () => {
      const presses = { ...ALL_PRESSES, edits: false, timerNotes: true }
      // When a restored server has lost the note of a running timer, and another device stops the
      // timer first, the entry looks as if the note had been erased there. So it is not promised.
      const faults = { ...EVERYDAY.faults, restore: false }
      const { failure } = await search(server, { ...EVERYDAY, faults, presses, count: COUNT / 5 })
      expect(failure).toBeNull()
    },
    MAX_TEST + COUNT * 60,
  )

  test(
    'Three devices that are online are asked at most one question in 1,000 presses',
    async () => {
      const online = { ...EVERYDAY, faults: faultsOf(''), isOnline: true, count: COUNT / 2 }
      const { failure, questions, presses } = await search(server, online)
      expect(failure).toBeNull()
      expect(questions).toBeLessThanOrEqual(Math.ceil(presses / 1000))
    },
    MAX_TEST + COUNT * 60,
  )

  test(
    'A schedule makes the same requests and ends alike with the real server and with the stand-in',
    async () => {
      for (const seed of [8, 10]) {
        const [steps = []] = fc.sample(anySchedule(ALL_FAULTS, ALL_PRESSES, 100), {
          numRuns: 1,
          seed,
        })
        const ends = async (isReal: boolean) =>
          comparable(await simulate(server, steps, seed, { hasRealtime: seed === 8, isReal }))
        expect(await ends(false)).toEqual(await ends(true))
      }
    },
    MAX_TEST,
  )

  test.each([...(IS_SHORT ? [] : PLANTS), ...PLANTS_OF_LOGS])(
    'The judge of the simulation finds a device that %s',
    async (_what, faults, bug, found) => {
      const { failure } = await search(server, { ...PLANTED, faults: faultsOf(faults), ...bug })
      expect(failure).toContain(found)
    },
    MAX_TEST,
  )

  test(
    'The simulation gives the same run for the same seed',
    async () => {
      const once = await search(server, { ...EVERYDAY, count: 50 })
      expect(await search(server, { ...EVERYDAY, count: 50 })).toEqual(once)
    },
    MAX_TEST,
  )
})

/** Returns an outcome without the rows, and without the order within an instant. */
function comparable({ log, ...outcome }: Outcome) {
  return { ...outcome, log: log.filter((line) => !/ (session|entry) \{/.test(line)).toSorted() }
}

/** Parses a list such as 'offline,late'. An empty text means no faults. */
function faultsOf(text: string | undefined): Faults {
  if (text === undefined || text === 'all') return ALL_FAULTS
  const named = new Set(text.split(','))
  const { offline, cutBefore, cutAfter, late, kill, clock, restore } = ALL_FAULTS
  return {
    offline: offline && named.has('offline'),
    cutBefore: cutBefore && named.has('cutBefore'),
    cutAfter: cutAfter && named.has('cutAfter'),
    late: late && named.has('late'),
    kill: kill && named.has('kill'),
    clock: clock && named.has('clock'),
    restore: restore && named.has('restore'),
  }
}
