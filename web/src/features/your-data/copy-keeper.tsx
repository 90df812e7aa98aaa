import { useEffect } from 'react'
import { useAccountId } from './use-everything.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { lastCopy } from './copy-state.ts'

const HOUR_MILLISECONDS = 3_600_000
const MINUTE_MILLISECONDS = 60_000

/**
 * Keeps copies in the background, once the history is complete: when the app opens and while it is open,
 * at most once an hour. The code is loaded when a copy is due.
 */
export function CopyKeeper() {
  const record = useRecord()
  const account = useAccountId()
  const isComplete = useValue('pull:time_entries')?.complete === true

  useEffect(() => {
    if (!isComplete) return undefined
    const ended = new AbortController()
    const keep = () => {
      // A clock that was set back must not stop the copies.
      if (Math.abs(Date.now() - lastCopy(account).at) < HOUR_MILLISECONDS) return
      void import('./keep-copies.ts').then(
        ({ keepCopy }) => keepCopy(record, account, ended.signal),
        () => undefined,
      )
    }
    keep()
    const timer = setInterval(keep, MINUTE_MILLISECONDS)
    ended.signal.addEventListener('abort', () => clearInterval(timer))
    return () => ended.abort()
  }, [record, account, isComplete])
  return null
}
