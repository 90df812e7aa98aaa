import { useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { later } from '#ui/later.tsx'
import { useSyncStatus } from '#hooks/use-sync-status.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { useAuthCommands } from './use-auth-commands.ts'

/** Loaded lazily: most people never see it. */
export const SignOutDialog = later(
  async () => (await import('./sign-out-dialog.tsx')).SignOutDialog,
)

/** The Sign Out button. It asks for confirmation when a timer runs or changes are unsaved. */
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
  // Null until the dialog is first opened. Then it stays mounted, so that it can restore the focus.
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
        <SignOutDialog open={asking} flow={flow} onCancel={() => setAsking(false)} />
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

/**
 * Returns whether to ask for confirmation, the state of the sign-out, and the function that signs out.
 */
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
      navigate('/login', { replace: true })
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : t('Signing out failed. Please try again.'))
    } finally {
      setLeaving(false)
    }
  }

  const mustAsk = timer.status !== 'idle' || unsaved > 0
  return { mustAsk, leaving, error, leave, thisDeviceOnly }
}
