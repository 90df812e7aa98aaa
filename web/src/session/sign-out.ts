/** Signs out of this browser at once, and of the backend when it answers. */
import { asBackendError } from '#backend/errors.ts'
import type { Store } from '#record/create-store.ts'

import type { DeviceDb } from './device-db.ts'
import type { OpenDependencies } from './open-user.ts'
import type { SessionState } from './session-state.ts'

/**
 * The lock of a sign-out across tabs. A sign-in during a sign-out would lose its session and database
 * to it.
 */
const SIGN_OUT = 'sign-out'

interface SignOutDependencies {
  readonly dependencies: Pick<OpenDependencies, 'backend' | 'withLock'>
  readonly device: DeviceDb
  readonly session: Store<SessionState>
  /** Leaves the record that is open. */
  readonly leave: () => Promise<unknown>
}

export interface SignOut {
  /** Ends all of the user's sign-ins, or only this device's. Works offline; the backend is told later. */
  begin(choice?: { thisDeviceOnly: boolean }): Promise<void>
  /** Whether the backend has not been told of a sign-out yet. */
  isPending(): Promise<boolean>
  /** Tells the backend, if it has not been told. Never rejects: a failed sign-out does not block a sign-in. */
  finish(): Promise<void>
}

export function createSignOut(input: SignOutDependencies): SignOut {
  const { dependencies, device, session, leave } = input
  const { backend, withLock } = dependencies

  return {
    begin: (choice) => withLock(SIGN_OUT, () => begin(choice)),
    isPending: async () => (await device.get('pending-sign-out')) !== undefined,
    finish: () => withLock(SIGN_OUT, complete).catch(() => undefined),
  }

  async function begin({ thisDeviceOnly } = { thisDeviceOnly: false }): Promise<void> {
    const state = session.get()
    const userId = state.status === 'signed-in' ? state.user.id : null
    if (state.status === 'signed-in') await state.sync.flush()
    await device.put({ key: 'pending-sign-out', thisDeviceOnly, userId })
    await leave()
    await complete()
  }

  /** Completes a pending sign-out, now or, if the window was closed, at the next load. */
  async function complete(): Promise<void> {
    const pending = await device.get('pending-sign-out')
    if (pending?.key !== 'pending-sign-out') return
    const { userId, thisDeviceOnly = false } = pending
    const [isTold] = await Promise.all([tellBackend(thisDeviceOnly), userId && forget(userId)])
    if (isTold) await device.delete('pending-sign-out')
  }

  async function tellBackend(thisDeviceOnly: boolean): Promise<boolean> {
    try {
      await backend.signOut({ thisDeviceOnly })
      return true
    } catch (error) {
      const { kind } = asBackendError(error)
      return kind === 'signed-out' || kind === 'not-found'
    }
  }
}

/** Removes what this browser stores of a person. Changes that were not sent stay. */
async function forget(userId: string): Promise<void> {
  const { removeUserData } = await import('./forget.ts')
  await removeUserData(userId, false)
}
