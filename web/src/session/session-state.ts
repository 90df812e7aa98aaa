/** Whether somebody is signed in, and what was tracked here without an account. */
import type { User } from '#backend/backend.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Sync } from '#sync/sync.ts'

import type { GuestWork } from './adopt-guest.ts'

export type SessionState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'signed-out'
      /**
       * Set when the backend has ended the sign-in: the number of unsaved changes kept in this browser.
       */
      readonly unsaved?: number
      /** Set when the backend refused the person whom the proxy in front has signed in: the error's type. */
      readonly refused?: string
    }
  | {
      readonly status: 'signed-in'
      readonly user: User
      readonly record: LocalRecord
      readonly sync: Sync
      /** Set: nobody is signed in. The record is of this browser alone, and `user` has no name. */
      readonly isGuest?: true
    }
  /** This browser's storage is unusable. Nothing in it is deleted. */
  | { readonly status: 'no-storage'; readonly message: string }

export type SignedIn = Extract<SessionState, { status: 'signed-in' }>
export type SignedOut = Extract<SessionState, { status: 'signed-out' }>

/** What was tracked in this browser without an account, and has been added to none. */
export interface GuestOffer extends GuestWork {
  /** Adds it. Resolves to false if the browser's storage takes no more. */
  add(input: { withSettings: boolean }): Promise<boolean>
  /** Leaves it in this browser, and does not offer it to this account again. */
  refuse(): Promise<void>
}
