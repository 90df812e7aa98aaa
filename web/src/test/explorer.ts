/**
 * Explores what can become of a timer: every order in which the calls of its clients reach the
 * server, and every schedule of lost calls, lost answers and killed clients, up to a number of
 * faults. Breadth first over the states of the whole (server, storage of each client, the call it
 * waits for), each visited once, so the first schedule found for a violation is a shortest one.
 *
 * The clients are the real code on a fake IndexedDB. A client that is given the same storage and
 * the same answers does the same, so each of its reactions is run once and remembered.
 */
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import {
  newSessionAttributes,
  RESTORE_WINDOW_MILLISECONDS,
} from '@stint/core/record/timer-session.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import { testTaskDocument } from '@stint/core/test/documents.ts'
import { deleteDB } from 'idb'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { BackendError } from '#backend/errors.ts'
import { databaseName } from '#record/database.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Edit, Operation, Refusal, Value } from '#record/stored.ts'
import type { SyncContext } from '#sync/context.ts'
import { createPace } from '#backend/pace.ts'

import { allEntries } from './devices.ts'
import { answerCall, backendOf, EMPTY_SERVER } from './stand-in-server.ts'
import type { Answer, Call, StandInDocument, StandInServer } from './stand-in-server.ts'

/** What a person presses, in the order of a scenario; `at` is epoch milliseconds. */
export type Press = { readonly client: number; readonly at: number } & (
  | { readonly action: 'start'; readonly sessionId: string; readonly taskId: string }
  | { readonly action: 'pause' | 'resume' | 'stop' }
  /** The button of the red banner, under which a new session would begin. */
  | { readonly action: 'banner'; readonly sessionId: string }
)

/** The code of a client. `context.record` is its storage; nothing else of it survives a kill. */
export interface Program {
  /** What is done at once when something is pressed. */
  press(context: SyncContext, press: Press): Promise<void>
  /** What is sent after it. */
  flush(context: SyncContext): Promise<void>
  /** What is done at load, after an error, and when another device changed something. */
  refresh(context: SyncContext): Promise<void>
  /** A refresh that also brings the entries. */
  reopen(context: SyncContext): Promise<void>
}

export interface Scenario {
  readonly clients: number
  /** A timer that runs on the server before anything is pressed. */
  readonly running: ActiveTimer | null
  /** The clients that show it; all of them unless said. */
  readonly shownBy?: readonly number[]
  readonly presses: readonly Press[]
  /** Everything is pressed before the first call is answered: what clients do alone needs no order. */
  readonly isPressedTogether?: boolean
  /** The seconds each session's entry may have, by session id. */
  readonly seconds: Readonly<Record<string, readonly number[]>>
  /** What else must be true in the end; answers what is not, or null. */
  readonly check?: (ending: Ending) => string | null
}

export interface Limits {
  readonly faults: number
  /** How often a client may look at the server for no reason of its own: a focus, an event. */
  readonly looks: number
}

/** What is left when every client was opened once more without any fault. */
export interface Ending {
  readonly now: number
  readonly sessions: readonly StandInDocument[]
  readonly entries: readonly StandInDocument[]
  readonly clients: readonly Storage[]
  /** The seconds on the clock of each timer when Stop was pressed, by session id. */
  readonly stopped: Readonly<Record<string, readonly number[]>>
}

/** The storage of a client, without what means nothing to it: positions and revisions. */
export interface Storage {
  readonly values: readonly Value[]
  readonly operations: readonly {
    readonly operation: Operation
    readonly refused: Refusal | null
  }[]
  readonly edits: readonly Edit[]
  readonly entries: readonly TimeEntry[]
}

export interface Exploration {
  readonly states: number
  readonly endings: number
  /** A shortest schedule for each kind of violation. */
  readonly violations: Readonly<Record<string, readonly string[]>>
}

