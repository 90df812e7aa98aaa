import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Banner } from '#ui/banner.tsx'
import { useSyncStatus } from '#features/timer/api/use-sync-status.ts'
import { useTimer } from '#features/timer/api/use-timer.ts'
import { useTimerCommands } from '#features/timer/api/commands.ts'
import { useAuthCommands } from './api.ts'

/** Most people are never asked. */
export const SignOutDialog = lazy(() =>
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
  // Null until it is first asked. Once loaded the dialog stays, to give the focus back.
  const [asking, setAsking] = useState<boolean | null>(null)
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={flow.leaving}
        onClick={() => {
          if (!flow.mustAsk) return void flow.leave('keep')
          setAsking(true)
        }}
      >
        {children}
      </button>
      {asking !== null && (
        <Suspense>
          <SignOutDialog open={asking} flow={flow} onCancel={() => setAsking(false)} />
        </Suspense>
      )}
      {flow.error !== null && !asking && <Banner>{flow.error}</Banner>}
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

/** What signing out takes: whether to ask first, how it goes, and what went wrong. */
export function useSignOutFlow(thisDeviceOnly: boolean): SignOutFlow {
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
