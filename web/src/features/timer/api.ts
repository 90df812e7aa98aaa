/** The timer: what it shows, what can be pressed, what went wrong, what is unfinished. */
import { prefsFromSettings } from '@stint/core/settings.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { elapsedSeconds, IDLE, stoppedBetween } from '@stint/core/timer/timer.ts'
import type { StoppedTimer, Timer } from '@stint/core/timer/timer.ts'
import { addPause } from '@stint/core/timer/pauses.ts'
import { nextMidnight } from '@stint/core/time/calendar.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { useEffect, useState } from 'react'

import { useFormats, useDayRule } from '#features/settings/api.ts'
import type { Formats } from '#features/settings/api.ts'
import { newDocumentId } from '#record/document-id.ts'
import {
  useLocalTasks,
  useRecord,
  useSync,
  useSyncStatus as useStatus,
  useUnsavedCount,
  useValue,
} from '#session/signed-in.ts'
import { keepGap, takeOutGap } from '#record/gaps.ts'
import { STOP_FAILED } from '#record/timer-texts.ts'
import type { Draft } from '#record/draft.ts'
import type { LocalRecord } from '#record/record.ts'
import { changePrefs } from '#record/settings.ts'
import * as store from '#record/timer.ts'
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
  const { device } = useRecord()
  const active = useValue('timer')
  const tasks = useLocalTasks()
  const { online } = useStatus()
  if (!active) {
    return {
      timer: IDLE,
      creating: false,
      trackedOffline: false,
      taskName: null,
      device: null,
    }
  }
  return {
    timer: active.timer,
    creating: active.phase === 'creating',
    trackedOffline: active.phase === 'offline' && !online,
    taskName: tasks.find((task) => task.id === active.timer.taskId)?.name ?? null,
    device: active.device === device ? null : active.device,
  }
}

/** Whole seconds on the clock. Renders again every second, only while it runs. */
export function useElapsed(): number {
  const active = useValue('timer')
  const now = useNow()
  return active ? elapsedSeconds(active.timer, now) : 0
}

/**
 * Now, epoch milliseconds of server time. Renders again every second while the timer runs, else
 * when the local day changes and when the tab is looked at again.
 */
export function useNow(): number {
  const { clock } = useRecord()
  const timer = useValue('timer')?.timer
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
  return timerCommands(useRecord(), useFormats())
}

function timerCommands(record: LocalRecord, { duration }: Formats): TimerCommands {
  const { device } = record
  return {
    async start(taskId) {
      const input = { sessionId: newDocumentId(), taskId, device }
      await record.write((draft, now) => store.start(draft, { ...input, now }))
    },
    pause: () => changeOrSay(store.pause),
    resume: () => changeOrSay(store.resume),
    async stop(at) {
      try {
        const stopped = await record.write((draft, now) => store.stop(draft, at ?? now))
        if (stopped) offerUndoStop(stopped)
      } catch {
        await record.write((draft, now) =>
          store.showBanner(draft, { text: STOP_FAILED, action: null }, now),
        )
      }
    },
  }

  function offerUndoStop(stopped: StoppedTimer): void {
    if (stopped.durationSeconds === 0) return
    offerUndo(
      `Stopped after ${duration(stopped.durationSeconds)}`,
      () => takeUpAgain(record, stopped, 'work'),
      UNDO_STOP_SECONDS,
    )
  }

  async function changeOrSay(change: typeof store.pause): Promise<void> {
    await record.write((draft, now) => {
      const text = change(draft, now)
      if (text !== null) store.showBanner(draft, { text, action: null }, now)
    })
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
  const record = useRecord()
  const banner = useValue('banner')
  if (!banner) return null
  const { device } = record
  const { text, action } = banner
  const dismiss = () => record.write((draft) => store.dismissBanner(draft))
  switch (action?.kind) {
    case undefined:
      return { text, action: null, dismiss }
    case 'track-offline': {
      const input = { sessionId: newDocumentId(), timer: action.timer, device }
      const run = () =>
        record.write((draft, now) => {
          store.trackOffline(draft, { ...input, now })
          // From the first time on it is what its owner wants.
          changePrefs(draft, prefsFromSettings({ trackOffline: true }), now)
        })
      return { text, dismiss, action: { label: 'Track offline', run } }
    }
    case 'resume': {
      const { stopped, gap } = action
      const run = () => takeUpAgain(record, stopped, gap)
      return { text, dismiss, action: { label: 'Resume', run } }
    }
  }
}

/** Goes on with a timer that was stopped a moment ago; later, it stays stopped. */
export async function takeUpStopped(record: LocalRecord, stopped: StoppedTimer): Promise<void> {
  if (record.clock.now() - stopped.endedAt > UNDO_STOP_SECONDS * 1000) return
  await takeUpAgain(record, stopped, 'work')
}

/** As 'work' the seconds until Undo is pressed count: Stop was the mistake. */
async function takeUpAgain(
  record: LocalRecord,
  stopped: StoppedTimer,
  gap: 'pause' | 'work',
): Promise<void> {
  const input = { sessionId: newDocumentId(), stopped, gap, device: record.device }
  await record.write((draft, now) => store.resumeStopped(draft, { ...input, now }))
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
  const { online, entriesPerMinute } = useStatus()
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

/** Sessions that were not restored by themselves: for the recovery cards. */
export function useUnfinishedTimers(): UnfinishedTimers {
  const record = useRecord()
  const sessions = useValue('unfinished')?.sessions ?? []
  const tasks = useLocalTasks()
  const nameOf = (taskId: string) =>
    tasks.find((task) => task.id === taskId)?.name ?? 'Unknown task'

  return {
    timers: sessions.flatMap((session) => unfinishedTimer(session, nameOf)),
    resume: (id) => settle(id, store.resumeSession),
    save: (id, until) => settle(id, (draft, session) => store.finishSession(draft, session, until)),
    discard: (id) => settle(id, store.discardSession),
  }

  async function settle(
    id: string,
    change: (draft: Draft, session: TimerSession, now: number) => void,
  ): Promise<void> {
    const session = sessions.find((candidate) => candidate.id === id)
    if (session) await record.write((draft, now) => change(draft, session, now))
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

/** Stretches in which the timer ran while this device was closed or asleep. */
export function useGaps(): readonly GapView[] {
  const record = useRecord()
  const sessionId = useValue('timer')?.timer.sessionId
  const gaps = useValue('gaps')?.gaps ?? []
  return gaps
    .filter((gap) => gap.sessionId === sessionId)
    .map((gap) => ({
      start: gap.start,
      end: gap.end,
      keep: () => record.write((draft) => keepGap(draft, gap)),
      takeOut: (from) => record.write((draft) => takeOutGap(draft, gap, from)),
    }))
}

export { useOverQuota } from '#session/signed-in.ts'
