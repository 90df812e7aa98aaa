/**
 * Walks of devices in core: their rules, with a backend that is a map of documents. What can happen to single
 * requests, and to clocks, is walked with the real sync (web/src/test/walk.ts).
 */
import { failAwaited } from '#device/unsent-sessions.ts'

import { NINE, TestBackend, TestDevice } from './devices.ts'
import { lettersIn, testEachWalk, walkIn } from './walk.ts'
import type { Beginning, WalkDevice, WalkWorld } from './walk.ts'

/** Makes a test of each walk of a text. */
export function testWalks(text: string, { tracksOffline = true, saysWhen }: Beginning = {}): void {
  testEachWalk(text, async (steps) => {
    const { go, end } = await walkIn(new CoreWorld(tracksOffline), lettersIn(steps), saysWhen)
    await go(steps)
    return end()
  })
}

class CoreWorld implements WalkWorld {
  readonly tasks = ['write', 'read'] as const
  backend = new TestBackend()
  readonly #devices: CoreWalker[] = []
  readonly #tracksOffline: boolean
  #now = NINE

  constructor(tracksOffline: boolean) {
    this.#tracksOffline = tracksOffline
  }

  now = (): number => this.#now

  pass(seconds: number): void {
    this.#now += seconds * 1000
  }

  writes = (): number => this.backend.writes

  async saved() {
    return [...this.backend.entries.values()].filter(({ deletedAt }) => deletedAt === null)
  }

  async backUp() {
    const backup = this.backend.copy()
    return async () => {
      this.backend = backup.copy()
      for (const { device } of this.#devices) device.backend = this.backend
    }
  }

  async open(name: string) {
    const device = new TestDevice(name, this.backend, this.#tracksOffline)
    const walker = new CoreWalker(device, this.now)
    this.#devices.push(walker)
    await walker.look()
    return walker
  }

  async close() {}
}

class CoreWalker implements WalkDevice {
  readonly device: TestDevice
  readonly #now: () => number
  #network = 'on'
  #pages = 1

  constructor(device: TestDevice, now: () => number) {
    this.device = device
    this.#now = now
  }

  get view() {
    return this.device.view
  }

  get isOff() {
    return this.#network === 'off'
  }

  press: WalkDevice['press'] = async (change) => this.device.write(this.#now(), change)

  async send() {
    const now = this.#now()
    if (['off', 'cut'].includes(this.#network))
      return this.device.write(now, (draft) => failAwaited(draft, 'No network'))
    this.device.send(now, this.#network === 'unanswered' ? 'answer' : 'nothing')
  }

  async look() {
    await this.send()
    if (this.#network !== 'on') return
    this.device.pull(this.#now())
    await this.send()
  }

  async step(word: string, words: readonly string[]) {
    if (words.length > 0) return false
    if (word === 'open') {
      this.#pages += 1
      this.device.reload(`${this.view.writer}-${this.#pages}`)
      await this.look()
      return true
    }
    if (!['on', 'off', 'cut', 'unanswered'].includes(word)) return word === 'close'
    this.#network = word
    if (word === 'on') await this.look()
    return true
  }
}
