/** The timer (spec 2, 4): what it shows, what can be pressed, what went wrong, what is unfinished. */
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { elapsedSeconds, IDLE, stoppedBetween } from '@stint/core/timer/timer.ts'
import type { StoppedTimer, Timer } from '@stint/core/timer/timer.ts'
import { addPause } from '@stint/core/timer/pauses.ts'
import { nextMidnight } from '@stint/core/time/calendar.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { useEffect, useState } from 'react'

import { useFormats, useDayRule } from '#features/settings/api.ts'
import type { Formats } from '#features/settings/api.ts'
import { newDocumentId } from '#sync/document-id.ts'
import {
  useBannerRecord,
  useGapsRecord,
  useLocalTasks,
  useSync,
  useSyncStatusOf,
  useTimerRecord,
  useUnfinishedRecord,
  useUnsavedCount,
} from '#sync/session-context.ts'
import { keepGap, takeOutGap } from '#sync/gaps.ts'
import { STOP_FAILED } from '#sync/session-errors.ts'
import type { Sync } from '#sync/sync.ts'
import * as store from '#sync/timer-store.ts'
import { offerUndo } from '#ui/undo.ts'

/** By key as long as by the toast: later, the time since would no longer be work. */
const UNDO_STOP_SECONDS = 10

export interface TimerView {
  readonly timer: Timer
  /** The session is being created: 'Creating...'. */
  readonly creating: boolean
  /** The user chose to track offline and the backend has not heard of it yet. */
  readonly trackedOffline: boolean
  readonly taskName: string | null
  /** The device it was started on, or null when it is this one or unknown. */
  readonly device: string | null
}

/** The timer, live. */
export function useTimer(): TimerView {
  const sync = useSync()
  const record = useTimerRecord()
  const tasks = useLocalTasks()
  const { online } = useSyncStatusOf(sync)
  if (!record) {
    return {
      timer: IDLE,
      creating: false,
      trackedOffline: false,
      taskName: null,
      device: null,
    }
  }
  return {
    timer: record.timer,
    creating: record.phase === 'creating',
    trackedOffline: record.phase === 'offline' && !online,
    taskName: tasks?.find((task) => task.id === record.timer.taskId)?.name ?? null,
    device: record.device === sync.device ? null : record.device,
  }
}

/** Whole seconds on the clock. Renders again every second, only while it runs. */
export function useElapsed(): number {
  const record = useTimerRecord()
  const now = useNow()
  return record ? elapsedSeconds(record.timer, now) : 0
}

/**
 * Now, epoch milliseconds of server time. Renders again every second while the timer runs, else
 * when the local day changes and when the tab is looked at again.
 */
export function useNow(): number {
  const { clock } = useSync()
  const timer = useTimerRecord()?.timer
  const dayRule = useDayRule()
  const [, setTick] = useState(0)
  const startedAt = timer?.status === 'running' ? timer.startedAt : null

  useEffect(() => {
    let timeout: ReturnType<typeof setTimeout>
    const tick = () => {
      setTick((count) => count + 1)
      schedule()
    }
    const schedule = () => {
      clearTimeout(timeout)
      timeout = setTimeout(tick, untilNextTick(clock.now(), startedAt, dayRule))
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') tick()
    }
    schedule()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timeout)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [clock, startedAt, dayRule])

  return clock.now()
}

/** A day has at most 25 hours; setTimeout takes no more than 24.8 days. */
function untilNextTick(now: number, startedAt: number | null, dayRule: DayRule): number {
  if (startedAt === null) return nextMidnight(now, dayRule) - now + 1
  // Just after the elapsed second turns, so that no second is shown twice or skipped.
  const sinceTurn = (((now - startedAt) % 1000) + 1000) % 1000
  return 1000 - sinceTurn + 5
}

export interface TimerCommands {
  readonly start: (taskId: string) => Promise<void>
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** As if it had been pressed `at` that instant, now unless given. */
  readonly stop: (at?: number) => Promise<void>
}

