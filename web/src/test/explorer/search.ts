/**
 * Explores all outcomes of a scenario: every order in which the calls of its clients reach the
 * server, and every schedule of lost calls, lost answers, late answers and killed clients, up to a
 * number of faults. The search is breadth-first over the global states (server, storage of each
 * client, the call that it waits for). Each state is visited once, so that the first schedule found
 * for a violation is a shortest one.
 */
import type { StandInServer } from '../stand-in-server.ts'
import { clientNames, Clients } from './clients.ts'
import type { ClientState } from './clients.ts'
import { endingOf } from './ending.ts'
import { Names } from './names.ts'
import type { Exploration, Limits, Press, Pressed, Program, Scenario } from './scenario.ts'
import { isTaken } from './screens.ts'
import { initialState } from './state.ts'
import type { State } from './state.ts'
import { storageOf, timerOf, unfinishedIn } from './storage.ts'

interface Move {
  readonly state: State
  readonly label: string
  readonly isFault: boolean
}

interface Left extends Pick<Limits, 'looks' | 'restores'> {
  /** Whether the limits allow another fault. */
  readonly mayFail: boolean
}

/**
 * Visits every state within the limits. Resolves with the findings and never rejects for a
 * violation.
 */
export async function explore(
  program: Program,
  scenario: Scenario,
  limits: Limits,
): Promise<Exploration> {
  let means = shared.get(scenario)
  if (means?.program !== program) means = meansOf(program)
  shared.set(scenario, means)
  return new Search(means, scenario, limits, await initialState(scenario)).run()
}

/** What explorations of one scenario with different limits share: how its clients react, and the verdicts. */
interface Means {
  readonly program: Program
  readonly client: Names<ClientState>
  readonly server: Names<StandInServer>
  readonly pressed: Names<readonly Pressed[]>
  readonly storage: Names<{ readonly storage: string }>
  readonly clients: Clients
  /** The verdict on each ending. */
  readonly verdicts: Map<string, string | null>
  /** Whether news took something from the screen of a client, for each of its moves. */
  readonly taken: Map<string, boolean>
}

const shared = new WeakMap<Scenario, Means>()

function meansOf(program: Program): Means {
  const names = {
    client: clientNames(),
    server: new Names<StandInServer>(),
    pressed: new Names<readonly Pressed[]>(),
    storage: new Names<{ readonly storage: string }>(),
  }
  const clients = new Clients(program, names)
  return { program, ...names, clients, verdicts: new Map(), taken: new Map() }
}

/** Stands for a backup that is not there. */
const NO_BACKUP = -1
/** A call arrives after the press. The record takes an entry that was created as it ended for unconfirmed. */
const LATENCY_MILLISECONDS = 100
/** A restored server does not repeat the instants of what it has lost. */
const RESTORE_MILLISECONDS = 1000

class Search {
  readonly #clients: Clients
  readonly #scenario: Scenario
  readonly #limits: Limits
  readonly #first: State
  readonly #means: Means
  readonly #client: Names<ClientState>
  readonly #server: Names<StandInServer>
  readonly #pressed: Names<readonly Pressed[]>
  readonly #storage: Names<{ readonly storage: string }>
  /** The key of the state before, by the key of a state. The first state has none before it. */
  readonly #seen = new Map<string, string | null>()
  /** The same states in the order in which they are visited. */
  readonly #order: string[] = []
  readonly #endings = new Set<string>()
  readonly #violations: Record<string, readonly string[]> = {}

  constructor(means: Means, scenario: Scenario, limits: Limits, first: State) {
    const { clients, client, server, pressed, storage } = means
    this.#means = means
    this.#clients = clients
    this.#client = client
    this.#server = server
    this.#pressed = pressed
    this.#storage = storage
    this.#scenario = scenario
    this.#limits = limits
    this.#first = first
  }

  /**
   * Visits states by faults, then by moves, so that each state is reached first with the fewest
   * faults.
   */
  async run(): Promise<Exploration> {
    const { faults } = this.#limits
    this.#reach(this.#keyOf(this.#first), null)
    let visited = 0
    for (let left = faults; left >= 0; left -= 1) {
      const faulty = new Map<string, string>()
      for (; visited < this.#order.length; visited += 1) {
        await this.#visit(this.#order[visited] ?? '', left > 0, faulty)
      }
      for (const [key, from] of faulty) this.#reach(key, from)
    }
    this.#clients.close()
    return {
      states: this.#seen.size,
      endings: this.#endings.size,
      violations: this.#violations,
    }
  }

