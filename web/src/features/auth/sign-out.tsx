import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Loading } from '#ui/spinner.tsx'
import { useTasks } from '#features/tasks/api.ts'
import { useSyncStatus, useTimer, useTimerCommands } from '#features/timer/api.ts'
import { useAuthCommands } from './api.ts'

/** Sign Out in the sidebar: at once, or after asking when work is under way (design 5.10). */
export function SignOutButton({
  className,
  children,
}: {
  className?: string
  children: ReactNode
}) {
  const flow = useSignOutFlow()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={flow.leaving}
        onClick={() => {
          if (flow.mustAsk) setAsking(true)
          else void flow.leave('keep')
        }}
      >
        {children}
      </button>
      <SignOutDialog open={asking} flow={flow} onCancel={() => setAsking(false)} />
      {flow.error !== null && !asking && <Banner>{flow.error}</Banner>}
    </>
  )
}

/** The page /signout, where a phone's Sign Out leads (S35): the same, without a button. */
export function SignOutScreen() {
  const flow = useSignOutFlow()
  const { status } = useTasks()
  const navigate = useNavigate()
  const begun = useRef(false)
  // Whether a timer runs is known once the local database has been read.
  const known = status !== 'loading'
  const { mustAsk, leave, error } = flow
  const asking = known && mustAsk

  useEffect(() => {
    if (!known || mustAsk || begun.current) return
    begun.current = true
    void leave('keep')
  }, [known, mustAsk, leave])

  return (
    <>
      <h1 className="sr-only">Sign Out</h1>
      {error === null && !asking && <Loading text="Loading..." />}
      {error !== null && !asking && (
        <div className="flex flex-col items-start gap-4">
          <Banner>{error}</Banner>
          <Button onClick={() => void leave('keep')}>Try Again</Button>
        </div>
      )}
      <SignOutDialog
        open={asking}
        flow={flow}
        onCancel={() => void navigate('/dashboard', { replace: true })}
      />
    </>
  )
}

interface SignOutFlow {
  mustAsk: boolean
  leaving: boolean
  error: string | null
  leave: (timer: 'stop' | 'keep') => Promise<void>
}

function useSignOutFlow(): SignOutFlow {
  const { timer } = useTimer()
  const { unsaved } = useSyncStatus()
  const { stop } = useTimerCommands()
  const { signOut } = useAuthCommands()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function leave(choice: 'stop' | 'keep') {
    setLeaving(true)
    setError(null)
    try {
      if (choice === 'stop') await stop()
      await signOut()
      await navigate('/login', { replace: true })
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'Signing out failed. Please try again.')
    } finally {
      setLeaving(false)
    }
  }

  return { mustAsk: timer.status !== 'idle' || unsaved > 0, leaving, error, leave }
}

function SignOutDialog({
  open,
  flow,
  onCancel,
}: {
  open: boolean
  flow: SignOutFlow
  onCancel: () => void
}) {
  const { timer, taskName } = useTimer()
  const { unsaved } = useSyncStatus()
  const active = timer.status !== 'idle'
  return (
    <Dialog
      open={open}
      title={active ? 'A timer is still on' : 'Some work is not saved yet'}
      onClose={onCancel}
      stacked
      actions={
        <>
          {active && (
            <Button variant="primary" busy={flow.leaving} onClick={() => void flow.leave('stop')}>
              Stop and save, then sign out
            </Button>
          )}
          <Button disabled={flow.leaving} onClick={() => void flow.leave('keep')}>
            {active ? 'Keep it running and sign out' : 'Sign out anyway'}
          </Button>
          <Button variant="quiet" disabled={flow.leaving} onClick={onCancel}>
            Cancel
          </Button>
        </>
      }
    >
      {flow.error !== null && <Banner>{flow.error}</Banner>}
      {active && (
        <>
          <p className="line-clamp-2 break-words">
            {timer.status === 'paused' ? 'Paused' : 'Running'}:{' '}
            <bdi className="font-semibold text-ink">{taskName ?? 'Deleted task'}</bdi>
          </p>
          <p>Signing out signs you out on every device.</p>
        </>
      )}
      {unsaved > 0 && (
        <p>
          {unsaved === 1 ? '1 change has' : `${unsaved} changes have`} not reached the server. They
          stay on this device and are sent when you sign in here again.
        </p>
      )}
    </Dialog>
  )
}
