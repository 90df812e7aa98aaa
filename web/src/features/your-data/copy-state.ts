/** When this browser last made a copy, for all tabs. */
import { createStore } from '#record/create-store.ts'
import { COPY_KEY } from '#session/personal-keys.ts'

/** Why the last copy failed, or is in the browser and not in the folder. */
export const COPY_PROBLEMS = [
  'full',
  'failed',
  'folder-permission',
  'folder-full',
  'folder-gone',
] as const
export type CopyProblem = (typeof COPY_PROBLEMS)[number]

export interface CopyState {
  /** Epoch milliseconds of this device. */
  readonly at: number
  readonly problem: string
}

/** Changes with every try of this tab. */
export const copyChanges = createStore(0)

/** Returns the last try to copy for this user; `at` is NaN without one. */
export function lastCopy(account: string): CopyState {
  let noted: string | null = null
  try {
    noted = localStorage.getItem(COPY_KEY)
  } catch {
    // Without storage, a copy is tried more often.
  }
  const [of, at, problem = ''] = (noted ?? '').split(' ')
  return of === account ? { at: Number(at), problem } : { at: NaN, problem: '' }
}

/** Stores the last try. Null: the next one is made at once. */
export function noteCopy(
  account: string,
  state: { readonly at: number; readonly problem: CopyProblem | null } | null,
): void {
  try {
    if (state) localStorage.setItem(COPY_KEY, `${account} ${state.at} ${state.problem ?? ''}`)
    else localStorage.removeItem(COPY_KEY)
  } catch {
    // As above.
  }
  copyChanges.set(copyChanges.get() + 1)
}
