import { lastWorked } from '@stint/core/record/recent.ts'
import { t } from '@stint/core/text.ts'
import { useEffect, useEffectEvent } from 'react'

import { useLocation, useSearchParams } from '#ui/navigation.tsx'
import { startLineRequest } from '#hooks/requests.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { showToast } from '#ui/toast.tsx'

import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'

import { linkedParameters, sharedLine, withoutLine } from './shared-line.ts'
import { useLaunches } from './use-launches.ts'

/**
 * URLs with an action: `/dashboard?start=<task id>`, `?start=last` and `?stop`. They ask for
 * confirmation, because any site can link to them (docs/decisions/0034-who-may-ask.md). The
 * parameter is removed after the user's choice. A line that is shared fills the field that starts a timer.
 */
export function UrlActions() {
  const { pathname } = useLocation()
  const [parameters, setParameters] = useSearchParams()
  useLaunches()
  useSharedLine(pathname === '/dashboard' ? parameters : null, setParameters)
  const action = useUrlAction(pathname === '/dashboard' ? parameters : null)
  const isAsked = action.kind === 'tell' || action.kind === 'ask'
  const isDone = action.kind === 'done'
  const finish = useEffectEvent(forget)

  useEffect(() => {
    if (isDone) finish()
  }, [isDone])

  return (
    <Dialog
      open={isAsked}
      title={isAsked ? action.title : ''}
      onClose={forget}
      actions={
        action.kind === 'ask' ? (
          <>
            <Button
              variant="primary"
              onClick={() => {
                action.run()
                forget()
              }}
            >
              {action.label}
            </Button>
            <Button variant="quiet" onClick={forget}>
              {t('Cancel')}
            </Button>
          </>
        ) : (
          <Button onClick={forget}>{t('OK')}</Button>
        )
      }
    >
      {isAsked && <p>{action.text}</p>}
    </Dialog>
  )

  /** Removes the parameters, so that neither a reload nor Back repeats the question. */
  function forget(): void {
    const rest = new URLSearchParams(parameters)
    rest.delete('start')
    rest.delete('stop')
    setParameters(rest, { replace: true })
  }
}

/** Fills the line that starts a timer with what the address has for it, once, and takes it out of the address. */
function useSharedLine(
  parameters: URLSearchParams | null,
  setParameters: ReturnType<typeof useSearchParams>[1],
): void {
  const take = useEffectEvent((found: URLSearchParams) => {
    const linked = linkedParameters(found)
    if (linked) return setParameters(linked, { replace: true })
    const shared = sharedLine(found)
    if (!shared) return
    setParameters(withoutLine(found), { replace: true })
    startLineRequest.open(shared.line)
    if (shared.isCut)
      showToast({ text: t('The shared text was too long. The line has its beginning.') })
  })
  useEffect(() => {
    if (parameters) take(parameters)
  }, [parameters])
}

type UrlAction =
  /** Nothing is requested, or the data for a response is not loaded yet. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'ask'
      readonly title: string
      readonly text: string
      readonly label: string
      readonly run: () => void
    }
  /** It cannot be done. Data that arrives from the server may change that. */
  | { readonly kind: 'tell'; readonly title: string; readonly text: string }
  /** The timer is already in the requested state. */
  | { readonly kind: 'done' }

/** Returns the response to the URL's request and re-renders when it changes. */
function useUrlAction(parameters: URLSearchParams | null): UrlAction {
  const { timer, taskName } = useTimer()
  const { status, tasks, allTasks } = useTasks()
  const { status: entriesStatus, entries } = useEntries()
  const { start, stop } = useTimerCommands()

  const wanted = parameters?.get('start') ?? null
  if (wanted === null && !parameters?.has('stop')) return { kind: 'none' }
  if (status !== 'ready') return { kind: 'none' }

  if (wanted === null) {
    if (timer.status === 'idle') {
      return { kind: 'tell', title: t('Nothing to stop'), text: t('No timer is running.') }
    }
    const text = t('The tracked time will be saved.')
    return {
      kind: 'ask',
      title:
        taskName === null ? t('Stop the running task?') : t('Stop {task}?', { task: taskName }),
      text,
      label: t('Stop'),
      run: () => void stop(),
    }
  }

  if (wanted === 'last') {
    if (timer.status !== 'idle') return { kind: 'done' }
    if (entriesStatus !== 'ready') return { kind: 'none' }
  }
  const task =
    wanted === 'last' ? lastWorked(tasks, entries) : tasks.find(({ id }) => id === wanted)
  if (!task) return { kind: 'tell', ...explanation() }
  if (timer.status !== 'idle' && timer.taskId === task.id) return { kind: 'done' }
  return {
    kind: 'ask',
    title: t('Start {task}?', { task: task.name }),
    text:
      timer.status === 'idle'
        ? t('Requested by a link or shortcut.')
        : taskName === null
          ? t('This stops and saves the running task.')
          : t('This stops and saves {task}.', { task: taskName }),
    label: t('Start'),
    run: () => void start(task.id),
  }

  function explanation(): { title: string; text: string } {
    if (wanted === 'last') {
      return { title: t('Nothing to start yet'), text: t('You haven’t tracked any time yet.') }
    }
    const deleted = allTasks.find(({ id }) => id === wanted)
    return deleted
      ? {
          title: t('This task was deleted'),
          text: t('To start {task}, restore it in Tasks first.', { task: deleted.name }),
        }
      : {
          title: t('Task not found'),
          text: t('The link is for a task you don’t have. Nothing was started.'),
        }
  }
}