/** Visits every state within the limits. Resolves with what was found, never rejects for it. */
export async function explore(
  program: Program,
  scenario: Scenario,
  limits: Limits,
): Promise<Exploration> {
  const clients = new Clients(program)
  const first = initialState(scenario)
  const names = new Names()
  const seen = new Map<string, { readonly parent: string | null; readonly move: string }>()
  const endings = new Set<string>()
  const violations: Record<string, readonly string[]> = {}
  // By faults, then by moves: a state is met first with the fewest faults.
  let level: Visit[] = [{ state: first, parent: null, move: '' }]
  for (let faults = 0; faults <= limits.faults; faults += 1) {
    const faulty: Visit[] = []
    while (level.length > 0) {
      const next: Visit[] = []
      for (const { state, parent, move } of level) {
        const key = names.ofState(state)
        if (seen.has(key)) continue
        seen.set(key, { parent, move })
        await judge(state, key)
        for (const { fault, label, state: after } of await movesFrom(
          clients,
          scenario,
          limits,
          state,
        )) {
          if (seen.has(names.ofState(after))) continue
          const visit = { state: after, parent: key, move: label }
          if (!fault) next.push(visit)
          else if (faults < limits.faults) faulty.push(visit)
        }
      }
      level = next
    }
    level = faulty
  }
  return { states: seen.size, endings: endings.size, violations }

  async function judge(state: State, key: string): Promise<void> {
    if (state.pressed < scenario.presses.length) return
    if (state.clients.some((client) => client.activity)) return
    const outcome = names.ofEnding(state)
    if (endings.has(outcome)) return
    endings.add(outcome)
    const violation = violationOf(await endingOf(clients, scenario, state), scenario)
    if (violation !== null) violations[violation] ??= scheduleTo(key)
  }

  function scheduleTo(key: string): string[] {
    const moves: string[] = []
    for (let at: string | null = key; at !== null;) {
      const visit = seen.get(at)
      if (!visit) break
      moves.unshift(visit.move)
      at = visit.parent
    }
    return moves.slice(1)
  }
}

interface Visit {
  readonly state: State
  readonly parent: string | null
  readonly move: string
}

/** Short names for what is equal, so that a million states fit. */
class Names {
  readonly #byIdentity = new WeakMap<object, number>()
  readonly #byText = new Map<string, number>()

  ofState({ server, clients, pressed, looks, stopped }: State): string {
    const parts = [this.of(server), this.of(stopped), ...clients.map((each) => this.of(each))]
    return `${pressed} ${looks} ${parts.join(' ')}`
  }

  ofEnding({ server, clients, stopped }: State): string {
    const parts = [server, stopped, ...clients.map(({ storage }) => ({ storage }))]
    return parts.map((part) => this.of(part)).join(' ')
  }

  of(value: object): number {
    const known = this.#byIdentity.get(value)
    if (known !== undefined) return known
    const text = JSON.stringify(value)
    const name = this.#byText.get(text) ?? this.#byText.size
    this.#byText.set(text, name)
    this.#byIdentity.set(value, name)
    return name
  }
}

interface State {
  readonly server: StandInServer
  readonly clients: readonly ClientState[]
  readonly pressed: number
  readonly looks: number
  /** Epoch milliseconds: time passes when something is pressed. */
  readonly now: number
  readonly stopped: Ending['stopped']
}

interface ClientState {
  /** JSON of its Storage. */
  readonly storage: string
  readonly isAlive: boolean
  /** What it is in the middle of, waiting for the answer to `call`. */
  readonly activity: Activity | null
}

interface Activity extends Beginning {
  /** The storage it began with. */
  readonly from: string
  readonly inputs: readonly Input[]
  readonly call: Call
  /** What is left to do, the piece of work in hand aside. */
  readonly rest: Beginning
}

interface Beginning {
  readonly begin: 'flush' | 'refresh'
  readonly now: number
  /** Something was pressed meanwhile: a flush follows. */
  readonly again: boolean
}

type Input = { readonly answer: Answer } | { readonly press: Press }

