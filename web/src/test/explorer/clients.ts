/**
 * The clients of an exploration: the real code on a record in memory. A client that is given the same storage and the
 * same answers does the same, so each of its reactions is run once and remembered.
 */
import { BackendError } from '#backend/errors.ts'
import { createPace } from '#backend/pace.ts'
import type { LocalRecord } from '#record/record.ts'
import type { SyncContext } from '#sync/context.ts'

import { answerCall, backendOf } from '../stand-in-server.ts'
import type { Answer, Call, StandInServer } from '../stand-in-server.ts'
import { digest, Names } from './names.ts'
import type { Press, Program } from './scenario.ts'
import { closeStorage, openStorage, storageIn, storageOf, unsentIn, USER } from './storage.ts'
import type { Storage } from './storage.ts'

export interface ClientState {
  /** JSON of its Storage. */
  readonly storage: string
  readonly isAlive: boolean
  /** What it is in the middle of, waiting for the answer to `call`. */
  readonly activity: Activity | null
  /** What Undo takes back, while it is not killed: JSON. */
  readonly undo: string | null
  /** What the server has answered to `call` and what is still on its way. */
  readonly late: Answer | null
}

export interface Activity extends Beginning {
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

type Input = { readonly answer: Answer } | { readonly press: Press; readonly undo: string | null }

type Reaction = Pick<ClientState, 'storage' | 'activity' | 'undo'>

/** What becomes of a call, for the server and for the client that made it. */
export interface Delivered {
  readonly reached: StandInServer
  readonly answer: Answer
  readonly client: ClientState
  /** The client while the answer is on its way. */
  readonly late: ClientState
}

const UNREACHABLE: Answer = { ok: false, error: 'unreachable' }

/** The clients' code, run for each reaction once. */
export class Clients {
  readonly #program: Program
  readonly #delivered = new Map<string, Delivered>()
  // Many states share a client: what becomes of it is one object, whose name is known.
  readonly #heard = new WeakMap<ClientState, ClientState>()
  readonly #dead = new WeakMap<ClientState, ClientState>()
  readonly #lost = new WeakMap<ClientState, ClientState>()
  readonly #looks = new Map<string, ClientState>()
  readonly #pressed = new Map<string, ClientState>()
  readonly #hasWork = new WeakMap<ClientState, boolean>()
  readonly #names = new Names()
  readonly #reactions = new Map<string, Reaction>()
  readonly #reopened = new Map<string, { storage: string; server: StandInServer }>()

  constructor(program: Program) {
    this.#program = program
  }

  /** What a client does when something is pressed, until it waits or has done everything. */
  async press(press: Press, client: ClientState): Promise<ClientState> {
    const key = `${press.action} ${press.at} ${press.client} ${this.#names.of(client)}`
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

  /** What an idle client does when it begins to send or to look, until its first call. */
  async #start(index: number, client: ClientState, beginning: Beginning): Promise<ClientState> {
    const { storage, undo } = client
    return alive(await this.#begin(index, storage, beginning), undo)
  }

  /** What a waiting client does when it hears an answer, until its next call. */
  async #hear(
    index: number,
    { activity, undo }: ClientState,
    answer: Answer,
  ): Promise<ClientState> {
    if (!activity) throw new Error('The client does not wait')
    const next = await this.#react(index, activity, { answer })
    if (!next.activity || !isHeadGone(activity, next)) return alive(next, undo)
    // Sending begins each piece of work anew from what is stored: how it came there is over.
    return alive(await this.#begin(index, next.storage, next.activity.rest), undo)
  }

  /** What becomes of the server and of a client when its call is answered. */
  async deliver(
    index: number,
    server: StandInServer,
    now: number,
    client: ClientState,
  ): Promise<Delivered> {
    const { activity } = client
    if (!activity) throw new Error('The client does not wait')
    const key = `${now} ${this.#names.of(server)} ${this.#names.of(client)} ${index}`
    const known = this.#delivered.get(key)
    if (known) return known
    const { server: reached, answer } = answerCall(server, activity.call, now)
    const heard = await this.#hear(index, client, answer)
    const delivered = { reached, answer, client: heard, late: { ...client, late: answer } }
    this.#delivered.set(key, delivered)
    return delivered
  }

  /** A client that hears the answer that was late. */
  async hearLate(index: number, client: ClientState): Promise<ClientState> {
    const known = this.#heard.get(client)
    if (known || !client.late) return known ?? client
    const heard = await this.#hear(index, client, client.late)
    this.#heard.set(client, heard)
    return heard
  }

  /** A client that was killed. */
  kill(client: ClientState): ClientState {
    const { storage } = client
    const known = this.#dead.get(client)
    if (known) return known
    const dead = { storage, isAlive: false, activity: null, undo: null, late: null }
    this.#dead.set(client, dead)
    return dead
  }

  /** What a client does when its call is lost, or the answer. */
  async lose(index: number, client: ClientState): Promise<ClientState> {
    const known = this.#lost.get(client)
    if (known) return known
    const lost = await this.#hear(index, client, UNREACHABLE)
    this.#lost.set(client, lost)
    return lost
  }

  /** An idle client that is opened, or looks. */
  async look(index: number, client: ClientState, now: number): Promise<ClientState> {
    const key = `${now} ${this.#names.of(client)} ${index}`
    const known = this.#looks.get(key)
    if (known) return known
    const looking = await this.#start(index, client, { begin: 'refresh', now, again: false })
    this.#looks.set(key, looking)
    return looking
  }

  /** Whether an idle client has something to do: what it holds is unsent, or it was killed. */
  hasWork(client: ClientState): boolean {
    const known = this.#hasWork.get(client)
    if (known !== undefined) return known
    const hasWork = !client.isAlive || unsentIn(storageOf(client)).length > 0
    this.#hasWork.set(client, hasWork)
    return hasWork
  }

  /** Opens a client with everything in order, until it has nothing left to do. */
  async reopen(
    index: number,
    from: string,
    server: StandInServer,
    now: number,
  ): Promise<{ storage: string; server: StandInServer }> {
    const key = `${now} ${this.#names.of(server)} ${index} ${digest(from)}`
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
    closeStorage(record)
    this.#reopened.set(key, end)
    return end
  }

  /** Presses Stop on a client that sends nothing yet. */
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

/** A client after an answer: what Undo takes back is as before. */
function alive({ storage, activity }: Reaction, undo: string | null): ClientState {
  return { storage, activity, undo, isAlive: true, late: null }
}

/** Whether the first of what was unsent was settled in a reaction, and no edits are left: a round knows what it has asked about them. */
function isHeadGone(before: Activity, after: Reaction): boolean {
  const head = headOf(storageOf({ storage: before.from }))
  const left = storageOf(after)
  return head !== undefined && left.edits.length === 0 && head !== headOf(left)
}

/** What is sent first, whatever was noted of its tries. */
function headOf({ operations, edits }: Storage): string | undefined {
  const [first] = operations
  if (first) return JSON.stringify({ ...first.operation, base: null })
  const [edit] = edits
  return edit && `${edit.kind} ${edit.id}`
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
