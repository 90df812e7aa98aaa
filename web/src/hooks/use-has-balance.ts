import { isSetUp } from '@stint/core/balance/is-set-up.ts'
import { useValue } from '#session/signed-in.ts'

/** Returns whether the user has an hours account. */
export function useHasBalance(): boolean {
  const settings = useValue('settings')
  return settings !== undefined && isSetUp(settings.prefs)
}
