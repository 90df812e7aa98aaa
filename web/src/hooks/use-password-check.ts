import { useEffect, useState } from 'react'
import { untilLoaded } from '#loading/until-loaded.ts'
import type { passwordRefusal } from './password-check.ts'

type Check = typeof passwordRefusal

/**
 * Returns the check of a new password. Its list is loaded when `password` is not empty. Until then, or
 * while loading fails, the check accepts everything, and the server refuses bad passwords.
 */
export function usePasswordCheck(password: string): Check {
  const [check, setCheck] = useState<Check | null>(null)
  const isTyped = password !== ''
  useEffect(() => {
    if (!isTyped) return undefined
    const ended = new AbortController()
    void untilLoaded(() => import('./password-check.ts'), ended).then((loaded) =>
      setCheck(() => loaded.passwordRefusal),
    )
    return () => ended.abort()
  }, [isTyped])
  return check ?? refuseNothing
}

const refuseNothing: Check = () => null
