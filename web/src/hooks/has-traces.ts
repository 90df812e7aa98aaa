import { TRACES_KEY } from '#session/personal-keys.ts'

/**
 * Returns whether this device keeps traces, so that who has none loads nothing of them. Unusable storage has
 * none.
 */
export function hasTraces(): boolean {
  try {
    return localStorage.getItem(TRACES_KEY) !== null
  } catch {
    return false
  }
}

/** Notes whether this device keeps traces. */
export function noteTraces(has: boolean): void {
  try {
    if (has) localStorage.setItem(TRACES_KEY, '1')
    else localStorage.removeItem(TRACES_KEY)
  } catch {
    // Then suggestions are on their page alone.
  }
}
