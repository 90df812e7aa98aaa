/**
 * Walks (core/src/test/walk.ts) of devices with the real sync, against the real server in memory. A device that is
 * `cut` loses its requests, one that is `unanswered` loses the answers, and one that `dies` is killed by the next
 * answer: all of them, or those to requests of a method or to a route, as in 'L cut PATCH' or 'L cut info'. One
 * that `breaks` loses the answer to its next request, and every request after it.
 */
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import { lettersIn, testEachWalk, walkIn } from '@stint/core/test/walk.ts'
import type { Beginning as CoreBeginning, WalkDevice } from '@stint/core/test/walk.ts'
import type { Intercept } from '@stint/testing/test-app.ts'

import { createWorld, serverOf } from './devices.ts'
import type { Device, World } from './devices.ts'

/** How a walk begins. */
export interface Beginning extends CoreBeginning {
  /** What other clients do, by the words after `foreign`. */
  readonly foreign?: Readonly<Record<string, Foreign>>
  /** Stands between the server and devices that are built for a real Appwrite. */
  readonly appwrite?: Intercept
}

/** What another client does. `at` returns an instant of the walk as the API has it. */
export type Foreign = (walked: {
  readonly world: World
  readonly taskIds: ReadonlyMap<string, string>
  readonly at: (seconds: number) => string
}) => Promise<unknown>

/** Makes a test of each walk of a text. */
export function testWalks(text: string, beginning: Beginning = {}): void {
  testEachWalk(text, async (steps) => {
    const { world, go, end } = await beginWalk(beginning, lettersIn(steps))
    try {
      await go(steps)
      return await end()
    } finally {
      await world.close()
    }
  })
}

/** Begins a walk that a test goes on with by its own means. The test must close the world at its end. */
export async function beginWalk(
  { tracksOffline = true, saysWhen, foreign = {}, appwrite }: Beginning = {},
  letters: readonly string[] = ['L', 'P'],
) {
  const world = await createWorld()
  await world.user.call('PATCH', '/account/prefs', { prefs: { trackOffline: tracksOffline } })
  const tasks = [await world.createTask('A'), await world.createTask('B')] as const
  const beganAt = world.server.clock.now()
  const at = (seconds: number) => new Date(beganAt + seconds * 1000).toISOString()
  const { pass, backUp, restore } = serverOf(() => world)
  const opened = new Map<WalkDevice, WebWalker>()
  const around = {
    tasks,
    pass,
    now: world.server.clock.now,
    writes: () => world.writes(),
    async saved() {
      const entries = await world.stored('time_entries')
      return entries.map(entryOf).filter(({ deletedAt }) => deletedAt === null)
    },
    async backUp() {
      const backup = await backUp()
      return () => restore(backup)
    },
    async open(name: string) {
      const walker = new WebWalker(await world.device(name, appwrite), appwrite)
      opened.set(walker, walker)
      return walker
    },
    close: () => world.close(),
  }
  const { go, end, device } = await walkIn(around, letters, saysWhen, async (what) => {
    const does = foreign[what]
    if (!does) throw new RangeError(`There is no foreign step ${what}`)
    const taskIds = new Map([
      ['A', tasks[0]],
      ['B', tasks[1]],
    ])
    await does({ world, taskIds, at })
  })
  return {
    world,
    go,
    end,
    device: async (letter: string): Promise<Device> => {
      const walker = opened.get(await device(letter))
      if (!walker) throw new RangeError(`There is no device ${letter}`)
      return walker.device
    },
  }
}

function entryOf(document: object) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server checks its replies
  return entryFromDocument(document as Parameters<typeof entryFromDocument>[0])
}

class WebWalker implements WalkDevice {
  device: Device
  isOff = false
  readonly #appwrite: Intercept | undefined
  /** What stays between the device and the server when it is opened again. */
  #network: Intercept | undefined
  /** Resolves when the device is killed by an answer. */
  #died: Promise<void> | null = null

  constructor(device: Device, appwrite: Intercept | undefined) {
    this.device = device
    this.#appwrite = appwrite
    this.#network = appwrite
  }

  get view() {
    return this.device.record.view
  }

  press: WalkDevice['press'] = (change) => this.device.press(change)

  look(): Promise<void> {
    return this.device.sync.refresh()
  }

  async send(): Promise<void> {
    const sent = this.device.sync.flush()
    await (this.#died ? Promise.race([sent.catch(() => undefined), this.#died]) : sent)
  }

  async step(word: string, [first]: readonly string[]): Promise<boolean> {
    const { device } = this
    switch (word) {
      case 'clock':
        device.moveClock(Number(first) * 1000)
        return true
      case 'close':
        device.kill()
        return true
      case 'open':
        this.device = await device.reopen(this.#network)
        this.#died = null
        return true
      case 'on':
        this.#reach(word, undefined)
        await this.look()
        await this.send()
        return true
      case 'off':
      case 'cut':
      case 'unanswered':
      case 'breaks':
      case 'dies':
        this.#reach(word, first)
        return true
      default:
        return false
    }
  }

  /** Changes how the device reaches the server: for all requests, or those of a method or to a route. */
  #reach(word: string, method: string | undefined): void {
    const { device } = this
    const died = Promise.withResolvers<void>()
    let isBroken = false
    const appwrite = this.#appwrite
    const network: Intercept = async (request, reach) => {
      const send = () => (appwrite ? appwrite(request, reach) : reach())
      const isMeant = request.method === method || request.url.endsWith(`/${method}`)
      if (method !== undefined && !isMeant) return send()
      if (['unanswered', 'dies'].includes(word) || (word === 'breaks' && !isBroken)) await send()
      isBroken = true
      if (word !== 'dies') throw new TypeError('Failed to fetch')
      device.kill()
      died.resolve()
      return new Promise(() => undefined)
    }
    const intercept = word === 'on' ? appwrite : network
    this.isOff = word === 'off'
    this.#died = word === 'dies' ? died.promise : null
    this.#network = word === 'dies' ? appwrite : intercept
    device.intercept(intercept)
  }
}
