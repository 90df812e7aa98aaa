/**
 * The clients of an exploration: the real code on a record in memory. A client with the same
 * storage and the same answers always reacts in the same way, so that each reaction is run once and
 * cached.
 */
import { BackendError } from '#backend/errors.ts'
import { createPace } from '#backend/pace.ts'
import type { LocalRecord } from '#record/record.ts'
import type { SyncContext } from '#sync/context.ts'

import { answerCall, backendOf } from '../stand-in-server.ts'
import type { Answer, Call, StandInServer } from '../stand-in-server.ts'
import { digest, Names, Numbers } from './names.ts'
import { RowMap } from './row-map.ts'
import type { Press, Program } from './scenario.ts'
import {
  closeStorage,
  onNextPage,
  openStorage,
  storageIn,
  storageOf,
  unsentIn,
  USER,
} from './storage.ts'

export interface ClientState {
  /** JSON of its Storage. */
  readonly storage: string
  readonly isAlive: boolean
  /** The activity that waits for the answer to `call`. */
  readonly activity: Activity | null
  /** What Undo reverses while the client is not killed, as JSON. */
  readonly undo: string | null
  /** The server's answer to `call` that is still on its way. */
  readonly late: Answer | null
}

export interface Activity extends Beginning {
  /** The storage at the start of the activity. */
  readonly from: string
  readonly inputs: readonly Input[]
  readonly call: Call
  /** The work that remains after the present piece of work. */
  readonly rest: Beginning
}

interface Beginning {
  readonly begin: 'flush' | 'refresh'
  readonly now: number
  /** Something was pressed in the meantime, so that a flush follows. */
  readonly again: boolean
}

type Start = Beginning & Pick<Activity, 'from'>
type Input = { readonly answer: Answer } | { readonly press: Press; readonly undo: string | null }

type Reaction = Pick<ClientState, 'storage' | 'activity' | 'undo'>

/** The outcome of a call, as numbers of the server and of the client that made it. */
export interface Delivered {
  readonly error: string | null
  readonly reached: number
  readonly client: number
  /** The client while the answer is on its way. */
  readonly late: number
}

/**
 * The numbers of activities. Each is made once, by one reaction, so it is known by its identity: its JSON has
 * everything that was ever answered to it.
 */
const activities = new Numbers()

/** A client that makes more calls until it has no work left is never done. */
const MAX_CALLS = 200
const UNREACHABLE: Answer = { ok: false, error: 'unreachable' }
/** Clients that wait for an answer and go on from there. Others begin their activity once more. */
const MAX_WAITING = 50_000

/**
 * The code of the clients. Each reaction is run once, and what is known is returned without a promise. Clients and
 * servers are given and returned by number.
 */
