/** Signed-in users who continue to work during an attack. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { subscribe } from '#soak/client.ts'
import { MAX_WAIT } from '#waits.ts'
import { anyOf } from './attack.ts'
import { clientFrom, queriesOf } from './client.ts'
import type { Ask } from './client.ts'
import { ENTRIES, entryOf, signIn } from './people.ts'
import type { Person } from './people.ts'

/** The interval of their requests, in milliseconds. */
const ASKS_EVERY = 25
const SIGNS_IN_EVERY = 500

export interface BystanderReport {
  readonly answers: number
  /** The time from when a request was due to its reply, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Replies that are not 2xx, by request and status; 0 is a missing reply. */
  readonly refused: Readonly<Record<string, number>>
  /** Entries that were saved without an event on the socket of their owner. */
  readonly unheard: number
}

/** The newest hundred, with the app's query. */
const NEWEST = queriesOf([
  { method: 'orderDesc', attribute: '$createdAt' },
  { method: 'limit', values: [100] },
])

export class Bystanders {
  readonly #times: number[] = []
  readonly #refused = new Map<string, number>()
  readonly #unheard = new Set<string>()
  readonly #underway = new Set<Promise<void>>()
  readonly #sockets: WebSocket[]
  readonly #timers: NodeJS.Timeout[] = []

  private constructor(sockets: WebSocket[]) {
    this.#sockets = sockets
    for (const socket of sockets) {
      socket.on('message', (bytes) => {
        const text = Buffer.isBuffer(bytes) ? bytes.toString() : ''
        this.#unheard.delete(/"\$id":"(\w+)"/.exec(text)?.[1] ?? '')
      })
    }
  }

  /**
   * Starts the bystanders; resolves when their sockets are open.
   * @param run distinguishes the ids of their documents from those of other attacks.
   * @param signer signs in during the attack, from other addresses; null: nobody does.
   */
  static async begin(
    address: string,
    port: number,
    people: readonly Person[],
    run: string,
    signer: Person | null,
  ): Promise<Bystanders> {
    const sockets = await Promise.all(
      people.map(({ cookie }) => subscribe(port, cookie, () => {}, address)),
    )
    const all = new Bystanders(sockets)
    const ask = clientFrom(address, port)
    let count = 0
    all.#every(ASKS_EVERY, () => {
      count += 1
      const person = anyOf(people, count)
      return all.#one(ask, person, Math.floor(count / people.length), `${run}x${count}`)
    })
    if (signer !== null) {
      let times = 0
      all.#every(SIGNS_IN_EVERY, () => {
        times += 1
        // Another network each time, so that the limits by address do not apply.
        const elsewhere = clientFrom(`127.0.2.${1 + (times % 200)}`, port)
        return all.#ask('sign-in', () => signIn(elsewhere, signer.email))
      })
    }
    return all
  }

  /** Resolves when so many requests have been replied to. */
  async answered(count: number): Promise<void> {
    while (this.#times.length < count) await sleep(20)
  }

  /** Stops, and waits for running requests. */
  async end(): Promise<BystanderReport> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#underway)
    const end = performance.now() + MAX_WAIT
    while (this.#unheard.size > 0 && performance.now() < end) {
      await sleep(20)
    }
    for (const socket of this.#sockets) socket.terminate()
    const sorted = this.#times.toSorted((a, b) => a - b)
    const at = (share: number): number =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN)
    return {
      answers: sorted.length,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
      refused: Object.fromEntries(this.#refused),
      unheard: this.#unheard.size,
    }
  }

  #every(milliseconds: number, ask: () => Promise<void>): void {
    this.#timers.push(
      setInterval(() => {
        const asked = ask().finally(() => this.#underway.delete(asked))
        this.#underway.add(asked)
      }, milliseconds),
    )
  }

  #one(ask: Ask, { id, email, cookie }: Person, turn: number, name: string): Promise<void> {
    switch (turn % 4) {
      case 0:
        return this.#ask('account', () => ask('GET', '/v1/account', { cookie }))
      case 1:
        return this.#ask('list', () => ask('GET', `${ENTRIES}?${NEWEST}`, { cookie }))
      case 2: {
        this.#unheard.add(name)
        const body = { documentId: name, data: entryOf({ id, email, cookie }) }
        return this.#ask('create', async () => {
          const answer = await ask('POST', ENTRIES, { cookie, body })
          if (answer.status !== 201) this.#unheard.delete(name)
          return answer
        })
      }
      default:
        return this.#ask('health', () => ask('GET', '/v1/health'))
    }
  }

  async #ask(what: string, asked: () => Promise<{ readonly status: number }>): Promise<void> {
    const started = performance.now()
    const { status } = await asked()
    this.#times.push(performance.now() - started)
    if (status >= 200 && status < 300) return
    const name = `${what} ${status}`
    this.#refused.set(name, (this.#refused.get(name) ?? 0) + 1)
  }
}
