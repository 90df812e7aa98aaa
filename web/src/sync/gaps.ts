/**
 * Gaps: stretches in which the timer ran and this device was closed or asleep. They count as work,
 * as the spec has it, until their owner takes them out; nothing is ever decided for them (S3, S18).
 */
import { takeOut } from '@stint/core/timer/timer.ts'

import { addToOutbox, readState } from './local-records.ts'
import type { Gap, LocalDb } from './local-db.ts'

/**
 * A shorter silence is none: a tab in the background still notes every minute, but one that the
 * browser freezes for a while is no absence.
 */
export const GAP_MILLISECONDS = 30 * 60 * 1000

/** Notes that this device is awake. A long silence before it, while the timer ran, is a gap. */
export async function noteAwake(db: LocalDb, now: number): Promise<void> {
  await db.transaction('rw', db.state, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.status !== 'running') {
      await db.state.delete('seen')
      return
    }
    const { sessionId } = record.timer
    const seen = await readState(db, 'seen')
    if (seen?.sessionId === sessionId && now - seen.at >= GAP_MILLISECONDS) {
      const known = (await readState(db, 'gaps'))?.gaps ?? []
      const gaps = known.filter((gap) => gap.sessionId === sessionId)
      await db.state.put({ key: 'gaps', gaps: [...gaps, { sessionId, start: seen.at, end: now }] })
    }
    await db.state.put({ key: 'seen', sessionId, at: now })
  })
}

/** The gap counts as work, and is not asked about again. */
export async function keepGap(db: LocalDb, gap: Gap): Promise<void> {
  await db.transaction('rw', db.state, () => forget(db, gap))
}

/** Takes out the gap from `from` on: it becomes a pause of the timer, here and on the backend. */
export async function takeOutGap(db: LocalDb, gap: Gap, from: number, now: number): Promise<void> {
  await db.transaction('rw', db.state, db.outbox, async () => {
    await forget(db, gap)
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== gap.sessionId) return
    const timer = takeOut(record.timer, Math.max(from, gap.start), gap.end)
    await db.state.put({ ...record, timer })
    await addToOutbox(db, { kind: 'restate', sessionId: gap.sessionId }, now)
  })
}

/**
 * Nothing after `until` is a gap of the session: it is a pause. What is left of a gap may be too
 * short to be one. Must run inside a read-write transaction over `state`.
 */
export async function cutGaps(db: LocalDb, sessionId: string, until: number): Promise<void> {
  const record = await readState(db, 'gaps')
  if (!record?.gaps.some((gap) => gap.sessionId === sessionId && gap.end > until)) return
  const gaps = record.gaps
    .map((gap) => (gap.sessionId === sessionId ? { ...gap, end: Math.min(gap.end, until) } : gap))
    .filter((gap) => gap.end - gap.start >= GAP_MILLISECONDS)
  await db.state.put({ key: 'gaps', gaps })
}

async function forget(db: LocalDb, gap: Gap): Promise<void> {
  const known = (await readState(db, 'gaps'))?.gaps ?? []
  const gaps = known.filter((each) => each.sessionId !== gap.sessionId || each.start !== gap.start)
  await db.state.put({ key: 'gaps', gaps })
}
