/** The end of a schedule: every client is opened again without faults, until nothing changes. */
import type { Clients } from './clients.ts'
import type { Ending, Scenario } from './scenario.ts'
import type { State } from './state.ts'
import { storageOf, timerOf } from './storage.ts'
import type { StandInServer } from '../stand-in-server.ts'

/**
 * How often each client is opened. What one client sends, the others receive and may answer with an
 * edit.
 */
const MAX_ROUNDS = 5
/** The clients are opened once more this many milliseconds after the last press. */
const AFTERWARDS = 600_000

/**
 * Returns the ending after everything is sent and received, and another ending after the running
 * timer is stopped.
 */
export async function endingOf(
  clients: Clients,
  { presses }: Scenario,
  state: State,
): Promise<Ending> {
  const now = (presses.at(-1)?.at ?? state.now) + AFTERWARDS
  const { pressed } = state
  const rest = await settle(clients, {
    ...state,
    storages: state.clients.map((each) => each.storage),
    now,
  })
  const shown = state.clients.map((each) => timerOf(storageOf(each)))
  const ending = { ...rest.ending, pressed, shown, afterStop: null }
  const client = ending.clients.findIndex((each) => timerOf(each) !== null)
  const storage = rest.storages[client]
  if (storage === undefined) return ending
  const storages = rest.storages.with(client, await clients.stop(client, storage, now))
  const stopped = await settle(clients, { server: rest.server, storages, now })
  return { ...ending, afterStop: { ...stopped.ending, pressed, shown, afterStop: null } }
}

interface Resting {
  readonly server: StandInServer
  readonly storages: readonly string[]
  readonly now: number
}

/** Opens every client in turn without faults, until a round changes nothing. */
async function settle(clients: Clients, { now, ...from }: Resting) {
  let { server } = from
  const storages = [...from.storages]
  let isSettled = false
  for (let round = 1; round <= MAX_ROUNDS && !isSettled; round += 1) {
    const before = { server, storages: [...storages] }
    for (const [client, storage] of storages.entries()) {
      const end = await clients.reopen(client, storage, server, now)
      server = end.server
      storages[client] = end.storage
    }
    isSettled =
      server === before.server && storages.every((each, index) => each === before.storages[index])
  }
  const ending = {
    now,
    tasks: Object.values(server.tasks),
    sessions: Object.values(server.timer_sessions),
    entries: Object.values(server.time_entries),
    clients: storages.map((storage) => storageOf({ storage })),
    isSettled,
  }
  return { server, storages, ending }
}
