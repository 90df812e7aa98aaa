import { useEffect, useSyncExternalStore } from 'react'

import { useSessionState } from '#session/current-session.ts'
import type { Summary } from '#traces/kept-traces.ts'
import { tracesOf } from '#traces/traces.ts'
import type { Traces } from '#traces/traces.ts'
import { noteSources } from './has-traces.ts'

/** Returns the traces of the signed-in user, and what is kept of them; null until it is read. */
export function useTraces(): { readonly traces: Traces; readonly kept: Summary | Error | null } {
  const state = useSessionState()
  const traces = tracesOf(state.status === 'signed-in' ? state.user.id : '')
  const kept = useSyncExternalStore(traces.kept.subscribe, traces.kept.get)
  useEffect(() => {
    if (kept !== null && !(kept instanceof Error)) noteSources(kept.sources.map(({ kind }) => kind))
  }, [kept])
  return { traces, kept }
}