interface Move {
  readonly state: State
  readonly label: string
  readonly fault: boolean
}

const USER = 'ada'
const TASKS = ['write', 'plan'].map((id) => testTaskDocument(id, { name: id, userId: USER }))
const UNREACHABLE: Answer = { ok: false, error: 'unreachable' }

function initialState({ clients, running, presses, shownBy }: Scenario): State {
  const now = running?.startedAt ?? presses[0]?.at ?? 0
  let server: StandInServer = {
    ...EMPTY_SERVER,
    tasks: Object.fromEntries(TASKS.map((task) => [task.$id, { ...task }])),
  }
  if (running) {
    const data = newSessionAttributes(running, USER, 'client 0')
    const id = running.sessionId
    server = answerCall(
      server,
      { method: 'create', collection: 'timer_sessions', id, data },
      now,
    ).server
  }
  return {
    server,
    clients: Array.from({ length: clients }, (_, index) =>
      clientThatShows(!shownBy || shownBy.includes(index) ? running : null),
    ),
    pressed: 0,
    looks: 0,
    now,
    stopped: {},
  }
}

function clientThatShows(timer: ActiveTimer | null): ClientState {
  const values: Value[] = timer
    ? [{ key: 'timer', timer, phase: 'confirmed', device: 'client 0', base: null }]
    : []
  const storage: Storage = { values, operations: [], edits: [], entries: [] }
  return { storage: JSON.stringify(storage), isAlive: true, activity: null }
}

async function movesFrom(
  clients: Clients,
  scenario: Scenario,
  limits: Limits,
  state: State,
): Promise<Move[]> {
  const moves: Move[] = []
  const press = scenario.presses[state.pressed]
  const presser = press && state.clients[press.client]
  if (press && presser?.isAlive) {
    const label = `${press.client} presses ${press.action}`
    moves.push({ label, fault: false, state: await pressed(clients, state, press, presser) })
    if (scenario.isPressedTogether) return moves
  }
  for (const [index, client] of state.clients.entries()) {
    if (client.activity) {
      moves.push(...(await deliveries(clients, state, index, client, client.activity)))
      continue
    }
    const hasWork = !client.isAlive || unsentIn(storageOf(client)).length > 0
    if (!hasWork && state.looks >= limits.looks) continue
    moves.push({
      label: `${index} ${client.isAlive ? 'looks' : 'is opened again'}`,
      fault: false,
      state: withClient(
        { ...state, looks: state.looks + (hasWork ? 0 : 1) },
        index,
        await clients.begin(index, client.storage, {
          begin: 'refresh',
          now: state.now,
          again: false,
        }),
      ),
    })
  }
  return moves
}

/** What can become of the call a client waits for. */
async function deliveries(
  clients: Clients,
  state: State,
  index: number,
  client: ClientState,
  activity: Activity,
): Promise<Move[]> {
  const { call } = activity
  const { reached, done, lost, dead, said } = await clients.deliver(index, state, client, activity)
  const about = `${index} ${call.method} ${call.collection}`
  const onServer = { ...state, server: reached }
  const moves: Move[] = [
    { label: `${about}: ${said}`, fault: false, state: withClient(onServer, index, done) },
    { label: `${about}: lost`, fault: true, state: withClient(state, index, lost) },
    { label: `${about}: killed before`, fault: true, state: withClient(state, index, dead) },
  ]
  if (reached === state.server) return moves
  return [
    ...moves,
    { label: `${about}: answer lost`, fault: true, state: withClient(onServer, index, lost) },
    { label: `${about}: killed after`, fault: true, state: withClient(onServer, index, dead) },
  ]
}

