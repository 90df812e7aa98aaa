/** Writes of one user's own documents, as many as the server accepts. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyOf, inParallel } from './attack.ts'
import type { Attack } from './attack.ts'
import { saveTogether } from './people.ts'

/** The quota of the servers under attack. */
export const SMALL_QUOTA = { QUOTA_DOCUMENTS: '8000', QUOTA_BYTES: '4000000' }
const QUOTA_EXCEEDED = 'stint_quota_exceeded'
const OVER_QUOTA = 'over quota'
/** The refusals of the complete attack; each is followed by a tenth of a second. */
const REFUSALS = 50

/**
 * One user saves as fast as the limits allow, and continues for a while after the quota is
 * exhausted.
 */
export const diskFiller: Attack = {
  people: 1,
  seconds: 30,
  async run({ people, size }, ask, counts) {
    const person = anyOf(people, 0)
    // Random, because PostgreSQL would compress repeated text.
    const pauses = randomBytes(45_000).toString('base64')
    for (let call = 0; counts.get(OVER_QUOTA) < REFUSALS * size; call += 1) {
      const entries = Array.from({ length: 16 }, (_, index) => ({
        id: `fill${call}x${index}`,
        attributes: { pauses },
      }))
      const { status, type } = await saveTogether(ask, person, entries)
      counts.add(type === QUOTA_EXCEEDED ? OVER_QUOTA : `status ${status}`)
      if (status === 403 || status === 429) await sleep(100)
    }
  },
  missed: (counts) => (counts[OVER_QUOTA] ? [] : ['The quota was never reached']),
}

/** Simultaneous imports, each changing all documents of the one before. */
export const bulkWrites: Attack = {
  people: 1,
  async run({ people }, ask, counts) {
    const person = anyOf(people, 0)
    await inParallel(12, async (place, round) => {
      const entries = Array.from({ length: 500 }, (_, index) => ({
        id: `bulk${place}x${index}`,
        attributes: { note: `${round}` },
      }))
      const { status } = await saveTogether(ask, person, entries, false)
      counts.add(`status ${status}`)
      if (status !== 200) await sleep(200)
    })
  },
}
