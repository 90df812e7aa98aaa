/**
 * Explores all outcomes of a scenario: every order in which the calls of its clients reach the
 * server, and every schedule of lost calls, lost answers, late answers and killed clients, up to a
 * number of faults. The search is breadth-first over the global states (server, storage of each
 * client, the call that it waits for). Each state is visited once, so that the first schedule found
 * for a violation is a shortest one.
 */
import type { StandInDocument, StandInServer } from '../stand-in-server.ts'
import { Clients } from './clients.ts'
import type { ClientState } from './clients.ts'
import { endingOf } from './ending.ts'
import { Names } from './names.ts'
import type { Exploration, Limits, Press, Pressed, Program, Scenario } from './scenario.ts'
import { initialState } from './state.ts'
import type { State } from './state.ts'
import { cardsOf, storageOf, timerOf } from './storage.ts'

interface Move {
  readonly state: State
  readonly label: string
  readonly isFault: boolean
}

interface Left extends Pick<Limits, 'looks'> {
  /** Whether the limits allow another fault. */
  readonly mayFail: boolean
}

interface Visit {
  readonly state: State
  readonly parent: string | null
  readonly move: string
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
  return new Search(program, scenario, limits).run()
}

class Search {
  readonly #clients: Clients
  readonly #scenario: Scenario
  readonly #limits: Limits
  readonly #names = new Names()
  readonly #seen = new Map<string, Pick<Visit, 'parent' | 'move'>>()
  readonly #endings = new Set<string>()
  readonly #violations: Record<string, readonly string[]> = {}

  constructor(program: Program, scenario: Scenario, limits: Limits) {
    this.#clients = new Clients(program)
    this.#scenario = scenario
    this.#limits = limits
  }

  /**
   * Visits states by faults, then by moves, so that each state is reached first with the fewest
   * faults.
   */
  async run(): Promise<Exploration> {
    let level: Visit[] = [{ state: initialState(this.#scenario), parent: null, move: '' }]
    for (let faults = 0; faults <= this.#limits.faults; faults += 1) {
      const mayFail = faults < this.#limits.faults
      const faulty: Visit[] = []
      while (level.length > 0) {
        const next: Visit[] = []
        for (const visit of level) await this.#visit(visit, mayFail, { next, faulty })
        level = next
      }
      level = faulty
    }
    return {
      states: this.#seen.size,
      endings: this.#endings.size,
      violations: this.#violations,
    }
  }

  /** Judges a new state and queues the states that can follow. */
  async #visit(
    { state, parent, move }: Visit,
    mayFail: boolean,
    { next, faulty }: { readonly next: Visit[]; readonly faulty: Visit[] },
  ): Promise<void> {
    const key = keyOf(this.#names, state)
    if (this.#seen.has(key)) return
    this.#seen.set(key, { parent, move })
    await this.#judge(state, key)
    const left = { ...this.#limits, mayFail }
    for (const { isFault, label, state: after } of await this.#movesFrom(state, left)) {
      if (this.#seen.has(keyOf(this.#names, after))) continue
      const visit = { state: after, parent: key, move: label }
      if (isFault) faulty.push(visit)
      else next.push(visit)
    }
  }

  #movesFrom(state: State, left: Left): Promise<Move[]> {
    return movesFrom(this.#clients, this.#scenario, left, state)
  }

  async #judge(state: State, key: string): Promise<void> {
    if (state.pressed.length < this.#scenario.presses.length) return
    if (state.clients.some((client) => client.activity)) return
    const outcome = endingKeyOf(this.#names, state)
    if (this.#endings.has(outcome)) return
    this.#endings.add(outcome)
    const ending = await endingOf(this.#clients, this.#scenario, state)
    const violation = this.#scenario.judge(ending)
    if (violation !== null) this.#violations[violation] ??= this.#scheduleTo(key)
  }

  /** Returns the moves that lead to a state. */
  #scheduleTo(key: string): string[] {
    const moves: string[] = []
    for (let at: string | null = key; at !== null;) {
      const visit = this.#seen.get(at)
      if (!visit) break
      moves.unshift(visit.move)
      at = visit.parent
    }
    return moves.slice(1)
  }
}

function keyOf(names: Names, { server, clients, pressed, looks }: State): string {
  const parts = [server, pressed, ...clients].map((each) => names.of(each))
  return `${looks} ${parts.join(' ')}`
}

function endingKeyOf(names: Names, { server, clients, pressed }: State): string {
  const parts = [server, pressed, ...clients.map(({ storage }) => ({ storage }))]
  return parts.map((part) => names.of(part)).join(' ')
}

async function movesFrom(
  clients: Clients,
  scenario: Scenario,
  left: Left,
  state: State,
): Promise<Move[]> {
  const moves: Move[] = []
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
  { mayFail }: Left,
  state: State,
  index: number,
  client: ClientState,
): Promise<Move[]> {
  const about = `${index} ${client.activity?.call.method} ${client.activity?.call.collection}`
  const move = (what: string, server: StandInServer, after: ClientState, isFault: boolean) => ({
    label: `${about}: ${what}`,
    isFault,
    state: withClient({ ...state, server }, index, after),
  })
  if (client.late) {
    const heard = await clients.hearLate(index, client)
    return [move('the late answer', state.server, heard, false)]
  }
  const delivered = await clients.deliver(index, state.server, state.now, client)
  const { reached, answer, client: done, late } = delivered
  const moves = [move(answer.ok ? 'done' : answer.error, reached, done, false)]
  if (!mayFail) return moves
  const lost = await clients.lose(index, client)
  const dead = clients.kill(client)
  moves.push(
    move('lost', state.server, lost, true),
    move('killed before', state.server, dead, true),
    move('answered late', reached, late, true),
  )
  if (reached === state.server) return moves
  return [
    ...moves,
    move('answer lost', reached, lost, true),
    move('killed after', reached, dead, true),
  ]
}

async function pressed(
  clients: Clients,
  state: State,
  press: Press,
  client: ClientState,
): Promise<State> {
  const storage = storageOf(client)
  const entry = 'entryId' in press ? storage.entries.find(({ id }) => id === press.entryId) : null
  const noted: Pressed = {
    press,
    timer: timerOf(storage),
    entry: entry ?? null,
    there: entry ? partOf(state.server.time_entries[entry.id]) : null,
    cards: press.action === 'discard' ? cardsOf(storage) : [],
    undo: press.action === 'undo' ? client.undo : null,
  }
  const after = { ...state, pressed: [...state.pressed, noted], now: press.at }
  return withClient(after, press.client, await clients.press(press, client))
}

/**
 * Returns the smallest part that distinguishes one change from another, because every recorded
 * value makes more states differ.
 */
function partOf(document: StandInDocument | undefined): Pressed['there'] {
  return document ? { note: document['note'], endTime: document['endTime'] } : null
}

function withClient(state: State, index: number, client: ClientState): State {
  return { ...state, clients: state.clients.with(index, client) }
}
