/** What the shortcuts do. */
import { lastWorked } from '@stint/core/record/recent.ts'
import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import type { ActiveTimer, Timer } from '@stint/core/timer/timer.ts'

import { useLocation, useNavigate } from '#ui/navigation.tsx'
import { useEntries } from '#hooks/use-entries.ts'
import { openFloating } from '#ui/floating-window.ts'
import { tasksPageRequest } from '#hooks/requests.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { showToast } from '#ui/toast.tsx'

import type { Shortcut } from '#hooks/shortcut-keys.ts'

/** Every shortcut except those that open a dialog of the keyboard feature. */
export type Command = Exclude<Shortcut, 'palette' | 'sheet' | 'start'>

/** Returns the commands. A command without effect shows a toast that says so. */
export function useCommands(): Readonly<Record<Command, () => void>> {
  const { timer, taskName } = useTimer()
  const { entries, complete } = useEntries()
  const { tasks } = useTasks()
  const timerCommands = useTimerCommands()
  const navigate = useNavigate()
  const { pathname } = useLocation()

  return {
    stop() {
      if (timer.status === 'idle') notify(t('No timer is running.'))
      else void timerCommands.stop()
    },
    pause() {
      if (timer.status === 'idle') notify(t('No timer is running.'))
      else void (timer.status === 'paused' ? timerCommands.resume() : timerCommands.pause())
    },
    continue() {
      if (timer.status !== 'idle') return notify(alreadyRunning(taskName))
      const task = lastTimedTask() ?? lastWorked(tasks, entries)
      if (task) void timerCommands.start(task.id)
      else notify(complete ? t('Nothing to continue yet.') : t('Still loading your history.'))
    },
    add: () => goToTasks('add'),
    search: () => {
      if (pathname === '/sessions') tasksPageRequest.open('search')
      else goToTasks('search')
    },
    float() {
      if (timer.status === 'idle') notify(t('No timer is running.'))
      else void openFloating()
    },
    dashboard: () => navigate('/dashboard'),
    tasks: () => navigate('/tasks'),
    reports: () => navigate('/reports'),
    sessions: () => navigate('/sessions'),
    settings: () => navigate('/settings'),
  }

  /** Returns the task last timed on this page, if that was after every loaded entry. */
  function lastTimedTask(): Task | undefined {
    if (!lastTimer || (entries.at(-1)?.startedAt ?? 0) > lastTimer.startedAt) return undefined
    return tasks.find(({ id }) => id === lastTimer?.taskId)
  }

  function goToTasks(wanted: 'add' | 'search'): void {
    tasksPageRequest.open(wanted)
    if (pathname !== '/tasks') navigate('/tasks')
  }
}

let lastTimer: ActiveTimer | null = null

/** Remembers the active timer, as Continue right after Stop may come before the new entry is loaded. */
export function rememberTimer(timer: Timer): void {
  if (timer.status !== 'idle') lastTimer = timer
}

function alreadyRunning(task: string | null): string {
  return task === null ? t('A task is already running.') : t('{task} is already running.', { task })
}

function notify(text: string): void {
  showToast({ text })
}