export class Clients {
  readonly #program: Program
  readonly #servers: Names<StandInServer>
  readonly #clients = new Names<ClientState>(({ activity, ...rest }) =>
    JSON.stringify([activity && activities.of(activity), rest]),
  )
  // By the number of a client.
  readonly #heard: number[] = []
  readonly #dead: number[] = []
  readonly #lost: number[] = []
  readonly #hasWork: boolean[] = []
  readonly #pressed = new Map<Press, number[]>()
  // By index of the client, time, client; then the server too.
  readonly #looks = new RowMap(3)
  readonly #delivered = new RowMap(4)
  readonly #deliveries: Delivered[] = []
  readonly #times: number[] = []
  readonly #reactions = new Map<string, Reaction>()
  readonly #waiting = new Map<Activity, Running>()
  readonly #reopened = new Map<string, { storage: string; server: StandInServer }>()

  constructor(program: Program, servers: Names<StandInServer>) {
    this.#program = program
    this.#servers = servers
  }

  /** Returns the number of a client. */
  of(client: ClientState): number {
    return this.#clients.of(client)
  }

  /** Returns the client with this number. */
  state(client: number): ClientState {
    return this.#clients.value(client)
  }

  /** Reacts to a press, until the client waits or has done everything. */
  press(press: Press, client: number): number | Promise<number> {
    const known = this.#pressed.get(press) ?? []
    this.#pressed.set(press, known)
    return known[client] ?? this.#remember(known, client, this.#press(press, this.state(client)))
  }

  async #press(press: Press, client: ClientState): Promise<ClientState> {
    const { activity, undo, late, storage: from } = client
    if (activity) {
      const reaction = await this.#react(press.client, activity, { press, undo })
      return { ...reaction, isAlive: true, late }
    }
    const record = await openStorage(press.client, from, () => press.at)
    const silent = backendOf(USER, () => new Promise(() => undefined))
    const undoNow = await this.#program.press(contextOf(record, silent), press, undo)
    const storage = storageIn(record)
    closeStorage(record)
    const pressed = { ...client, storage, undo: undoNow }
    return this.#start(press.client, pressed, { begin: 'flush', now: press.at, again: false })
  }

  /** Lets an idle client begin to send or to look, until its first call. */
  async #start(index: number, client: ClientState, beginning: Beginning): Promise<ClientState> {
    const { storage, undo } = client
    return alive(await this.#begin(index, storage, beginning), undo)
  }

  /** Lets a waiting client receive an answer, until its next call. */
  async #hear(
    index: number,
    { activity, undo }: ClientState,
    answer: Answer,
  ): Promise<ClientState> {
    if (!activity) throw new Error('The client does not wait')
    const next = await this.#react(index, activity, { answer })
    if (!next.activity || !isLessUnsent(activity, next)) return alive(next, undo)
    // Sending begins each piece of work anew from the stored state, so that earlier steps do not
    // matter.
    return alive(await this.#begin(index, next.storage, next.activity.rest), undo)
  }

  /** Returns the server and the client after the answer to the client's call. */
  deliver(
    index: number,
    server: number,
    now: number,
    client: number,
  ): Delivered | Promise<Delivered> {
    const key = [index, this.#timeOf(now), server, client]
    const known = this.#delivered.get(key)
    return this.#deliveries[known ?? -1] ?? this.#deliver(key, now)
  }

  async #deliver(key: readonly number[], now: number): Promise<Delivered> {
    const [index = 0, , server = 0, name = 0] = key
    const client = this.state(name)
    const { activity } = client
    if (!activity) throw new Error('The client does not wait')
    const step = answerCall(this.#servers.value(server), activity.call, now)
    const { answer } = step
    const delivered = {
      error: answer.ok ? null : answer.error,
      reached: this.#servers.of(step.server),
      client: this.of(await this.#hear(index, client, answer)),
      late: this.of({ ...client, late: answer }),
    }
    this.#delivered.set(key, this.#deliveries.push(delivered) - 1)
    return delivered
  }

  /** Lets a client receive the answer that was late. */
  hearLate(index: number, client: number): number | Promise<number> {
    const { late } = this.state(client)
    if (!late) return client
    return (
      this.#heard[client] ??
      this.#remember(this.#heard, client, this.#hear(index, this.state(client), late))
    )
  }

  /** Returns a client that was killed. */
  kill(client: number): number {
    const known = this.#dead[client]
    if (known !== undefined) return known
    const storage = onNextPage(this.state(client).storage)
    const dead = this.of({ storage, isAlive: false, activity: null, undo: null, late: null })
    this.#dead[client] = dead
    return dead
  }

  /** Returns the client after its call or the answer is lost. */
  lose(index: number, client: number): number | Promise<number> {
    return (
      this.#lost[client] ??
      this.#remember(this.#lost, client, this.#hear(index, this.state(client), UNREACHABLE))
    )
  }

  /** Returns the client after every call is lost until it makes none. */
  async loseAll(index: number, client: number): Promise<number> {
    let lost = client
    while (this.state(lost).activity) lost = await this.lose(index, lost)
    return lost
  }

  /** Opens an idle client, or lets it look at the server. */
  look(index: number, client: number, now: number): number | Promise<number> {
    const key = [index, this.#timeOf(now), client]
    return this.#looks.get(key) ?? this.#look(key, now)
  }

  async #look(key: readonly number[], now: number): Promise<number> {
    const [index = 0, , client = 0] = key
    const beginning = { begin: 'refresh', now, again: false } as const
    const looking = this.of(await this.#start(index, this.state(client), beginning))
    this.#looks.set(key, looking)
    return looking
  }

  /** Returns whether an idle client has work: unsent changes, or a restart after a kill. */
  hasWork(client: number): boolean {
    const known = this.#hasWork[client]
    if (known !== undefined) return known
    const state = this.state(client)
    const hasWork = !state.isAlive || unsentIn(storageOf(state)).length > 0
    this.#hasWork[client] = hasWork
    return hasWork
  }

  async #remember(
    known: number[],
    client: number,
    reaction: Promise<ClientState>,
  ): Promise<number> {
    const after = this.of(await reaction)
    known[client] = after
    return after
  }

  /** Returns a small number for a time. An exploration has few times. */
  #timeOf(now: number): number {
    const known = this.#times.indexOf(now)
    return known === -1 ? this.#times.push(now) - 1 : known
  }

  /** Opens a client without faults, until it has no work left. */
  async reopen(
    index: number,
    from: string,
    server: StandInServer,
    now: number,
  ): Promise<{ storage: string; server: StandInServer }> {
    const key = `${now} ${this.#servers.of(server)} ${index} ${digest(from)}`
    const known = this.#reopened.get(key)
    if (known) return known
    const record = await openStorage(index, from, () => now)
    let current = server
    let calls = 0
    const backend = backendOf(USER, async (call) => {
      calls += 1
      if (calls > MAX_CALLS) throw new Error(`A client is never done: ${JSON.stringify(call)}`)
      const step = answerCall(current, call, now)
      current = step.server
      return valueOf(step.answer)
    })
    await this.#program.reopen(contextOf(record, backend))
    const end = { storage: storageIn(record), server: current }
    closeStorage(record)
    this.#reopened.set(key, end)
    return end
  }

  /** Presses Stop on a client that does not send yet. */
  async stop(index: number, from: string, now: number): Promise<string> {
    const record = await openStorage(index, from, () => now)
    const silent = backendOf(USER, () => new Promise(() => undefined))
    const press = { action: 'stop', client: index, at: now } as const
    await this.#program.press(contextOf(record, silent), press, null)
    const storage = storageIn(record)
    closeStorage(record)
    return storage
  }

  #begin(index: number, from: string, { begin, now, again }: Beginning): Promise<Reaction> {
    const key = digest(JSON.stringify([index, begin, now, again, from]))
    return this.#remembered(key, index, { from, begin, now, again, inputs: [] }, null)
  }

  #react(index: number, activity: Activity, input: Input): Promise<Reaction> {
    const { from, begin, now, again, inputs } = activity
    const next = { from, begin, now, again, inputs: [...inputs, input] }
    const key = `${activities.of(activity)} ${digest(JSON.stringify(input))}`
    return this.#remembered(key, index, next, activity)
  }

  async #remembered(
    key: string,
    index: number,
    activity: Start & Pick<Activity, 'inputs'>,
    before: Activity | null,
  ): Promise<Reaction> {
    const known = this.#reactions.get(key)
    if (known) return known
    const waiting = before && this.#waiting.get(before)
    if (before) this.#waiting.delete(before)
    const running = waiting ?? (await Running.begin(this.#program, index, activity))
    for (const input of waiting ? activity.inputs.slice(-1) : activity.inputs)
      await running.take(input)
    const reaction = await running.reaction(activity)
    this.#reactions.set(key, reaction)
    if (reaction.activity) this.#waiting.set(reaction.activity, running)
    for (const [longest, other] of this.#waiting) {
      if (this.#waiting.size <= MAX_WAITING) break
      this.#waiting.delete(longest)
      other.close()
    }
    return reaction
  }

  /** Frees what waits for answers. */
  close(): void {
    for (const running of this.#waiting.values()) running.close()
    this.#waiting.clear()
  }
}

/** A client's code at work, from the start of an activity to the call for whose answer it waits. */
class Running {
  readonly #program: Program
  readonly #context: SyncContext
  readonly #now: { at: number }
  readonly #calls: { readonly call: Call; readonly settle: (answer: Answer) => void }[]
  #called: PromiseWithResolvers<void>
  #begin: Beginning['begin']
  #again: boolean
  #undo: string | null = null
  #done: Promise<void> = Promise.resolve()

  static async begin(program: Program, index: number, start: Start): Promise<Running> {
    const now = { at: start.now }
    const record = await openStorage(index, start.from, () => now.at)
    const running = new Running(program, record, now, start)
    await running.#start()
    return running
  }

  private constructor(
    program: Program,
    record: LocalRecord,
    now: { at: number },
    { begin, again }: Start,
  ) {
    this.#program = program
    this.#now = now
    this.#begin = begin
    this.#again = again
    this.#calls = []
    this.#called = Promise.withResolvers()
    const backend = backendOf(USER, async (call) => {
      const answer = await new Promise<Answer>((settle) => {
        this.#calls.push({ call, settle })
        this.#called.resolve()
      })
      return valueOf(answer)
    })
    this.#context = contextOf(record, backend)
  }

  async #start(): Promise<void> {
    this.#done = this.#program[this.#begin](this.#context).then(async () => {
      while (this.#again) {
        this.#begin = 'flush'
        this.#again = false
        await this.#program.flush(this.#context)
      }
    })
    await Promise.race([this.#done, this.#called.promise])
  }

  async take(input: Input): Promise<void> {
    if ('press' in input) {
      this.#now.at = input.press.at
      this.#again = true
      this.#undo = await this.#program.press(this.#context, input.press, input.undo)
      return
    }
    this.#called = Promise.withResolvers()
    this.#calls.shift()?.settle(input.answer)
    await Promise.race([this.#done, this.#called.promise])
  }

  /** Returns what has become of the activity, and closes the storage if it is done. */
  async reaction(activity: Start & Pick<Activity, 'inputs'>): Promise<Reaction> {
    const storage = storageIn(this.#context.record)
    const call = this.#calls[0]?.call
    const rest = { begin: this.#begin, now: this.#now.at, again: this.#again }
    if (call) return { storage, undo: this.#undo, activity: { ...activity, call, rest } }
    this.close()
    await this.#done
    return { storage, undo: this.#undo, activity: null }
  }

  close(): void {
    closeStorage(this.#context.record)
  }
}

/** Returns a client after an answer. What Undo reverses does not change. */
function alive({ storage, activity }: Reaction, undo: string | null): ClientState {
  return { storage, activity, undo, isAlive: true, late: null }
}

/**
 * Returns whether something that was unsent is acknowledged and no edits are left. A round remembers
 * its requests about edits.
 */
function isLessUnsent({ from }: Activity, after: Reaction): boolean {
  const left = storageOf(after)
  const unsent = unsentIn(left)
  return (
    left.edits.length === 0 &&
    unsentIn(storageOf({ storage: from })).some((id) => !unsent.includes(id))
  )
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
