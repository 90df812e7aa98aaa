import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Loading } from '#ui/spinner.tsx'
import { useTasks } from '#features/tasks/api.ts'
import { useSyncStatus, useTimer, useTimerCommands } from '#features/timer/api.ts'
import { OWN_NAVIGATION, useAuthCommands } from './api.ts'

/** Most people are never asked. */
const SignOutDialog = lazy(() =>
  import('./sign-out-dialog.tsx').then(({ SignOutDialog: component }) => ({ default: component })),
)

/** Sign Out in the sidebar: at once, or after asking when a timer runs or work is unsent. */
export function SignOutButton({
  thisDeviceOnly = false,
  className,
  children,
}: {
  thisDeviceOnly?: boolean
  className?: string
  children: ReactNode
}) {
  const flow = useSignOutFlow(thisDeviceOnly)
  const [asking, setAsking] = useState(false)
  // Once loaded it stays, to give the focus back.
  const [everAsked, setEverAsked] = useState(false)
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={flow.leaving}
        onClick={() => {
          if (!flow.mustAsk) return void flow.leave('keep')
          setEverAsked(true)
          setAsking(true)
        }}
      >
        {children}
      </button>
      {everAsked && (
        <Suspense>
          <SignOutDialog open={asking} flow={flow} onCancel={() => setAsking(false)} />
        </Suspense>
      )}
      {flow.error !== null && !asking && <Banner>{flow.error}</Banner>}
    </>
  )
}

/**
 * The page /signout. Opened by the app's own Sign Out it does the same as the button above. Any other
 * arrival (a link elsewhere, a typed address, a reload) is asked first, since any page may hold a link
 * to it.
 */
export function SignOutScreen() {
  const flow = useSignOutFlow(false)
  const { status } = useTasks()
  const navigate = useNavigate()
  const isOwn = useLocation().state === OWN_NAVIGATION
  const begun = useRef(false)
  // Whether a timer runs is known once the local database has been read.
  const known = status !== 'loading'
  const { leave, error } = flow
  const mustAsk = flow.mustAsk || !isOwn
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
      {asking && (
        <Suspense>
          <SignOutDialog
            open
            flow={flow}
            onCancel={() => void navigate('/dashboard', { replace: true })}
          />
        </Suspense>
      )}
    </>
  )
}

export interface SignOutFlow {
  mustAsk: boolean
  leaving: boolean
  error: string | null
  leave: (timer: 'stop' | 'keep') => Promise<void>
  thisDeviceOnly: boolean
}

function useSignOutFlow(thisDeviceOnly: boolean): SignOutFlow {
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
      await signOut({ thisDeviceOnly })
      await navigate('/login', { replace: true })
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : 'Signing out failed. Please try again.')
    } finally {
      setLeaving(false)
    }
  }

  const mustAsk = timer.status !== 'idle' || unsaved > 0
  return { mustAsk, leaving, error, leave, thisDeviceOnly }
}