async function pressed(
  clients: Clients,
  state: State,
  press: Press,
  client: ClientState,
): Promise<State> {
  const timer = press.action === 'stop' ? timerOf(storageOf(client)) : null
  const shown = timer ? { [timer.sessionId]: stoppedAt(state, timer, press.at) } : {}
  const stopped = { ...state.stopped, ...shown }
  const next = client.activity
    ? await clients.go(press.client, client.activity, { press })
    : await clients.press(press, client.storage)
  const after = { ...state, pressed: state.pressed + 1, now: press.at, stopped }
  return withClient(after, press.client, next)
}

function stoppedAt({ stopped }: State, timer: ActiveTimer, now: number): number[] {
  return [...(stopped[timer.sessionId] ?? []), elapsedSeconds(timer, now)]
}

function withClient(state: State, index: number, client: ClientState): State {
  return { ...state, clients: state.clients.with(index, client) }
}

function storageOf(client: Pick<ClientState, 'storage'>): Storage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by `storageIn`
  return JSON.parse(client.storage) as Storage
}

/** Opens every client twice, without a fault: the second time each knows what the others did. */
async function endingOf(clients: Clients, { presses }: Scenario, state: State): Promise<Ending> {
  const now = (presses.at(-1)?.at ?? state.now) + 600_000
  let server = state.server
  const storages = state.clients.map((client) => client.storage)
  for (let index = 0; index < 2 * storages.length; index += 1) {
    const client = index % storages.length
    const end = await clients.reopen(client, storages[client] ?? '', server, now)
    server = end.server
    storages[client] = end.storage
  }
  return {
    now,
    sessions: Object.values(server.timer_sessions),
    entries: Object.values(server.time_entries),
    clients: storages.map((storage) => storageOf({ storage })),
    stopped: state.stopped,
  }
}

function violationOf(ending: Ending, scenario: Scenario): string | null {
  const { sessions, entries, clients, stopped } = ending
  const kept = entries.filter((entry) => entry['deletedAt'] === null)
  const savedBy = (sessionId: string) => kept.filter((entry) => entry['sessionId'] === sessionId)

  if (clients.some((client) => unsentIn(client).length > 0)) return 'unsent'
  for (const [sessionId, shown] of Object.entries(stopped)) {
    const isWorth = shown.every((seconds) => seconds > 0)
    if (isWorth && savedBy(sessionId).length === 0) return 'lost'
    if (sessions.some((session) => session.$id === sessionId)) return 'orphan'
  }
  for (const entry of kept) {
    const sessionId = String(entry['sessionId'])
    if (savedBy(sessionId).length > 1) return 'duplicate'
    const seconds = scenario.seconds[sessionId] ?? []
    if (!seconds.includes(Number(entry['durationSeconds']))) return 'wrong seconds'
  }
  for (const session of sessions) {
    if (session['endTime'] !== null) return 'orphan'
    const isActive = session['isRunning'] === true || session['isPaused'] === true
    const isShown = clients.map((client) => timerOf(client)?.sessionId === session.$id)
    const isOffered = clients.map((client) => isOfferedBy(client, session.$id))
    if (!isShown.every((shown, client) => shown || isOffered[client])) return 'lost from sight'
    if (isActive ? isRecent(session, ending) && !isShown.every(Boolean) : isShown.some(Boolean)) {
      return 'disagreement'
    }
  }
  for (const client of clients) {
    const shown = timerOf(client)
    if (shown && !sessions.some((session) => session.$id === shown.sessionId)) return 'ghost'
    const here = client.entries.map((entry) => [entry.id, entry.durationSeconds, entry.deletedAt])
    const there = entries.map((entry) => [
      entry.$id,
      entry['durationSeconds'],
      typeof entry['deletedAt'] === 'string' ? Date.parse(entry['deletedAt']) : null,
    ])
    if (JSON.stringify(here) !== JSON.stringify(there)) return 'disagreement'
  }
  return scenario.check?.(ending) ?? null
}

function timerOf(storage: Storage): ActiveTimer | null {
  const record = storage.values.find((each) => each.key === 'timer')
  return record?.key === 'timer' ? record.timer : null
}