  #reach(key: string, from: string | null): void {
    if (this.#seen.has(key)) return
    this.#seen.set(key, from)
    this.#order.push(key)
  }

  /** Judges a state and adds the states that can follow. */
  async #visit(key: string, mayFail: boolean, faulty: Map<string, string>): Promise<void> {
    const state = this.#stateOf(key)
    await this.#judge(state, key)
    for (const { isFault, label, state: after } of await this.#movesFrom(state, mayFail)) {
      const next = this.#keyOf(after)
      const isNews = after.pressed === state.pressed && this.#isTaken(state, after)
      if (isNews) this.#violations['taken'] ??= [...(await this.#scheduleTo(key)), label]
      if (!isFault) this.#reach(next, key)
      else if (!faulty.has(next)) faulty.set(next, key)
    }
  }

  /** Judges a move without a press: what the clients showed must not leave their screens silently. */
  #isTaken(before: State, after: State): boolean {
    return before.clients.some((client, index) => {
      const next = after.clients[index]
      if (!next || next === client) return false
      const { pressed } = before
      const names = `${this.#client.of(client)} ${this.#client.of(next)}`
      const key = `${names} ${this.#pressed.of(pressed)}`
      const now = client.activity?.rest.now ?? before.now
      const found =
        this.#means.taken.get(key) ?? isTaken(client.storage, next.storage, now, pressed)
      this.#means.taken.set(key, found)
      if (!found) return false
      const undone = pressed.flatMap(({ press }) =>
        press.action === 'undo' && press.client !== index ? [press.client] : [],
      )
      const others = undone.flatMap((other) => after.clients[other]?.storage ?? [])
      return isTaken(client.storage, next.storage, now, pressed, others)
    })
  }

  #movesFrom(state: State, mayFail: boolean): Promise<Move[]> {
    return movesFrom(this.#clients, this.#scenario, { ...this.#limits, mayFail }, state)
  }

  async #judge(state: State, key: string): Promise<void> {
    if (state.pressed.length < this.#scenario.presses.length) return
    if (state.clients.some((client) => client.activity)) return
    const outcome = this.#endingKeyOf(state)
    if (this.#endings.has(outcome)) return
    this.#endings.add(outcome)
    const { verdicts } = this.#means
    let violation = verdicts.get(outcome)
    if (violation === undefined) {
      violation = this.#scenario.judge(await endingOf(this.#clients, this.#scenario, state))
      verdicts.set(outcome, violation)
    }
    if (violation !== null) this.#violations[violation] ??= await this.#scheduleTo(key)
  }

  /** Returns the moves that lead to a state. */
  async #scheduleTo(key: string): Promise<string[]> {
    const from = this.#seen.get(key)
    if (from === undefined || from === null) return []
    const moves = await this.#movesFrom(this.#stateOf(from), true)
    const last = moves.find(({ state }) => this.#keyOf(state) === key)
    return [...(await this.#scheduleTo(from)), last?.label ?? '?']
  }

  /** Returns the names of what a state consists of. */
  #keyOf({ looks, restores, server, pressed, backup, clients }: State): string {
    return [
      looks,
      restores,
      this.#server.of(server),
      this.#pressed.of(pressed),
      backup ? this.#server.of(backup) : NO_BACKUP,
      ...clients.map((client) => this.#client.of(client)),
    ].join(' ')
  }

  #stateOf(key: string): State {
    const names = key.split(' ').map(Number)
    const [looks = 0, restores = 0, server = 0, presses = 0, backup = 0, ...clients] = names
    const pressed = this.#pressed.value(presses)
    return {
      looks,
      restores,
      server: this.#server.value(server),
      pressed,
      backup: backup === NO_BACKUP ? null : this.#server.value(backup),
      clients: clients.map((client) => this.#client.value(client)),
      now: timeAfter(pressed, restores) ?? this.#first.now,
    }
  }

  #endingKeyOf({ server, clients, pressed }: State): string {
    const storages = clients.map(({ storage }) => this.#storage.of({ storage }))
    return [this.#server.of(server), this.#pressed.of(pressed), ...storages].join(' ')
  }
}

async function movesFrom(
  clients: Clients,
  scenario: Scenario,
  left: Left,
  state: State,
): Promise<Move[]> {
  const moves = await restored(clients, left, state)
  const press = scenario.presses[state.pressed.length]
  const presser = press && state.clients[press.client]
  if (press && presser?.isAlive) {
    const label = `${press.client} presses ${press.action}`
    moves.push({ label, isFault: false, state: await pressed(clients, state, press, presser) })
    if (scenario.isPressedTogether) return moves
  }
  for (const [index, client] of state.clients.entries()) {
    moves.push(
      ...(client.activity
        ? await deliveries(clients, left, state, index, client)
        : await looks(clients, left, state, index, client)),
    )
  }
  return moves
}

/** Returns the time of a state (epoch milliseconds) after its last press, if it has one. */
function timeAfter(pressed: readonly Pressed[], restores: number): number | null {
  const last = pressed.at(-1)
  return last ? last.press.at + LATENCY_MILLISECONDS + restores * RESTORE_MILLISECONDS : null
}

/** Restores the server from its backup, as often as the limits allow. No call arrives while it is restored. */
async function restored(clients: Clients, left: Left, state: State): Promise<Move[]> {
  const { server, backup, pressed } = state
  if (!backup || backup === server || !mayRestore(left, state)) return []
  const restores = state.restores + 1
  const after = {
    ...state,
    server: backup,
    backup: null,
    restores,
    now: timeAfter(pressed, restores) ?? state.now,
    clients: await Promise.all(
      state.clients.map((client, index) => clients.loseAll(index, client)),
    ),
  }
  return [{ label: 'restored', isFault: false, state: after }]
}

function mayRestore(left: Left, { restores }: State): boolean {
  return restores < (left.restores ?? 0)
}

/**
 * Opens an idle client again, lets it send its queue, or lets it look without a cause in the
 * scenario.
 */
async function looks(
  clients: Clients,
  left: Left,
  state: State,
  index: number,
  client: ClientState,
): Promise<Move[]> {
  const hasWork = clients.hasWork(client)
  if (!hasWork && state.looks >= left.looks) return []
  const looking = await clients.look(index, client, state.now)
  const after = { ...state, looks: state.looks + (hasWork ? 0 : 1) }
  return [
    {
      label: `${index} ${client.isAlive ? 'looks' : 'is opened again'}`,
      isFault: false,
      state: withClient(after, index, looking),
    },
  ]
}

/** Returns the possible outcomes of the call for which a client waits. */
async function deliveries(
  clients: Clients,
  left: Left,
  state: State,
  index: number,
  client: ClientState,
): Promise<Move[]> {
  const about = `${index} ${client.activity?.call.method} ${client.activity?.call.collection}`
  const moves: Move[] = []
  const add = (what: string, server: StandInServer, after: ClientState, isFault: boolean) => {
    const next = withClient({ ...state, server }, index, after)
    moves.push({ label: `${about}: ${what}`, isFault, state: next })
    // A backup matters from the first change after it, so it is made just before that.
    if (server === state.server || state.backup || !mayRestore(left, state)) return
    const backedUp = { ...next, backup: state.server }
    moves.push({ label: `backup, ${about}: ${what}`, isFault, state: backedUp })
  }
  if (client.late) {
    add('the late answer', state.server, await clients.hearLate(index, client), false)
    return moves
  }
  const delivered = await clients.deliver(index, state.server, state.now, client)
  const { reached, answer, client: done, late } = delivered
  add(answer.ok ? 'done' : answer.error, reached, done, false)
  if (!left.mayFail) return moves
  const lost = await clients.lose(index, client)
  const dead = clients.kill(client)
  add('lost', state.server, lost, true)
  add('killed before', state.server, dead, true)
  add('answered late', reached, late, true)
  if (reached === state.server) return moves
  add('answer lost', reached, lost, true)
  add('killed after', reached, dead, true)
  return moves
}

async function pressed(
  clients: Clients,
  state: State,
  press: Press,
  client: ClientState,
): Promise<State> {
  const storage = storageOf(client)
  const after = await clients.press(press, client)
  const { action } = press
  const isContinued = action === 'undo' || action === 'banner' || action === 'move'
  const noted: Pressed = {
    press,
    timer: timerOf(storage),
    after: isContinued ? timerOf(storageOf(after)) : null,
    hasEntry: 'entryId' in press && storage.entries.some(({ id }) => id === press.entryId),
    cards: action === 'discard' ? unfinishedIn(storage) : [],
  }
  const presses = [...state.pressed, noted]
  const now = timeAfter(presses, state.restores) ?? state.now
  return withClient({ ...state, pressed: presses, now }, press.client, after)
}

function withClient(state: State, index: number, client: ClientState): State {
  return { ...state, clients: state.clients.with(index, client) }
}