/** What can be pressed. Each resolves once it is durable here; the backend hears of it after. */
export function useTimerCommands(): TimerCommands {
  return timerCommands(useSync(), useFormats())
}

function timerCommands(sync: Sync, { duration }: Formats): TimerCommands {
  const { clock, device } = sync
  return {
    async start(taskId) {
      // The moment of the press counts, not the one when the database is open.
      const input = { sessionId: newDocumentId(), taskId, device, now: clock.now() }
      await store.start(await sync.database(), input)
      void sync.flush()
    },
    pause: () => changeOrSay(store.pause),
    resume: () => changeOrSay(store.resume),
    async stop(at = clock.now()) {
      const db = await sync.database()
      try {
        const stopped = await store.stop(db, at)
        if (stopped) offerUndoStop(stopped)
      } catch {
        await store.showBanner(db, { text: STOP_FAILED, action: null })
      }
      void sync.flush()
      sync.refreshAfterStop()
    },
  }

  function offerUndoStop(stopped: StoppedTimer): void {
    if (stopped.durationSeconds === 0) return
    offerUndo(
      `Stopped after ${duration(stopped.durationSeconds)}`,
      () => takeUpAgain(sync, stopped, 'work'),
      UNDO_STOP_SECONDS,
    )
  }

  async function changeOrSay(change: typeof store.pause): Promise<void> {
    const now = clock.now()
    const db = await sync.database()
    const errorText = await change(db, now)
    if (errorText !== null) await store.showBanner(db, { text: errorText, action: null })
    void sync.flush()
  }
}

export interface SessionError {
  readonly text: string
  readonly action: {
    readonly label: 'Track offline' | 'Resume'
    readonly run: () => Promise<void>
  } | null
  readonly dismiss: () => Promise<void>
}

/** The red banner: what went wrong with the session and what can be done; null when all is well. */
export function useSessionError(): SessionError | null {
  const sync = useSync()
  const banner = useBannerRecord()
  if (!banner) return null
  const { clock, device } = sync
  const { text, action } = banner
  const dismiss = async () => store.dismissBanner(await sync.database())
  switch (action?.kind) {
    case undefined:
      return { text, action: null, dismiss }
    case 'track-offline': {
      const { taskId, startedAt } = action
      const input = { sessionId: newDocumentId(), taskId, startedAt, device }
      return {
        text,
        dismiss,
        action: {
          label: 'Track offline',
          run: async () => {
            const now = clock.now()
            await store.trackOffline(await sync.database(), { ...input, now })
            void sync.flush()
          },
        },
      }
    }
    case 'resume': {
      const { stopped } = action
      return {
        text,
        dismiss,
        action: {
          label: 'Resume',
          run: () => takeUpAgain(sync, stopped, 'pause'),
        },
      }
    }
  }
}

/** Goes on with a timer that was stopped a moment ago; later, it stays stopped. */
export async function takeUpStopped(sync: Sync, stopped: StoppedTimer): Promise<void> {
  if (sync.clock.now() - stopped.endedAt > UNDO_STOP_SECONDS * 1000) return
  await takeUpAgain(sync, stopped, 'work')
}

/** As 'work' the seconds until Undo is pressed count: Stop was the mistake (features 4.4). */
async function takeUpAgain(
  sync: Sync,
  stopped: StoppedTimer,
  gap: 'pause' | 'work',
): Promise<void> {
  const { clock, device } = sync
  const input = { sessionId: newDocumentId(), stopped, gap, device, now: clock.now() }
  await store.resumeStopped(await sync.database(), input)
  void sync.flush()
}

export interface SyncStatusView {
  readonly online: boolean
  /** How many changes the backend has not acknowledged. */
  readonly unsaved: number
  /** How long sending takes at the pace the backend allows; null while it does not slow it down. */
  readonly minutesLeft: number | null
  readonly retry: () => void
}

