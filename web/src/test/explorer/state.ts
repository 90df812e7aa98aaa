/** A global state, and the first state of a scenario. */
import type { TimeEntryDocument, TimerSessionDocument } from '@stint/core/collections.ts'
import { takeInSession } from '@stint/core/device/take-in.ts'
import { encodeLog } from '@stint/core/log/codec.ts'
import { appended } from '@stint/core/log/edit.ts'
import { entryAttributes, entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { newSessionAttributes, sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { answerCall, EMPTY_SERVER } from '../stand-in-server.ts'
import type { Call, StandInServer } from '../stand-in-server.ts'
import type { ClientState } from './clients.ts'
import type { Pressed, Scenario } from './scenario.ts'
import { closeStorage, emptyStorage, openStorage, storageIn, TASKS, USER } from './storage.ts'

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
  /** Epoch milliseconds. Time passes only at a press, and while the server is restored. */
  readonly now: number
}

/**
 * Returns the state before the first press. All clients know the saved entry. The clients that show
 * or offer the timer know it.
 */
export async function initialState(scenario: Scenario): Promise<State> {
  const { clients, running, saved, presses } = scenario
  const startedAt = running?.startedAt ?? presses[0]?.at ?? 0
  const now = Math.max(startedAt, (presses[0]?.at ?? startedAt) - BEFOREHAND)
  let server: StandInServer = {
    ...EMPTY_SERVER,
    tasks: Object.fromEntries(TASKS.map((task) => [task.$id, { ...task }])),
  }
  const entries: TimeEntry[] = []
  let session: TimerSession | null = null
  if (saved) {
    const { id, endedAt } = saved
    const data = entryAttributes(saved, USER)
    const document = create({ method: 'create', collection: 'time_entries', id, data }, endedAt)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was created in that collection
    entries.push(entryFromDocument(document as TimeEntryDocument))
  }
  if (running) {
    const id = running.sessionId
    const by = { userId: USER, device: 'client 0' }
    const data = newSessionAttributes(running, logOf(running), by)
    const document = create({ method: 'create', collection: 'timer_sessions', id, data }, startedAt)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was created in that collection
    session = sessionFromDocument(document as TimerSessionDocument)
  }
  const first: ClientState[] = []
  for (let index = 0; index < clients; index += 1) {
    const storage = JSON.stringify({ ...emptyStorage(index, startedAt - HOUR), entries })
    const at = knowsAt(scenario, index, { startedAt, now })
    first.push(
      clientWith(session && at !== null ? await known(index, storage, session, at) : storage),
    )
  }
  return {
    server,
    clients: first,
    pressed: [],
    looks: 0,
    restores: 0,
    now,
  }

  function create(call: Call, at: number): unknown {
    const step = answerCall(server, call, at)
    if (!step.answer.ok) throw new Error(`The server refused: ${step.answer.error}`)
    server = step.server
    return step.answer.value
  }
}

/** Returns the log of a timer that was started, and paused, on a device that is not there any more. */
function logOf(timer: ActiveTimer): string {
  const { taskId: task, startedAt } = timer
  const by = { device: 'elsewhere', now: startedAt }
  const started = appended([], by, { kind: 'start', task, note: null, deviceName: 'client 0' })
  if (timer.status === 'running') return encodeLog(started)
  return encodeLog(appended(started, { ...by, now: timer.pausedAt }, { kind: 'pause' }))
}

/**
 * Returns when a client learns of the session, or null if it does not. A client that offers it on a
 * card was closed when it began.
 */
function knowsAt(
  { shownBy, offeredBy = [] }: Scenario,
  client: number,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): number | null {
  if (offeredBy.includes(client)) return now
  return shownBy?.includes(client) === false ? null : startedAt
}

/** Returns the storage of a client after it has taken in the session. */
async function known(
  client: number,
  storage: string,
  session: TimerSession,
  at: number,
): Promise<string> {
  const record = await openStorage(client, storage, () => at)
  await record.takeIn((draft) => takeInSession(draft, session))
  const after = storageIn(record)
  closeStorage(record)
  return after
}

function clientWith(storage: string): ClientState {
  return { storage, isAlive: true, activity: null, undo: null, late: null }
}
