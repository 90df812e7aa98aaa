/** A global state, and the first state of a scenario. */
import type { TimeEntryDocument, TimerSessionDocument } from '@stint/core/collections.ts'
import { entryAttributes, entryFromDocument } from '@stint/core/record/time-entry.ts'
import { newSessionAttributes, sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'

import { answerCall, EMPTY_SERVER } from '../stand-in-server.ts'
import type { Call, StandInServer } from '../stand-in-server.ts'
import type { ClientState } from './clients.ts'
import type { Pressed, Scenario } from './scenario.ts'
import { emptyStorage, TASKS, USER } from './storage.ts'
import type { Storage } from './storage.ts'

const HOUR = 3_600_000
/**
 * The devices run for this time (milliseconds) before the first press, so that what they show of
 * older timers is known.
 */
const BEFOREHAND = 60_000

export interface State {
  readonly server: StandInServer
  readonly clients: readonly ClientState[]
  readonly pressed: readonly Pressed[]
  readonly looks: number
  readonly restores: number
  /** The state to which the server can be restored. */
  readonly backup: StandInServer | null
  /** Epoch milliseconds. Time passes only at a press, and while the server is restored. */
  readonly now: number
}

/**
 * Returns the state before the first press. All clients know the saved entry. The clients that show
 * or offer the timer know it.
 */
export function initialState(scenario: Scenario): State {
  const { clients, running, saved, presses } = scenario
  const now = running?.startedAt ?? presses[0]?.at ?? 0
  let server: StandInServer = {
    ...EMPTY_SERVER,
    tasks: Object.fromEntries(TASKS.map((task) => [task.$id, { ...task }])),
  }
  let storage = emptyStorage(now - HOUR)
  let session: TimerSession | null = null
  if (saved) {
    const { id, endedAt } = saved
    const data = entryAttributes(saved, USER)
    const document = create({ method: 'create', collection: 'time_entries', id, data }, endedAt)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was created in that collection
    storage = { ...storage, entries: [entryFromDocument(document as TimeEntryDocument)] }
  }
  if (running) {
    const id = running.sessionId
    const data = newSessionAttributes(running, USER, 'client 0')
    const document = create({ method: 'create', collection: 'timer_sessions', id, data }, now)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was created in that collection
    session = sessionFromDocument(document as TimerSessionDocument)
  }
  return {
    server,
    clients: Array.from({ length: clients }, (_, index) =>
      clientWith(session ? known(storage, session, scenario, index) : storage),
    ),
    pressed: [],
    looks: 0,
    restores: 0,
    backup: null,
    now: Math.max(now, (presses[0]?.at ?? now) - BEFOREHAND),
  }

  function create(call: Call, at: number): unknown {
    const step = answerCall(server, call, at)
    if (!step.answer.ok) throw new Error(`The server refused: ${step.answer.error}`)
    server = step.server
    return step.answer.value
  }
}

/** Returns what a client knows of the session: it shows it, offers it, or does not know of it. */
function known(
  storage: Storage,
  session: TimerSession,
  { shownBy, offeredBy = [] }: Scenario,
  client: number,
): Storage {
  const isOffered = offeredBy.includes(client)
  if (isOffered) {
    return { ...storage, values: [{ key: 'unfinished', sessions: [session] }, ...storage.values] }
  }
  if (session.state.kind !== 'active' || shownBy?.includes(client) === false) return storage
  const { device, state } = session
  const { timer } = state
  const shown = { key: 'timer', timer, phase: 'confirmed', device, base: session } as const
  return { ...storage, values: [shown, ...storage.values] }
}

function clientWith(storage: Storage): ClientState {
  const text = JSON.stringify(storage)
  return { storage: text, isAlive: true, activity: null, undo: null, late: null }
}