function isOfferedBy(storage: Storage, sessionId: string): boolean {
  const record = storage.values.find((each) => each.key === 'unfinished')
  return record?.key === 'unfinished' && record.sessions.some(({ id }) => id === sessionId)
}

/** Created within the 4 hours in which every client restores it. */
function isRecent(session: StandInDocument, { now }: Ending): boolean {
  return now - Date.parse(session.$createdAt) <= RESTORE_WINDOW_MILLISECONDS
}

interface Delivered {
  readonly reached: StandInServer
  readonly said: string
  readonly done: ClientState
  readonly lost: ClientState
  readonly dead: ClientState
}

/** The clients' code, run for each reaction once. */
class Clients {
  readonly #program: Program
  readonly #delivered = new Map<string, Delivered>()
  readonly #names = new Names()
  readonly #reactions = new Map<string, ClientState>()
  readonly #reopened = new Map<string, { storage: string; server: StandInServer }>()

  constructor(program: Program) {
    this.#program = program
  }

  /** What an idle client does when something is pressed, until it waits or has done everything. */
  async press(press: Press, from: string): Promise<ClientState> {
    const record = await openStorage(press.client, from, () => press.at)
    const silent = backendOf(USER, () => new Promise(() => undefined))
    await this.#program.press(contextOf(record, silent), press)
    const storage = storageIn(record)
    await closeStorage(record)
    return this.begin(press.client, storage, { begin: 'flush', now: press.at, again: false })
  }

  /** What an idle client does when it begins to send or to look, until its first call. */
  async begin(index: number, from: string, { begin, now, again }: Beginning): Promise<ClientState> {
    return this.#react(index, { from, begin, now, again, inputs: [] })
  }

  /** What a waiting client does when something comes in, until its next call. */
  async go(index: number, activity: Activity, input: Input): Promise<ClientState> {
    const { from, begin, now, again, inputs } = activity
    const next = await this.#react(index, { from, begin, now, again, inputs: [...inputs, input] })
    if (!next.activity || !isHeadGone(activity, next)) return next
    // Sending begins each piece of work anew from what is stored: how it came there is over.
    return this.begin(index, next.storage, next.activity.rest)
  }

  /** What becomes of the server and of a client when its call is delivered, lost, or its last. */
  async deliver(
    index: number,
    { server, now }: State,
    client: ClientState,
    activity: Activity,
  ): Promise<Delivered> {
    const key = `${now} ${this.#names.of(server)} ${this.#names.of(activity)} ${index}`
    const known = this.#delivered.get(key)
    if (known) return known
    const { server: reached, answer } = answerCall(server, activity.call, now)
    const delivered: Delivered = {
      reached,
      said: answer.ok ? 'done' : answer.error,
      done: await this.go(index, activity, { answer }),
      lost: await this.go(index, activity, { answer: UNREACHABLE }),
      dead: { storage: client.storage, isAlive: false, activity: null },
    }
    this.#delivered.set(key, delivered)
    return delivered
  }

  /** Opens a client with everything in order, until it has nothing left to do. */
  async reopen(
    index: number,
    from: string,
    server: StandInServer,
    now: number,
  ): Promise<{ storage: string; server: StandInServer }> {
    const key = JSON.stringify([index, from, server, now])
    const known = this.#reopened.get(key)
    if (known) return known
    const record = await openStorage(index, from, () => now)
    let current = server
    const backend = backendOf(USER, async (call) => {
      const step = answerCall(current, call, now)
      current = step.server
      return valueOf(step.answer)
    })
    await this.#program.reopen(contextOf(record, backend))
    const end = { storage: storageIn(record), server: current }
    await closeStorage(record)
    this.#reopened.set(key, end)
    return end
  }

