/**
 * Explores all outcomes of a scenario: every order in which the calls of its clients reach the
 * server, and every schedule of lost calls, lost answers, late answers and killed clients, up to a
 * number of faults. The search is breadth-first over the global states (server, storage of each
 * client, the call that it waits for). Each state is visited once, so that the first schedule found
 * for a violation is a shortest one.
 */
import type { StandInServer } from '../stand-in-server.ts'
import { Clients } from './clients.ts'
import { endingOf } from './ending.ts'
import { Names } from './names.ts'
import { RowMap } from './row-map.ts'
import type { Exploration, Limits, Press, Pressed, Program, Scenario } from './scenario.ts'
import { isTaken } from './screens.ts'
import { initialState } from './state.ts'
import type { State } from './state.ts'
import { storageOf, timerOf, unfinishedIn } from './storage.ts'

/**
 * A state as numbers, at the places below: of looks, of restorations, and the names of everything else. Its clients
 * follow.
 */
type Row = readonly number[]
const LOOKS = 0
const RESTORES = 1
const SERVER = 2
const PRESSED = 3
const BACKUP = 4
const FIRST_CLIENT = 5

/** Stands for a backup that is not there, and for the state before the first one. */
const NONE = -1
/** A call arrives after the press. The record takes an entry that was created as it ended for unconfirmed. */
const LATENCY_MILLISECONDS = 100
/** A restored server does not repeat the instants of what it has lost. */
const RESTORE_MILLISECONDS = 1000

interface Move {
  readonly row: Row
  readonly isFault: boolean
  /** What happens to the call of this client, or what the client does. */
  readonly what: string
  readonly client: number
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
  if (means?.program !== program) means = meansOf(program, scenario)
  shared.set(scenario, means)
  return new Search(means, scenario, limits, await initialState(scenario)).run()
}

/** What explorations of one scenario with different limits share: how its clients react, and the verdicts. */
interface Means {
  readonly program: Program
  readonly server: Names<StandInServer>
  readonly pressed: Names<readonly Pressed[]>
  readonly storage: Names<{ readonly storage: string }>
  readonly clients: Clients
  /** The presses after a press, by the presses before it and its client. */
  readonly noted: RowMap
  /** The place of the verdict on each ending, by server, presses and storages. */
  readonly verdicts: RowMap
  readonly verdict: (string | null)[]
  /** Whether news took something from the screen of a client, by the client before and after, and the presses. */
  readonly taken: RowMap
}

const shared = new WeakMap<Scenario, Means>()

function meansOf(program: Program, scenario: Scenario): Means {
  const server = new Names<StandInServer>()
  return {
    program,
    server,
    pressed: new Names<readonly Pressed[]>(),
    storage: new Names<{ readonly storage: string }>(),
    clients: new Clients(program, server),
    noted: new RowMap(2),
    verdicts: new RowMap(2 + scenario.clients),
    verdict: [],
    taken: new RowMap(3),
  }
}

class Search {
  readonly #means: Means
  readonly #clients: Clients
  readonly #scenario: Scenario
  readonly #limits: Limits
  readonly #first: State
  /** The states in the order in which they are visited, with the place of the state before. */
  readonly #seen: RowMap
  /** The places of the verdicts on the endings. */
  readonly #endings = new Set<number>()
  readonly #violations: Record<string, readonly string[]> = {}

  constructor(means: Means, scenario: Scenario, limits: Limits, first: State) {
    this.#means = means
    this.#clients = means.clients
    this.#scenario = scenario
    this.#limits = limits
    this.#first = first
    this.#seen = new RowMap(FIRST_CLIENT + scenario.clients)
  }

