/** The timer as the screens show it. */
import { IDLE } from '@stint/core/timer/timer.ts'
import type { Timer } from '@stint/core/timer/timer.ts'

import { useLocalTasks, useRecord, useSyncStatus, useValue } from '#session/signed-in.ts'

export interface TimerView {
  readonly timer: Timer
  /** True while the session is being created on the backend: shows 'Creating...'. */
  readonly creating: boolean
  /** True while the timer is tracked offline and the backend does not know of it. */
  readonly trackedOffline: boolean
  readonly taskName: string | null
  /** The device on which it was started; null when it is this one or unknown. */
  readonly device: string | null
}

/** Returns the timer and re-renders when it changes. */
export function useTimer(): TimerView {
  const { device } = useRecord()
  const active = useValue('timer')
  const tasks = useLocalTasks()
  const { online } = useSyncStatus()
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
