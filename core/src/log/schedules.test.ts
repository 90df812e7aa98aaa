/**
 * Random schedules of three devices: presses and edits, lost requests and answers, and restored servers, with
 * requests interleaved one by one. The ledger judges them without any code of the product. Clocks are in
 * core/src/device/unsure-clock.test.ts and in the simulation of the app.
 */
import { expect, test } from 'vitest'
import { runSchedule } from './test/schedule.ts'
import { PLANTS } from './test/world.ts'
import type { Faults } from './test/world.ts'

/** How many presses are made of each kind of schedule, and the first seed. */
const PRESSES = Number(process.env['LOG_PRESSES'] ?? 800)
const SEED = Number(process.env['LOG_SEED'] ?? seedOf(process.env['TZ'] ?? ''))

const CALM: Faults = { isLossy: false, isRestored: false, planted: null }
const KINDS: readonly (readonly [string, Faults])[] = [
  ['late news', CALM],
  ['lost requests and restored servers', { ...CALM, isLossy: true, isRestored: true }],
]

/** The projects of the four time zones run other schedules each. */
function seedOf(zone: string): number {
  return zone.length * 10_000
}

/** Runs schedules from a seed on until they have so many presses, or something is wrong. */
function failureOf(faults: Faults, presses: number): string | null {
  let pressed = 0
  for (let seed = SEED; pressed < presses; seed += 1) {
    const result = runSchedule(seed, faults)
    pressed += result.presses
    if (result.wrong.length > 0)
      return [`LOG_SEED=${seed}`, ...result.wrong, ...result.events].join('\n')
  }
  return null
}

test.each(KINDS)(
  'All devices agree, and no second is lost, invented or counted twice, with %s.',
  { timeout: 3_600_000 },
  (_, faults) => {
    expect(failureOf(faults, PRESSES)).toBeNull()
  },
)

test.each(PLANTS)('A device that %s is found.', (planted) => {
  const faults = { ...CALM, isLossy: true, isRestored: true, planted }
  expect(failureOf(faults, 20_000)).not.toBeNull()
})
