import { useSessionState } from '#session/current-session.ts'

export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
}

export type AuthState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'signed-out'
      /** Set when the server has ended the sign-in: the number of unsaved changes on this device. */
      readonly unsaved?: number
      /** Set when the server refused the person whom the proxy in front has signed in: the error's type. */
      readonly refused?: string
    }
  | {
      readonly status: 'signed-in'
      readonly user: User
      /** Set: the record is of this browser alone, without an account. */
      readonly isGuest?: true
    }
  /** The browser's storage is unusable; `message` says why. */
  | { readonly status: 'no-storage'; readonly message: string }

/** Returns whether what is shown has no account. */
export function useIsGuest(): boolean {
  const auth = useAuth()
  return auth.status === 'signed-in' && auth.isGuest === true
}

/** Returns who is signed in and re-renders when it changes. */
export function useAuth(): AuthState {
  return useSessionState()
}
