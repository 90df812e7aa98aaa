import { useEffect, useState } from 'react'
import { useStorageProblem, useUnsavedCount, useValue } from '#session/signed-in.ts'

/**
 * Requests persistent storage once, at the first start of a timer in this browser or after an
 * installation. Asks for confirmation before the window closes with work that would be lost
 * (docs/decisions/0114-what-cannot-be-stored-is-kept-in-memory.md).
 */
export function KeepStorage() {
  const timer = useValue('timer')
  const unsaved = useUnsavedCount()
  const problem = useStorageProblem()
  const [persists, setPersists] = useState(true)
  const isStart = timer !== undefined && timer.phase !== 'confirmed'
  const mayBeLost = unsaved > 0 && (problem === 'unwritten' || !persists)

  useEffect(() => {
    const closing = new AbortController()
    const tell = (answer: boolean) => {
      if (!closing.signal.aborted) setPersists(answer)
    }
    void (isStart ? askOnce() : isPersistent()).catch(() => false).then(tell)
    const askAgain = () =>
      void navigator.storage
        .persist()
        .catch(() => false)
        .then(tell)
    addEventListener('appinstalled', askAgain, { signal: closing.signal })
    return () => closing.abort()
  }, [isStart])

  useEffect(() => {
    if (!mayBeLost) return undefined
    // Registered only while needed, as the listener excludes the page from the back/forward cache.
    const closing = new AbortController()
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: closing.signal })
    return () => closing.abort()
  }, [mayBeLost])

  return null
}

const ASKED = 'stint-storage-asked'

async function askOnce(): Promise<boolean> {
  if (localStorage.getItem(ASKED) !== null) return isPersistent()
  localStorage.setItem(ASKED, 'yes')
  return 'storage' in navigator && navigator.storage.persist()
}

/** Returns whether the storage is persistent; false without HTTPS, where browsers do not say. */
async function isPersistent(): Promise<boolean> {
  return 'storage' in navigator && navigator.storage.persisted()
}
