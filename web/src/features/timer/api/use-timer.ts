/** What the timer shows. */
import { IDLE } from '@stint/core/timer/timer.ts'
import type { Timer } from '@stint/core/timer/timer.ts'

import {
  useLocalTasks,
  useRecord,
  useSyncStatus as useStatus,
  useValue,
} from '#session/signed-in.ts'

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
