import { useEffect } from 'react'
import { useStorageProblem, useUnsavedCount, useValue } from '#session/signed-in.ts'

/**
 * Requests persistent storage once, at the first start of a timer in this browser or after an
 * installation. Asks for confirmation before the window closes with work that is in its memory only
 * (docs/decisions/0010-the-record.md).
 */
export function KeepStorage() {
  const timer = useValue('timer')
  const unsaved = useUnsavedCount()
  const problem = useStorageProblem()
  const isStart = timer !== undefined && timer.phase !== 'confirmed'
  const isInMemoryOnly = unsaved > 0 && problem === 'unwritten'

  useEffect(() => {
    if (isStart) askOnce()
  }, [isStart])

  useEffect(() => {
    addEventListener('appinstalled', ask)
    return () => removeEventListener('appinstalled', ask)
  }, [])

  useEffect(() => {
    if (!isInMemoryOnly) return undefined
    // Registered only while needed, as the listener excludes the page from the back/forward cache.
    const closing = new AbortController()
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: closing.signal })
    return () => closing.abort()
  }, [isInMemoryOnly])

  return null
}

const ASKED = 'stint-storage-asked'

function askOnce(): void {
  if (localStorage.getItem(ASKED) !== null) return
  localStorage.setItem(ASKED, 'yes')
  ask()
}

/** Without HTTPS, browsers offer no persistent storage. A refusal leaves the storage as it is. */
function ask(): void {
  if ('storage' in navigator) navigator.storage.persist().catch(() => false)
}
