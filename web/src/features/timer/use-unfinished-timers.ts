/** The data of the cards for unfinished timers. */
import { t } from '@stint/core/text.ts'
import { addPause } from '@stint/core/timer/pauses.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { stoppedBetween } from '@stint/core/timer/timer.ts'

import type { Draft } from '@stint/core/device/draft.ts'
import { discardSession, finishSession, resumeSession } from '@stint/core/device/questions.ts'
import { useLocalTasks, useRecord, useValue } from '#session/signed-in.ts'

export interface UnfinishedTimer {
  readonly sessionId: string
  readonly taskName: string
  readonly startedAt: number
  /** The last activity of any device on the session. */
  readonly lastSeenAt: number
  readonly paused: boolean
  /** Returns the seconds of work if the session ends at `until`. */
  readonly workedSeconds: (until: number) => number
}

export interface UnfinishedTimers {
  readonly timers: readonly UnfinishedTimer[]
  readonly resume: (sessionId: string) => Promise<void>
  readonly save: (sessionId: string, until: number) => Promise<void>
  readonly discard: (sessionId: string) => Promise<void>
}

/** Returns the sessions that were not restored automatically. */
export function useUnfinishedTimers(): UnfinishedTimers {
  const record = useRecord()
  const sessions = useValue('unfinished')?.sessions ?? []
  const tasks = useLocalTasks()
  const nameOf = (taskId: string) =>
    tasks.find((task) => task.id === taskId)?.name ?? t('Unknown task')

  return {
    timers: sessions.flatMap((session) => unfinishedTimer(session, nameOf)),
    resume: (id) => settle(id, resumeSession),
    save: (id, until) => settle(id, (draft, session) => finishSession(draft, session, until)),
    discard: (id) => settle(id, discardSession),
  }

  async function settle(
    id: string,
    change: (draft: Draft, session: TimerSession) => void,
  ): Promise<void> {
    const session = sessions.find((candidate) => candidate.id === id)
    if (session) await record.write((draft) => change(draft, session))
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