/** Whether the backend answers, and what it has not heard yet. */
export function useSyncStatus(): SyncStatusView {
  const sync = useSync()
  const { online, entriesPerMinute } = useSyncStatusOf(sync)
  const unsaved = useUnsavedCount()
  const minutesLeft = entriesPerMinute && Math.ceil(unsaved / entriesPerMinute)
  return { online, unsaved, minutesLeft, retry: () => void sync.retry() }
}

export interface UnfinishedTimer {
  readonly sessionId: string
  readonly taskName: string
  readonly startedAt: number
  /** The last time any device touched it. */
  readonly lastSeenAt: number
  readonly paused: boolean
  /** Seconds of work if it had ended at `until`. */
  readonly workedSeconds: (until: number) => number
}

export interface UnfinishedTimers {
  readonly timers: readonly UnfinishedTimer[]
  readonly resume: (sessionId: string) => Promise<void>
  readonly save: (sessionId: string, until: number) => Promise<void>
  readonly discard: (sessionId: string) => Promise<void>
}

/** Sessions that were not restored by themselves: for the recovery cards (design 5.6, S3). */
export function useUnfinishedTimers(): UnfinishedTimers {
  const sync = useSync()
  const sessions = useUnfinishedRecord()?.sessions ?? []
  const tasks = useLocalTasks()
  const { clock } = sync
  const nameOf = (taskId: string) =>
    tasks?.find((task) => task.id === taskId)?.name ?? 'Unknown task'

  return {
    timers: sessions.flatMap((session) => unfinishedTimer(session, nameOf)),
    resume: (id) => settle(id, store.resumeSession),
    save: (id, until) =>
      settle(id, (db, session, now) => store.finishSession(db, session, until, now)),
    discard: (id) => settle(id, store.discardSession),
  }

  async function settle(id: string, work: typeof store.resumeSession) {
    const session = sessions.find((candidate) => candidate.id === id)
    if (!session) return
    const now = clock.now()
    await work(await sync.database(), session, now)
    void sync.flush()
  }
}

function unfinishedTimer(
  session: TimerSession,
  nameOf: (taskId: string) => string,
): UnfinishedTimer[] {
  if (session.state.kind === 'stopped') return []
  const { timer } = session.state
  const { sessionId, taskId, startedAt } = timer
  return [
    {
      sessionId,
      taskName: nameOf(taskId),
      startedAt,
      lastSeenAt: timer.status === 'paused' ? timer.pausedAt : session.updatedAt,
      paused: timer.status === 'paused',
      workedSeconds(until) {
        const pauses =
          timer.status === 'paused' ? addPause(timer.pauses, timer.pausedAt, until) : timer.pauses
        return stoppedBetween(sessionId, taskId, startedAt, Math.max(until, startedAt), pauses)
          .durationSeconds
      },
    },
  ]
}

export interface GapView {
  readonly start: number
  readonly end: number
  /** The time counts: what is also true while nobody decides. */
  readonly keep: () => Promise<void>
  /** The time from `from` to the gap's end is taken out, as a pause. */
  readonly takeOut: (from: number) => Promise<void>
}

/** Stretches in which the timer ran while this device was closed or asleep (S3, S18). */
export function useGaps(): readonly GapView[] {
  const sync = useSync()
  const sessionId = useTimerRecord()?.timer.sessionId
  const gaps = useGapsRecord()?.gaps ?? []
  const { clock } = sync
  return gaps
    .filter((gap) => gap.sessionId === sessionId)
    .map((gap) => ({
      start: gap.start,
      end: gap.end,
      keep: async () => keepGap(await sync.database(), gap),
      takeOut: async (from) => {
        const now = clock.now()
        await takeOutGap(await sync.database(), gap, from, now)
        void sync.flush()
      },
    }))
}

export { useOverQuota } from '#sync/session-context.ts'
