/**
 * What this device says by itself: each thing once, whichever tab comes first, and not again after a
 * reload. And which breaks were not taken, which no pause shows.
 */
import type { LocalDb, NudgesRecord } from './local-db.ts'
import { readState } from './local-records.ts'

/** Old ones are forgotten: nobody is reminded of last month. */
const MOST_KEPT = 200

/** True for the first who asks whether to say this; false for everybody after. */
export async function sayOnce(db: LocalDb, event: string): Promise<boolean> {
  return db.transaction('rw', db.state, async () => {
    const { said, skips } = await nudgesOf(db)
    if (said.includes(event)) return false
    await db.state.put({ key: 'nudges', said: [...said, event].slice(-MOST_KEPT), skips })
    return true
  })
}

/** The break that was due at `now` is not taken. */
export async function skipBreak(db: LocalDb, now: number): Promise<void> {
  await db.transaction('rw', db.state, async () => {
    const { said, skips } = await nudgesOf(db)
    await db.state.put({ key: 'nudges', said, skips: [...skips, now].slice(-MOST_KEPT) })
  })
}

async function nudgesOf(db: LocalDb): Promise<Pick<NudgesRecord, 'said' | 'skips'>> {
  return (await readState(db, 'nudges')) ?? { said: [], skips: [] }
}