  /**
   * Visits states by faults, then by moves, so that each state is reached first with the fewest
   * faults.
   */
  async run(): Promise<Exploration> {
    const { faults } = this.#limits
    reach(this.#seen, this.#rowOf(this.#first), NONE)
    let visited = 0
    for (let left = faults; left >= 0; left -= 1) {
      const faulty = new RowMap(FIRST_CLIENT + this.#scenario.clients)
      for (; visited < this.#seen.size; visited += 1) await this.#visit(visited, left > 0, faulty)
      for (let index = 0; index < faulty.size; index += 1)
        reach(this.#seen, faulty.row(index), faulty.value(index))
    }
    this.#clients.close()
    return {
      states: this.#seen.size,
      endings: this.#endings.size,
      violations: this.#violations,
    }
  }

  /** Judges a state and adds the states that can follow. */
  async #visit(index: number, mayFail: boolean, faulty: RowMap): Promise<void> {
    const row = this.#seen.row(index)
    await this.#judge(row, index)
    for (const move of await this.#movesFrom(row, mayFail)) {
      const isNews = at(move.row, PRESSED) === at(row, PRESSED) && this.#isTaken(row, move.row)
      if (isNews)
        this.#violations['taken'] ??= [
          ...(await this.#scheduleTo(index)),
          labelOf(this.#clients, row, move),
        ]
      if (!move.isFault) reach(this.#seen, move.row, index)
      else if (this.#seen.get(move.row) === undefined) reach(faulty, move.row, index)
    }
  }

  /** Judges a move without a press: what the clients showed must not leave their screens silently. */
  #isTaken(before: Row, after: Row): boolean {
    const { taken } = this.#means
    for (let place = FIRST_CLIENT; place < before.length; place += 1) {
      const [client, next] = [at(before, place), at(after, place)]
      if (next === client) continue
      const key = [client, next, at(before, PRESSED)]
      const known = taken.get(key)
      if (known === 0) continue
      const now = this.#clients.state(client).activity?.rest.now ?? this.#timeOf(before)
      const found = this.#isTakenFrom(client, next, now, before)
      if (known === undefined) taken.set(key, found ? 1 : 0)
      if (found && this.#isTakenFrom(client, next, now, before, this.#undoneBy(place, after)))
        return true
    }
    return false
  }

  #isTakenFrom(
    client: number,
    next: number,
    now: number,
    before: Row,
    undone?: readonly string[],
  ): boolean {
    const [{ storage: shown }, { storage: shows }] = [
      this.#clients.state(client),
      this.#clients.state(next),
    ]
    return isTaken(shown, shows, now, this.#pressedIn(before), undone)
  }

  /** Returns the storages of the other clients on which Undo was pressed. */
  #undoneBy(place: number, after: Row): readonly string[] {
    return this.#pressedIn(after).flatMap(({ press: { action, client } }) =>
      action === 'undo' && FIRST_CLIENT + client !== place
        ? [this.#clients.state(at(after, FIRST_CLIENT + client)).storage]
        : [],
    )
  }

  async #judge(row: Row, index: number): Promise<void> {
    if (this.#pressedIn(row).length < this.#scenario.presses.length) return
    const clients = row.slice(FIRST_CLIENT).map((client) => this.#clients.state(client))
    if (clients.some((client) => client.activity)) return
    const { verdicts, verdict, storage } = this.#means
    const outcome = [
      at(row, SERVER),
      at(row, PRESSED),
      ...clients.map((client) => storage.of({ storage: client.storage })),
    ]
    let place = verdicts.get(outcome)
    if (place === undefined) {
      const ending = await endingOf(this.#clients, this.#scenario, this.#stateOf(row))
      place = verdict.push(this.#scenario.judge(ending)) - 1
      verdicts.set(outcome, place)
    }
    this.#endings.add(place)
    const violation = verdict[place] ?? null
    if (violation !== null) this.#violations[violation] ??= await this.#scheduleTo(index)
  }

  /** Returns the moves that lead to a state. */
  async #scheduleTo(index: number): Promise<string[]> {
    const from = this.#seen.value(index)
    if (from === NONE) return []
    const [before, row] = [this.#seen.row(from), this.#seen.row(index)]
    const moves = await this.#movesFrom(before, true)
    const last = moves.find((move) => move.row.every((name, place) => name === row[place]))
    return [...(await this.#scheduleTo(from)), last ? labelOf(this.#clients, before, last) : '?']
  }

  #rowOf({ looks, restores, server, pressed, clients }: State): Row {
    return [
      looks,
      restores,
      this.#means.server.of(server),
      this.#means.pressed.of(pressed),
      NONE,
      ...clients.map((client) => this.#clients.of(client)),
    ]
  }

  #stateOf(row: Row): State {
    return {
      looks: at(row, LOOKS),
      restores: at(row, RESTORES),
      server: this.#means.server.value(at(row, SERVER)),
      pressed: this.#pressedIn(row),
      clients: row.slice(FIRST_CLIENT).map((client) => this.#clients.state(client)),
      now: this.#timeOf(row),
    }
  }

  #pressedIn(row: Row): readonly Pressed[] {
    return this.#means.pressed.value(at(row, PRESSED))
  }

  /** Returns the time of a state in epoch milliseconds. */
  #timeOf(row: Row): number {
    const last = this.#pressedIn(row).at(-1)
    if (!last) return this.#first.now
    return last.press.at + LATENCY_MILLISECONDS + at(row, RESTORES) * RESTORE_MILLISECONDS
  }

  async #movesFrom(row: Row, mayFail: boolean): Promise<Move[]> {
    const moves = await this.#restored(row)
    const press = this.#scenario.presses[this.#pressedIn(row).length]
    if (press && this.#clients.state(at(row, FIRST_CLIENT + press.client)).isAlive) {
      moves.push(await this.#press(row, press))
      if (this.#scenario.isPressedTogether) return moves
    }
    for (let place = FIRST_CLIENT; place < row.length; place += 1) {
      if (this.#clients.state(at(row, place)).activity)
        await this.#deliver(moves, row, place, mayFail)
      else await this.#look(moves, row, place)
    }
    return moves
  }

  /** Restores the server from its backup, as often as the limits allow. No call arrives while it is restored. */
  async #restored(row: Row): Promise<Move[]> {
    const backup = at(row, BACKUP)
    if (backup === NONE || backup === at(row, SERVER) || !this.#mayRestore(row)) return []
    const after = row
      .with(SERVER, backup)
      .with(BACKUP, NONE)
      .with(RESTORES, at(row, RESTORES) + 1)
    for (let place = FIRST_CLIENT; place < row.length; place += 1)
      after[place] = await this.#clients.loseAll(place - FIRST_CLIENT, at(row, place))
    return [{ row: after, isFault: false, what: 'restored', client: NONE }]
  }

  #mayRestore(row: Row): boolean {
    return at(row, RESTORES) < (this.#limits.restores ?? 0)
  }

  async #press(row: Row, press: Press): Promise<Move> {
    const { noted, pressed } = this.#means
    const place = FIRST_CLIENT + press.client
    const client = at(row, place)
    const after = await this.#clients.press(press, client)
    const key = [at(row, PRESSED), client]
    let presses = noted.get(key)
    if (presses === undefined) {
      presses = pressed.of([...this.#pressedIn(row), this.#noteOf(press, client, after)])
      noted.set(key, presses)
    }
    const next = row.with(PRESSED, presses).with(place, after)
    return { row: next, isFault: false, what: `presses ${press.action}`, client: press.client }
  }

  #noteOf(press: Press, client: number, after: number): Pressed {
    const { action } = press
    const storage = storageOf(this.#clients.state(client))
    const isContinued = action === 'undo' || action === 'banner' || action === 'move'
    return {
      press,
      timer: timerOf(storage),
      after: isContinued ? timerOf(storageOf(this.#clients.state(after))) : null,
      hasEntry: 'entryId' in press && storage.entries.some(({ id }) => id === press.entryId),
      cards: action === 'discard' ? unfinishedIn(storage) : [],
    }
  }

  /**
   * Opens an idle client again, lets it send its queue, or lets it look without a cause in the
   * scenario.
   */
  async #look(moves: Move[], row: Row, place: number): Promise<void> {
    const client = at(row, place)
    const index = place - FIRST_CLIENT
    const hasWork = this.#clients.hasWork(client)
    if (!hasWork && at(row, LOOKS) >= this.#limits.looks) return
    const looking = await this.#clients.look(index, client, this.#timeOf(row))
    const next = row.with(place, looking).with(LOOKS, at(row, LOOKS) + (hasWork ? 0 : 1))
    const what = this.#clients.state(client).isAlive ? 'looks' : 'is opened again'
    moves.push({ row: next, isFault: false, what, client: index })
  }

  /** Adds the possible outcomes of the call for which a client waits. */
  async #deliver(moves: Move[], row: Row, place: number, mayFail: boolean): Promise<void> {
    const [server, client, index] = [at(row, SERVER), at(row, place), place - FIRST_CLIENT]
    const add = (what: string, reached: number, after: number, isFault: boolean) => {
      const next = row.with(place, after).with(SERVER, reached)
      moves.push({ row: next, isFault, what, client: index })
      // A backup matters from the first change after it, so it is made just before that.
      if (reached === server || at(row, BACKUP) !== NONE || !this.#mayRestore(row)) return
      const backedUp = next.with(BACKUP, server)
      moves.push({ row: backedUp, isFault, what: `${what} after a backup`, client: index })
    }
    if (this.#clients.state(client).late) {
      add('the late answer', server, await this.#clients.hearLate(index, client), false)
      return
    }
    const delivered = await this.#clients.deliver(index, server, this.#timeOf(row), client)
    const { reached, error, client: done, late } = delivered
    add(error ?? 'done', reached, done, false)
    if (!mayFail) return
    const lost = await this.#clients.lose(index, client)
    const dead = this.#clients.kill(client)
    add('lost', server, lost, true)
    add('killed before', server, dead, true)
    add('answered late', reached, late, true)
    if (reached === server) return
    add('answer lost', reached, lost, true)
    add('killed after', reached, dead, true)
  }
}

/** Adds a state that is reached for the first time from the state at a place. */
function reach(states: RowMap, row: Row, from: number): void {
  if (states.get(row) === undefined) states.set(row, from)
}

/** Returns what a move does, for a schedule. */
function labelOf(clients: Clients, row: Row, { what, client }: Move): string {
  if (client === NONE) return what
  const { activity } = clients.state(at(row, FIRST_CLIENT + client))
  const isAboutCall = activity !== null && !what.startsWith('presses')
  return isAboutCall
    ? `${client} ${activity.call.method} ${activity.call.collection}: ${what}`
    : `${client} ${what}`
}

function at(row: Row, place: number): number {
  return row[place] ?? NONE
}
