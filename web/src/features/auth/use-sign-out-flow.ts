import { t } from '@stint/core/text.ts'
import { useState } from 'react'

import { useConnection } from '#hooks/use-connection.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { useNavigate } from '#ui/navigation.tsx'

import { useAuthCommands } from './use-auth-commands.ts'

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
  const { unsaved } = useConnection()
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