  async #react(index: number, activity: Omit<Activity, 'call' | 'rest'>): Promise<ClientState> {
    const key = JSON.stringify([index, activity])
    const known = this.#reactions.get(key)
    if (known) return known
    const reaction = await this.#run(index, activity)
    this.#reactions.set(key, reaction)
    return reaction
  }

  async #run(index: number, activity: Omit<Activity, 'call' | 'rest'>): Promise<ClientState> {
    const { from, inputs } = activity
    let { begin, now, again } = activity
    const record = await openStorage(index, from, () => now)
    const waiting: { call: Call; settle: (answer: Answer) => void }[] = []
    let called = Promise.withResolvers<void>()
    const backend = backendOf(USER, async (call) => {
      const answer = await new Promise<Answer>((settle) => {
        waiting.push({ call, settle })
        called.resolve()
      })
      return valueOf(answer)
    })
    const context = contextOf(record, backend)
    const running = this.#program[begin](context).then(async () => {
      while (again) {
        begin = 'flush'
        again = false
        await this.#program.flush(context)
      }
    })

    await Promise.race([running, called.promise])
    for (const input of inputs) {
      if ('press' in input) {
        now = input.press.at
        again = true
        await this.#program.press(context, input.press)
      } else {
        called = Promise.withResolvers()
        waiting.shift()?.settle(input.answer)
        await Promise.race([running, called.promise])
      }
    }
    const storage = storageIn(record)
    const call = waiting[0]?.call
    await closeStorage(record)
    if (call) {
      const rest = { begin, now, again }
      return { storage, isAlive: true, activity: { ...activity, call, rest } }
    }
    await running
    return { storage, isAlive: true, activity: null }
  }
}

/** Whether the first of what was unsent was settled in a reaction. */
function isHeadGone(before: Activity, after: ClientState): boolean {
  const head = JSON.stringify(unsentIn(storageOf({ storage: before.from }))[0])
  return head !== undefined && head !== JSON.stringify(unsentIn(storageOf(after))[0])
}

function contextOf(record: LocalRecord, backend: SyncContext['backend']): SyncContext {
  return { record, backend, userId: USER, wait: noTime, pace: createPace(record.clock.now) }
}

async function noTime(): Promise<void> {
  // Retries follow each other at once.
}

function valueOf(answer: Answer): unknown {
  if (answer.ok) return answer.value
  throw new BackendError(answer.error, `The call was answered: ${answer.error}`)
}

async function openStorage(index: number, json: string, now: () => number): Promise<LocalRecord> {
  const { values, operations, edits, entries } = storageOf({ storage: json })
  const device = `client ${index}`
  const record = await openRecord(databaseName(nextDatabase()), { clock: { now }, device })
  await record.takeIn((draft) => {
    for (const task of TASKS.map(taskFromDocument)) draft.tasks.put(task)
    for (const value of values) draft.putValue(value)
    for (const entry of entries) draft.entries.put(entry)
    for (const edit of edits) draft.edits.put(edit)
    for (const [at, { operation, refused }] of operations.entries()) {
      draft.operations.put({
        sequence: at + 1 - operations.length,
        operation,
        refused,
        attempts: 0,
      })
    }
  })
  return record
}

let databases = 0

function nextDatabase(): string {
  databases += 1
  return `explorer ${databases}`
}

/** What runs on in it finds that it is closed, as after a kill. */
async function closeStorage(record: LocalRecord): Promise<void> {
  record.close()
  await deleteDB(record.name)
}

/** What of the values matters to the protocol. */
const KEPT_VALUES = ['timer', 'banner', 'unfinished', 'gaps'] as const

function storageIn(record: LocalRecord): string {
  const storage: Storage = {
    values: KEPT_VALUES.flatMap((key) => record.value(key) ?? []),
    operations: record.view.operations
      .all()
      .map(({ operation, refused }) => ({ operation, refused })),
    edits: record.view.edits.all(),
    entries: allEntries(record),
  }
  return JSON.stringify(storage)
}

/** What the backend has not acknowledged, in the order in which it is sent. */
function unsentIn({ operations, edits }: Storage): readonly object[] {
  return [...operations, ...edits]
}
