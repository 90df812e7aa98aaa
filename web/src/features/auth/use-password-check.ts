import { useEffect, useState } from 'react'
import type { passwordRefusal } from './password-check.ts'

type Check = typeof passwordRefusal

/**
 * The check of a new password, once somebody types one and its list is here. Until then, and when the list
 * cannot be loaded, it refuses nothing: the server checks as well, and says so.
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
