/** The record of this browser without an account: opened, left, and offered to an account. */
import type { WritableStore } from '#record/create-store.ts'
import { untilLoaded } from '#loading/until-loaded.ts'

import type { DeviceDb } from './device-db.ts'
import type { OpenDependencies } from './open-user.ts'
import type { GuestOffer, SessionState, SignedIn } from './session-state.ts'

/** The lock, across tabs, of adding the record to one with an account. */
const ADOPT = 'adopt-guest'

interface GuestDependencies {
  readonly dependencies: OpenDependencies
  readonly device: DeviceDb
  readonly session: WritableStore<SessionState>
  /** Shows a record that was opened. */
  readonly show: (opened: SignedIn) => void
  /** Leaves the record that is open. */
  readonly leave: () => Promise<unknown>
}

export interface Guest {
  /** Opens the record. Makes one if there is none. */
  open(): Promise<void>
  /** Opens the record if there is one, and resolves to whether there is. */
  openIfAny(): Promise<boolean>
  /** Leaves the record. It stays in this browser, unless `deletes`. */
  leave(input: { deletes: boolean }): Promise<void>
  /** Leaves the record with this id when another tab has deleted it. */
  leaveIfGone(id: string): Promise<void>
  /** Returns whether there is a record. Without usable storage there is none. */
  isHere(): Promise<boolean>
  /** Returns what the record could add to the one of the person who is signed in, or null. */
  offer(): Promise<GuestOffer | null>
}

export function createGuest(input: GuestDependencies): Guest {
  const { dependencies, device, session, show, leave } = input

  return {
    async open() {
      const guest = (await device.guest()) ?? {
        key: 'guest',
        id: `guest-${crypto.randomUUID()}`,
        refusedBy: [],
      }
      await device.put(guest)
      await openRecord(guest.id)
    },
    async openIfAny() {
      const guest = await device.guest()
      if (guest) await openRecord(guest.id)
      return guest !== undefined
    },
    async leave({ deletes }) {
      const state = session.get()
      if (state.status !== 'signed-in' || !state.isGuest) return
      await leave()
      if (!deletes) return
      await device.delete('guest')
      const { removeUserData } = await import('./forget.ts')
      await removeUserData(state.user.id, true)
    },
    async leaveIfGone(id) {
      const guest = await device.guest()
      const state = session.get()
      if (guest?.id === id || state.status !== 'signed-in' || state.user.id !== id) return
      void state.sync.close()
      session.set({ status: 'signed-out' })
    },
    isHere: () => device.guest().then(Boolean, () => false),
    async offer() {
      const state = session.get()
      const guest = await device.guest()
      if (!guest || state.status !== 'signed-in' || state.isGuest) return null
      const { user, record } = state
      if (guest.refusedBy.includes(user.id)) return null
      const { adoptGuest, guestWork } = await untilLoaded(() => import('./adopt-guest.ts'))
      return {
        ...(await guestWork(guest.id, record)),
        add: (choice) => dependencies.withLock(ADOPT, () => adoptGuest(device, record, choice)),
        refuse: () => device.put({ ...guest, refusedBy: [...guest.refusedBy, user.id] }),
      }
    },
  }

  async function openRecord(id: string): Promise<void> {
    const { openGuest } = await untilLoaded(() => import('./open-user.ts'))
    const opened = await openGuest(id, dependencies)
    show({ status: 'signed-in', user: { id, name: '', email: '' }, isGuest: true, ...opened })
  }
}
