import { useEffect, useRef } from 'react'
import { showToast } from '#ui/toast.tsx'
import { useEntries } from '#features/entries/api.ts'
import { useTasks } from '#features/tasks/api.ts'
import { useTimer, useTimerCommands } from '#features/timer/api.ts'

/**
 * The shortcut 'Start last task' of the installed app opens /dashboard?start=last. From the app's
 * own icon it starts at once; a link elsewhere that says the same has to be agreed to.
 */
export function StartLastTask() {
  const { entries, status } = useEntries()
  const { tasks } = useTasks()
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  const done = useRef(false)
  const idle = timer.status === 'idle'

  useEffect(() => {
    if (done.current || status !== 'ready' || !isAsked()) return
    const byStart = entries.toSorted((a, b) => b.startedAt - a.startedAt)
    const task = byStart
      .map(({ taskId }) => tasks.find(({ id }) => id === taskId))
      .find((known) => known !== undefined)
    // What was worked on last may still be on its way from the server.
    if (idle && !task) return
    done.current = true
    forgetQuestion()
    // A timer that runs already is the answer.
    if (!idle || !task) return
    if (cameFromIcon()) void start(task.id)
    else {
      showToast({
        text: `Start ${task.name}?`,
        action: { label: 'Start', run: () => start(task.id) },
      })
    }
  }, [entries, status, tasks, idle, start])

  return null
}

function isAsked(): boolean {
  return (
    location.pathname === `${import.meta.env.BASE_URL}dashboard` &&
    new URLSearchParams(location.search).get('start') === 'last'
  )
}

/** So that a reload does not start it again. */
function forgetQuestion(): void {
  window.history.replaceState(window.history.state, '', location.pathname)
}

function cameFromIcon(): boolean {
  return matchMedia('(display-mode: standalone)').matches && document.referrer === ''
}
