/** Access to the current session, kept apart from the record, which the sign-in page does not load. */
import { createContext, use, useSyncExternalStore } from 'react'

import type { SessionState } from './session-state.ts'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

/** Returns the session provided at the root. Throws outside of it. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session around this component')
  return session
}

/** Returns the sign-in state and re-renders when it changes. */
export function useSessionState(): SessionState {
  const { state } = useSession()
  return useSyncExternalStore(state.subscribe, state.get, state.get)
}
