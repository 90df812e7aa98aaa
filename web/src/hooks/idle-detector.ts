/** The browser's idle detector: whether somebody uses this computer, in any program. Few browsers have it. */

/** What lib.dom does not describe yet: https://wicg.github.io/idle-detection/ */
export interface IdleDetector extends EventTarget {
  readonly userState: 'active' | 'idle' | null
  readonly screenState: 'locked' | 'unlocked' | null
  readonly start: (options: { threshold: number; signal: AbortSignal }) => Promise<void>
}
interface WithDetector {
  IdleDetector?: {
    new (): IdleDetector
    requestPermission: () => Promise<'granted' | 'denied'>
  }
}

/** The shortest time without input that it reports, in milliseconds. */
export const MIN_IDLE = 60_000

export type IdlePermission = PermissionState | 'missing'

/** Returns whether this browser has a detector and lets this site use it. */
export async function idlePermission(): Promise<IdlePermission> {
  return (await permissionStatus())?.state ?? 'missing'
}

/** Asks for permission. Only in the handler of a press, as browsers refuse otherwise. */
export async function askIdlePermission(): Promise<IdlePermission> {
  return (await detectorClass()?.requestPermission()) ?? 'missing'
}

/**
 * Starts a detector until `signal` is aborted; returns null where there is none or it is not allowed. `onChange` is
 * called when somebody leaves, comes back, locks or unlocks.
 */
export async function startIdleDetector(
  signal: AbortSignal,
  onChange: (detector: IdleDetector) => void,
): Promise<IdleDetector | null> {
  const Detector = detectorClass()
  if (!Detector || (await idlePermission()) !== 'granted') return null
  try {
    const detector = new Detector()
    detector.addEventListener('change', () => onChange(detector), { signal })
    await detector.start({ threshold: MIN_IDLE, signal })
    return detector
  } catch {
    // It was forbidden or ended in the meantime.
    return null
  }
}

function detectorClass() {
  const { IdleDetector }: WithDetector = window as Window & WithDetector
  return IdleDetector
}

async function permissionStatus(): Promise<PermissionStatus | null> {
  if (!detectorClass()) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- lib.dom does not know the name yet
  const name = 'idle-detection' as PermissionName
  return navigator.permissions.query({ name }).catch(() => null)
}
