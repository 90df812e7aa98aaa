import { useEffect, useState } from 'react'
import type { passwordRefusal } from './password-check.ts'

type Check = typeof passwordRefusal

/**
 * Returns the check of a new password. Its list is loaded when `password` is not empty. Until then, or
 * when loading fails, the check accepts everything, and the server refuses bad passwords.
 */
export function usePasswordCheck(password: string): Check {
  const [check, setCheck] = useState<Check | null>(null)
  const isTyped = password !== ''
  useEffect(() => {
    if (!isTyped) return
    import('./password-check.ts').then(
      (loaded) => setCheck(() => loaded.passwordRefusal),
      () => undefined,
    )
  }, [isTyped])
  return check ?? refuseNothing
}

const refuseNothing: Check = () => null
