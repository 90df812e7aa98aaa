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
import { digest } from './names.ts'
import type { Names } from './names.ts'
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

type Input = { readonly answer: Answer } | { readonly press: Press; readonly undo: string | null }

type Reaction = Pick<ClientState, 'storage' | 'activity' | 'undo'>

/** The outcome of a call, for the server and for the client that made it. */
export interface Delivered {
  readonly reached: StandInServer
  readonly answer: Answer
  readonly client: ClientState
  /** The client while the answer is on its way. */
  readonly late: ClientState
}

/** The names by which known reactions are found. */
interface ClientNames {
  readonly client: Names<ClientState>
  readonly server: Names<StandInServer>
}

/** A client that makes more calls until it has no work left is never done. */
const MAX_CALLS = 200
const UNREACHABLE: Answer = { ok: false, error: 'unreachable' }

/** The code of the clients. Each reaction is run once. */
export class Clients {
  readonly #program: Program
  readonly #delivered = new Map<string, Delivered>()
  // Many states share a client. Its next state is one object, so that its name is known.
  readonly #heard = new WeakMap<ClientState, ClientState>()
  readonly #dead = new WeakMap<ClientState, ClientState>()
  readonly #lost = new WeakMap<ClientState, ClientState>()
  readonly #looks = new Map<string, ClientState>()
  readonly #pressed = new Map<string, ClientState>()
  readonly #hasWork = new WeakMap<ClientState, boolean>()
  readonly #names: ClientNames
  readonly #reactions = new Map<string, Reaction>()
  readonly #reopened = new Map<string, { storage: string; server: StandInServer }>()

  constructor(program: Program, names: ClientNames) {
    this.#program = program
    this.#names = names
  }

  /** Reacts to a press, until the client waits or has done everything. */
  async press(press: Press, client: ClientState): Promise<ClientState> {
    const key = `${press.action} ${press.at} ${press.client} ${this.#names.client.of(client)}`
    const known = this.#pressed.get(key)
    if (known) return known
    const after = await this.#press(press, client)
    this.#pressed.set(key, after)
    return after
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
  async deliver(
    index: number,
    server: StandInServer,
    now: number,
    client: ClientState,
  ): Promise<Delivered> {
    const { activity } = client
    if (!activity) throw new Error('The client does not wait')
    const key = `${now} ${this.#names.server.of(server)} ${this.#names.client.of(client)} ${index}`
    const known = this.#delivered.get(key)
    if (known) return known
    const { server: reached, answer } = answerCall(server, activity.call, now)
    const heard = await this.#hear(index, client, answer)
    const delivered = { reached, answer, client: heard, late: { ...client, late: answer } }
    this.#delivered.set(key, delivered)
    return delivered
  }

  /** Lets a client receive the answer that was late. */
  async hearLate(index: number, client: ClientState): Promise<ClientState> {
    const known = this.#heard.get(client)
    if (known || !client.late) return known ?? client
    const heard = await this.#hear(index, client, client.late)
    this.#heard.set(client, heard)
    return heard
  }

  /** Returns a client that was killed. */
  kill(client: ClientState): ClientState {
    const known = this.#dead.get(client)
    if (known) return known
    const storage = onNextPage(client.storage)
    const dead = { storage, isAlive: false, activity: null, undo: null, late: null }
    this.#dead.set(client, dead)
    return dead
  }

  /** Returns the client after its call or the answer is lost. */
  async lose(index: number, client: ClientState): Promise<ClientState> {
    const known = this.#lost.get(client)
    if (known) return known
    const lost = await this.#hear(index, client, UNREACHABLE)
    this.#lost.set(client, lost)
    return lost
  }

  /** Returns the client after every call is lost until it makes none. */
  async loseAll(index: number, client: ClientState): Promise<ClientState> {
    let lost = client
    while (lost.activity) lost = await this.lose(index, lost)
    return lost
  }

  /** Opens an idle client, or lets it look at the server. */
  async look(index: number, client: ClientState, now: number): Promise<ClientState> {
    const key = `${now} ${this.#names.client.of(client)} ${index}`
    const known = this.#looks.get(key)
    if (known) return known
    const looking = await this.#start(index, client, { begin: 'refresh', now, again: false })
    this.#looks.set(key, looking)
    return looking
  }

  /** Returns whether an idle client has work: unsent changes, or a restart after a kill. */
  hasWork(client: ClientState): boolean {
    const known = this.#hasWork.get(client)
    if (known !== undefined) return known
    const hasWork = !client.isAlive || unsentIn(storageOf(client)).length > 0
    this.#hasWork.set(client, hasWork)
    return hasWork
  }

  /** Opens a client without faults, until it has no work left. */
  async reopen(
    index: number,
    from: string,
    server: StandInServer,
    now: number,
  ): Promise<{ storage: string; server: StandInServer }> {
    const key = `${now} ${this.#names.server.of(server)} ${index} ${digest(from)}`
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
    return this.#remembered(index, { from, begin, now, again, inputs: [] })
  }

  #react(index: number, activity: Activity, input: Input): Promise<Reaction> {
    const { from, begin, now, again, inputs } = activity
    return this.#remembered(index, { from, begin, now, again, inputs: [...inputs, input] })
  }

  async #remembered(index: number, activity: Omit<Activity, 'call' | 'rest'>): Promise<Reaction> {
    const key = digest(JSON.stringify([index, activity]))
    const known = this.#reactions.get(key)
    if (known) return known
    const reaction = await this.#run(index, activity)
    this.#reactions.set(key, reaction)
    return reaction
  }

  async #run(index: number, activity: Omit<Activity, 'call' | 'rest'>): Promise<Reaction> {
    const { from, inputs } = activity
    let { begin, now, again } = activity
    let undo: string | null = null
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
        undo = await this.#program.press(context, input.press, input.undo)
      } else {
        called = Promise.withResolvers()
        waiting.shift()?.settle(input.answer)
        await Promise.race([running, called.promise])
      }
    }
    const storage = storageIn(record)
    const call = waiting[0]?.call
    closeStorage(record)
    if (call) return { storage, undo, activity: { ...activity, call, rest: { begin, now, again } } }
    await running
    return { storage, undo, activity: null }
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
