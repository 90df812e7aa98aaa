/**
 * A seeded walk: random user actions and faults on three devices. A ledger records each press with
 * its time and what the screen showed. At every rest all devices are brought online and compared
 * with the server and the ledger.
 */
import type { APIRequestContext, Browser } from '@playwright/test'

import { createRandom } from '../web/src/test/simulation/random.ts'
import type { Random } from '../web/src/test/simulation/random.ts'
import type { Span } from '../web/src/test/simulation/spans.ts'
import { setPrefs, signInThroughApi } from './backend.ts'
import type { TestUser } from './backend.ts'
import type { Fault } from './fault-proxy.ts'
import { daysAgo, historyOf, iso } from './history.ts'
import { SavedSessions } from './saved-sessions.ts'
import type { Part, SavedSession } from './saved-sessions.ts'
import type { RunningServer } from './server.ts'
import { TimedSessions, TOLERANCE } from './timed-sessions.ts'
import { WalkedDevice } from './walked-device.ts'
import type { Screen } from './walked-device.ts'
import { readStored } from './walked-rows.ts'
import {
  cardsOn,
  clockOf,
  dateOf,
  instantOf,
  isGone,
  isoOf,
  readEditor,
  rowsOn,
  shows,
  textOf,
  totalsOn,
  undoButton,
  undoStopButton,
} from './walked-screen.ts'
import type { Row, Stored } from './walked-rows.ts'
import { unfold } from './task-page.ts'

export interface WalkOptions {
  readonly seed: number
  readonly rounds: number
  /** The number of rounds between two rests. */
  readonly restEvery: number
}

export interface Walked {
  readonly presses: number
  readonly rests: number
  readonly faults: number
  readonly entries: number
  readonly countedSeconds: number
  /** Presses whose button had disappeared. */
  readonly missed: number
}

const DEVICES = ['laptop', 'phone', 'tablet'] as const
/**
 * Each task is timed at most once between two rests, so that its name identifies the session that a
 * screen shows.
 */
const TIMED = [
  'Alder',
  'Beech',
  'Cedar',
  'Dogwood',
  'Elm',
  'Fir',
  'Ginkgo',
  'Hazel',
  'Ironwood',
  'Juniper',
  'Kauri',
  'Larch',
  'Maple',
  'Nutmeg',
]
/**
 * The tasks whose sessions are edited. Each has its own days; the number is how many days ago the
 * first is.
 */
const FIRST_DAY: ReadonlyMap<string, number> = new Map([
  ['Oak', 40],
  ['Pine', 20],
])
const MENDED = [...FIRST_DAY.keys()]
/** The number of hour-long sessions that fit into a day, and how many exist at first. */
const HOURS_A_DAY = 12
const FIRST_SLOTS = [0, 1, 2, 3, 4]

const REST_MILLISECONDS = 60_000
const FAULTS: readonly Fault[] = ['drop the request', 'drop the reply', 'answer late']
/** Undo is offered from a second of work on; this stays above. */
const MIN_UNDOABLE_MILLISECONDS = 1_500
/** A toast with Undo is visible for ten seconds; this stays below. */
const UNDO_MILLISECONDS = 6000

interface Deed {
  readonly weight: number
  readonly name: string
  /** Returns false if there was nothing to press. */
  readonly run: () => Promise<boolean>
}

/** What Undo would undo on a device. */
type Undoable =
  | {
      readonly kind: 'stop'
      readonly task: string
      readonly at: number
      /** Whether the device showed the timer running when it was stopped. */
      readonly wasRunning: boolean
    }
  | { readonly kind: 'edit'; readonly session: SavedSession; readonly at: number }

/** A violation, with all steps before it. */
class WalkError extends Error {}

export class Walk {
  readonly log: string[] = []
  readonly request: APIRequestContext
  readonly #server: RunningServer
  readonly #options: WalkOptions
  readonly #devices: readonly WalkedDevice[]
  readonly #names: ReadonlyMap<string, string>
  readonly #begunAt = Date.now()
  readonly #timed = new TimedSessions(DEVICES.length, (instant) => this.#clock(instant))
  readonly #saved = new SavedSessions()
  /** What the last successful comparison found. The next comparisons expect its rows unchanged. */
  #rested: Stored | null = null
  readonly #undoable: (Undoable | null)[] = DEVICES.map(() => null)
  #random: Random
  #slots = FIRST_SLOTS.length
  #presses = 0
  #missed = 0
  #faults = 0
  #rests = 0

  /** Creates the user's tasks and opens the devices. */
  static async open(
    browser: Browser,
    request: APIRequestContext,
    server: RunningServer,
    user: TestUser,
    options: WalkOptions,
  ): Promise<Walk> {
    await signInThroughApi(request, server.url, user)
    const history = historyOf({ request }, server, user)
    const names = new Map<string, string>()
    // The newest tasks are first in each list, where no message covers them.
    for (const name of [...TIMED, ...MENDED]) names.set(await history.task(name), name)
    // Quick Start shows eight tasks, and those that are pinned.
    await setPrefs(request, server.url, { pinnedTasks: [...names.keys()] })
    const idOf = (task: string) => [...names].find(([, name]) => name === task)?.[0] ?? ''
    for (const task of MENDED) {
      for (const slot of FIRST_SLOTS) {
        const { start, end } = slotOf(task, slot)
        await history.entry(idOf(task), isoOf(start), isoOf(end))
      }
    }
    const devices: WalkedDevice[] = []
    for (const name of DEVICES) {
      devices.push(await WalkedDevice.open(browser, server, user, { name, tasks: TIMED }))
    }
    return new Walk(request, server, devices, names, options)
  }

  private constructor(
    request: APIRequestContext,
    server: RunningServer,
    devices: readonly WalkedDevice[],
    names: ReadonlyMap<string, string>,
    options: WalkOptions,
  ) {
    this.request = request
    this.#server = server
    this.#devices = devices
    this.#names = names
    this.#options = options
    this.#random = createRandom(options.seed)
    for (const [index, device] of devices.entries()) {
      device.onScreen = (at, screen) => this.#see(index, at, screen)
      device.onMishit = (at, name) => this.#hit(index, at, name)
    }
    for (const task of MENDED) {
      for (const slot of FIRST_SLOTS) this.#saved.add(task, slotOf(task, slot), null)
    }
  }

  /** Walks all rounds. Throws the first violation with all steps. */
  async go(): Promise<Walked> {
    const { seed, rounds, restEvery } = this.#options
    let rows: readonly Row[] = []
    for (let round = 1; round <= rounds; round += 1) {
      // Each round has its own random numbers, so that one round does not shift the next.
      this.#random = createRandom(seed * 100_003 + round)
      await this.#round(round)
      if (round % restEvery === 0 || round === rounds) rows = await this.rest()
    }
    return {
      presses: this.#presses,
      rests: this.#rests,
      faults: this.#faults,
      entries: rows.length,
      countedSeconds: Math.round(rows.reduce((sum, { seconds }) => sum + seconds, 0)),
      missed: this.#missed,
    }
  }

  /**
   * Times a task that was not timed since the last rest for so many seconds, and compares. Returns
   * its row.
   */
  async time(seconds: number): Promise<Row> {
    this.#leaveRest()
    const device = this.#deviceAt(0)
    const { timer } = device.screen
    if (timer) await this.#turn(0, 'Stop', timer.task)
    const task = TIMED.find((each) => !this.#timed.has(each)) ?? ''
    await this.#start(0, task)
    await works(seconds * 1000)
    await this.#turn(0, 'Stop', task)
    const row = (await this.rest()).findLast(
      (each) => each.task === task && !this.#timed.isSettled(each.id),
    )
    if (!row) throw this.failure([`${task} was timed, and is nowhere`])
    return row
  }

  /** Closes all devices. The server can still be read. */
  async close(): Promise<void> {
    for (const device of this.#devices) await device.close()
  }

  async #round(round: number): Promise<void> {
    this.#leaveRest()
    const index = this.#random.between(0, DEVICES.length - 1)
    const device = this.#deviceAt(index)
    const deeds = device.isOpen ? this.#deeds(index, device) : this.#deedsWhileClosed(device)
    let left = this.#random.next() * deeds.reduce((sum, { weight }) => sum + weight, 0)
    const deed = deeds.find(({ weight }) => (left -= weight) < 0) ?? deeds[0]
    if (!deed) return
    this.#note(`${round}. ${device.name}: ${deed.name}`)
    const isDone = await deed.run().catch((error: unknown) => {
      if (error instanceof WalkError) throw error
      throw this.failure([`${device.name}: ${String(error)}`])
    })
    if (isDone) this.#presses += 1
    else {
      this.#missed += 1
      this.#note(`   came to nothing ${device.missed.splice(0).join(' ').slice(0, 600)}`)
    }
    if (device.isOpen) await this.#backToDashboard(device)
  }

  #deedsWhileClosed(device: WalkedDevice): Deed[] {
    return [
      { weight: 3, name: 'opens the tab', run: () => this.#openTab(device) },
      { weight: 1, name: 'works for a second', run: () => works(1000) },
    ]
  }

  /** Returns all possible actions on the current screen. */
  #deeds(index: number, device: WalkedDevice): Deed[] {
    const { screen, isOnline } = device
    const deeds: Deed[] = []
    const add = (weight: number, name: string, run: () => Promise<boolean>) =>
      void deeds.push({ weight, name, run })
    const fresh = TIMED.filter((task) => !this.#timed.has(task))
    const task = fresh[this.#random.between(0, fresh.length - 1)]
    const { timer } = screen
    if (timer) {
      add(5, `stops ${timer.task}`, () => this.#turn(index, 'Stop', timer.task))
      const turn = timer.isRunning ? 'Pause' : 'Resume'
      add(7, `presses ${turn} on ${timer.task}`, () => this.#turn(index, turn, timer.task))
      if (task !== undefined) {
        add(2, `switches from ${timer.task} to ${task}`, () => this.#switch(index, task))
      }
    } else if (task !== undefined) {
      add(12, `starts ${task}`, () => this.#start(index, task))
    }
    add(4, 'works for a while', () => works(this.#random.between(500, 2500)))
    this.#addAnswers(index, add)
    this.#addUndo(index, add)
    if (isOnline) {
      add(2, 'loses the network', () => this.#setOnline(device, false))
      const fault = FAULTS[this.#random.between(0, FAULTS.length - 1)] ?? 'drop the request'
      add(3, `next call: ${fault}`, async () => {
        device.harmNext(fault)
        this.#faults += 1
        return true
      })
    } else {
      add(4, 'has a network again', () => this.#setOnline(device, true))
    }
    add(1, 'loads the page again', () => this.#reload(index))
    add(1, 'closes the tab', () => this.#closeTab(index))
    add(1, 'looks at the reports', () => this.#goTo(device, 'Reports'))
    add(1, 'looks at the data', () => this.#lookAtData(device))
    add(5, 'mends a session', () => this.#mend(index))
    add(1, 'adds a session', () => this.#addTime(index))
    const stopped = this.#timed
      .tasks()
      .filter(
        (each) =>
          each !== timer?.task &&
          this.#timed.workOf(each)?.turns.some(({ kind }) => kind === 'stop'),
      )
    const over = stopped[this.#random.between(0, stopped.length - 1)]
    if (over !== undefined)
      add(1, `deletes what ${over} was timed`, () => this.#delete(index, over))
    return deeds
  }

  #addAnswers(
    index: number,
    add: (weight: number, name: string, run: () => Promise<boolean>) => void,
  ): void {
    const { banner, buttons } = this.#deviceAt(index).screen
    if (banner) {
      const { action } = banner
      if (action !== null && this.#deviceAt(index).screen.timer === null) {
        add(6, `'${banner.text}': presses it`, () => this.#pressBanner(index))
      }
      add(1, `dismisses '${banner.text}'`, () => this.#dismiss(index))
    }
    if (cardsOn(this.#deviceAt(index).screen) > 0) {
      add(4, 'counts what a card asks about', () => this.#answerCard(index, true))
      add(1, 'leaves out what a card asks about', () => this.#answerCard(index, false))
    }
    for (const name of ['Keep all', 'Review'] as const) {
      if (buttons.includes(name)) {
        add(2, `${name} of what shares time`, () => this.#pressOverlaps(index, name))
      }
    }
    for (const answer of ['Trim the earlier', 'Trim the later', 'Keep both']) {
      if (buttons.includes(answer)) {
        add(2, `${answer} of two that share time`, () => this.#answerOverlap(index, answer))
      }
    }
  }

  #addUndo(
    index: number,
    add: (weight: number, name: string, run: () => Promise<boolean>) => void,
  ): void {
    const undoable = this.#undoable[index]
    const { screen } = this.#deviceAt(index)
    if (!undoable || Date.now() - undoable.at > UNDO_MILLISECONDS) return
    if (!screen.buttons.includes('Undo')) return
    if (undoable.kind === 'edit') {
      return add(8, `undoes the edit of ${undoable.session.task}`, () => this.#undoEdit(index))
    }
    // What was compared at a rest must not change any more.
    if (screen.timer === null && this.#timed.has(undoable.task)) {
      add(8, `takes up ${undoable.task} again`, () => this.#undoStop(index, undoable))
    }
  }

  // What is pressed on the timer.

  async #start(index: number, task: string): Promise<boolean> {
    const device = this.#deviceAt(index)
    const pressed = await device.press(device.button(`Start ${task}`), (at) => {
      this.#timed.begin(index, task, at)
    })
    if (!pressed) return false
    await this.#expect(
      device,
      (screen) => screen.timer?.task === task || screen.banner !== null,
      `shows ${task}`,
    )
    return true
  }

  async #switch(index: number, task: string): Promise<boolean> {
    const device = this.#deviceAt(index)
    if (!(await device.press(device.button('Switch task')))) return false
    const dialog = device.page.getByRole('dialog', { name: 'Start a task' })
    const field = dialog.getByRole('combobox')
    if (!(await shows(field))) return false
    await field.fill(task)
    const option = dialog.getByRole('option', { name: task })
    const pressed = await device.press(option, (at) => {
      const { timer } = device.screen
      if (timer) this.#timed.change('stop', timer.task, at)
      this.#timed.begin(index, task, at)
    })
    if (!pressed) {
      await device.page.keyboard.press('Escape')
      return false
    }
    await this.#expect(
      device,
      (screen) => screen.timer?.task === task || screen.banner !== null,
      `shows ${task}`,
    )
    return true
  }

  async #turn(index: number, name: 'Pause' | 'Resume' | 'Stop', task: string): Promise<boolean> {
    const device = this.#deviceAt(index)
    const panel = device.page.getByRole('region', { name: 'Timer' })
    const kind = name === 'Pause' ? 'pause' : name === 'Resume' ? 'resume' : 'stop'
    const button = panel.getByRole('button', { name, exact: true })
    let before: Screen['timer'] = null
    const pressed = await device.press(button, (at) => {
      before = device.screen.timer
      // Another button may have appeared in the same place.
      const pressed = before?.task ?? task
      this.#timed.change(kind, pressed, at)
      if (kind !== 'stop') return
      // A stop with nothing to save offers no Undo, and leaves the one before it on the screen.
      const isOffered = this.#timed.worked(pressed, at) > MIN_UNDOABLE_MILLISECONDS
      const wasRunning = before?.isRunning === true
      this.#undoable[index] = isOffered ? { kind: 'stop', task: pressed, at, wasRunning } : null
    })
    if (!pressed) return false
    await this.#expect(
      device,
      ({ timer }) => JSON.stringify(timer) !== JSON.stringify(before),
      `takes ${name}`,
    )
    return true
  }

  async #undoStop(
    index: number,
    { task, wasRunning }: Extract<Undoable, { kind: 'stop' }>,
  ): Promise<boolean> {
    const device = this.#deviceAt(index)
    this.#undoable[index] = null
    const pressed = await device.press(undoStopButton(device), (at) => {
      // A timer that ran when it was stopped is shown running as of the press.
      if (wasRunning) this.#timed.runs(index, task, at)
    })
    if (!pressed) return false
    await this.#expect(device, ({ timer }) => timer?.task === task, `goes on with ${task}`)
    return true
  }

  /** Records that another button was hit than intended; its effect counts. */
  #hit(index: number, at: number, name: string): void {
    this.#note(`   ${this.#deviceAt(index).name} hits '${name}'`)
    const { timer } = this.#deviceAt(index).screen
    const task = TIMED.find((each) => name === `Start ${each}` || name === `Switch to ${each}`)
    if (task !== undefined) {
      if (timer) this.#timed.change('stop', timer.task, at)
      return this.#timed.begin(index, task, at)
    }
    if (timer && name === 'Pause') return this.#timed.change('pause', timer.task, at)
    if (timer && name === 'Resume') return this.#timed.change('resume', timer.task, at)
    if (timer && name === 'Stop') return this.#timed.change('stop', timer.task, at)
    // The answer to an unknown question, so the expected result is unknown.
    if (/^(Count|Leave out|Keep|Discard|Trim|Undo|Track)/.test(name)) this.#timed.releaseAll()
  }

  // Answers.

  async #pressBanner(index: number): Promise<boolean> {
    const device = this.#deviceAt(index)
    const before = device.screen.banner
    const name = before?.action ?? ''
    const button = device.page.getByRole('alert').getByRole('button', { name, exact: true })
    if (!(await device.press(button))) return false
    // A stop before it, which could not be saved yet, may be told next.
    await this.#expect(
      device,
      ({ timer, banner }) => timer !== null && banner?.text !== before?.text,
      'goes on',
    )
    return true
  }

  async #dismiss(index: number): Promise<boolean> {
    const device = this.#deviceAt(index)
    const { banner } = device.screen
    const button = device.page.getByRole('alert').getByRole('button', { name: 'Dismiss' })
    if (!(await device.press(button))) return false
    await this.#expect(device, (screen) => screen.banner?.text !== banner?.text, 'dismisses it')
    return true
  }

  async #answerCard(index: number, isWork: boolean): Promise<boolean> {
    const device = this.#deviceAt(index)
    const cards = device.page.getByRole('region', { name: /^Did you work for/ })
    const card = cards.first()
    const text = await textOf(card)
    if (text === null) return false
    const task = TIMED.find((each) => text.includes(each)) ?? ''
    const button = card.getByRole('button', { name: isWork ? /^Count/ : 'Leave out' })
    const pressed = await device.press(button, (at) => this.#timed.answer(task, isWork, at))
    if (!pressed) return false
    this.#note(`   ${text.slice(0, 60)}`)
    // Another card may come at the same moment.
    if (await isGone(cards.filter({ hasText: text }).first())) return true
    throw this.failure([`${device.name} was pressed, and nothing takes the answer`])
  }

  /** Keeps all of several overlaps, or opens them. */
  async #pressOverlaps(index: number, name: 'Keep all' | 'Review'): Promise<boolean> {
    const device = this.#deviceAt(index)
    this.#undoable[index] = null
    if (!(await device.press(device.button(name).first()))) return false
    await this.#expect(device, ({ buttons }) => !buttons.includes(name), 'takes the answer')
    return true
  }

  async #answerOverlap(index: number, answer: string): Promise<boolean> {
    const device = this.#deviceAt(index)
    const region = device.page.getByRole('region', { name: /sessions overlap/ })
    const finding = region
      .getByRole('listitem')
      .filter({ has: device.page.getByRole('button', { name: answer }) })
      .first()
    const text = await textOf(finding)
    if (text === null) return false
    const before = device.screen.buttons.filter((name) => name === answer).length
    this.#undoable[index] = null
    const pressed = await device.press(finding.getByRole('button', { name: answer }), (at) => {
      if (answer !== 'Keep both') this.#timed.trim(text, at)
    })
    if (!pressed) return false
    await this.#expect(
      device,
      ({ buttons }) => buttons.filter((name) => name === answer).length < before,
      'takes the answer',
    )
    return true
  }

  // The device.

  async #setOnline(device: WalkedDevice, isOnline: boolean): Promise<boolean> {
    await device.setOnline(isOnline)
    return true
  }

  async #reload(index: number): Promise<boolean> {
    this.#undoable[index] = null
    await this.#deviceAt(index).reload()
    return true
  }

  async #closeTab(index: number): Promise<boolean> {
    this.#undoable[index] = null
    await this.#deviceAt(index).closeTab()
    this.#timed.ledger.power(index, Date.now(), false)
    return true
  }

  async #openTab(device: WalkedDevice): Promise<boolean> {
    await device.openTab()
    this.#timed.ledger.power(this.#devices.indexOf(device), Date.now(), true)
    return true
  }

  async #goTo(device: WalkedDevice, name: string): Promise<boolean> {
    const link = device.page.getByRole('navigation').getByRole('link', { name, exact: true })
    if (!(await device.press(link))) return false
    return shows(device.page.getByRole('heading', { level: 1 }).first())
  }

  async #lookAtData(device: WalkedDevice): Promise<boolean> {
    if (!(await this.#goTo(device, 'Reports'))) return false
    const link = device.page.getByRole('main').getByRole('link', { name: 'Export' })
    if (!(await device.press(link.first()))) return false
    return shows(device.page.getByRole('heading', { name: 'Import' }).first())
  }

  async #backToDashboard(device: WalkedDevice): Promise<void> {
    if (new URL(device.page.url()).pathname === '/dashboard') return
    await this.#goTo(device, 'Dashboard')
    await this.#expect(
      device,
      ({ buttons }) => buttons.some((name) => name === 'Add time' || name === 'Edit timer'),
      'is back on the dashboard',
    )
  }

  // What was saved.

  async #openTask(device: WalkedDevice, task: string): Promise<boolean> {
    if (!(await this.#goTo(device, 'Tasks'))) return false
    const link = device.page.getByRole('link', { name: task, exact: true })
    if (!(await device.press(link))) return false
    // A task may have no sessions left.
    const none = device.page.getByText('No sessions yet')
    await shows(rowsOn(device).or(none).first())
    return (await rowsOn(device).count()) > 0
  }

  async #mend(index: number): Promise<boolean> {
    const device = this.#deviceAt(index)
    const task = MENDED[this.#random.between(0, MENDED.length - 1)] ?? ''
    if (!(await this.#openTask(device, task))) return false
    const row = rowsOn(device).nth(this.#random.between(0, (await rowsOn(device).count()) - 1))
    if (!(await device.press(row.getByRole('button', { name: /^Edit/ })))) return false
    const editor = device.page.getByRole('dialog', { name: 'Edit session' })
    const part = await readEditor(editor)
    const session = this.#saved.at(task, part.start)
    if (!session) {
      await device.press(editor.getByRole('button', { name: 'Cancel' }))
      return false
    }
    const minutes = (part.end - part.start) / 60_000
    const ways = [
      'note',
      ...(minutes >= 20 ? ['split', 'split', 'start'] : []),
      ...(this.#random.next() < 0.3 ? ['delete'] : []),
    ]
    const way = ways[this.#random.between(0, ways.length - 1)] ?? 'note'
    this.#note(`   ${way} of ${task} ${isoOf(part.start)}`)
    const change = (after: readonly Part[]) => (at: number) => {
      this.#saved.change(session, part, after, index)
      this.#undoable[index] = { kind: 'edit', session, at }
    }
    const save = editor.getByRole('button', { name: 'Save' })
    let pressed = false
    let closing = editor
    switch (way) {
      case 'note': {
        const note = `note ${this.#presses}`
        await editor.getByLabel('Note').fill(note)
        pressed = await device.press(save, change([{ ...part, note }]))
        break
      }
      case 'start': {
        const start = part.start + 600_000
        await editor.getByLabel('Start').fill(clockOf(start))
        pressed = await device.press(save, change([{ ...part, start }]))
        break
      }
      case 'split': {
        await editor.getByRole('button', { name: 'Split session' }).click()
        const form = device.page.getByRole('dialog', { name: 'Split session' })
        closing = form
        const at = instantOf(part.start, await form.getByLabel('Split at').inputValue())
        const parts = [
          { ...part, end: at },
          { ...part, start: at },
        ]
        pressed = await device.press(
          form.getByRole('button', { name: 'Split', exact: true }),
          change(parts),
        )
        break
      }
      case 'delete':
        pressed = await device.press(editor.getByRole('button', { name: 'Delete' }), change([]))
    }
    if (!pressed || !(await isGone(closing))) {
      throw this.failure([`${device.name}: the editor does not take it: ${way}`])
    }
    return true
  }

  /** Deletes the session that was timed since the last rest, if this device has it. */
  async #delete(index: number, task: string): Promise<boolean> {
    const device = this.#deviceAt(index)
    if (!(await this.#openTask(device, task))) return false
    const row = rowsOn(device).first()
    if (!(await device.press(row.getByRole('button', { name: /^Edit/ })))) return false
    const editor = device.page.getByRole('dialog', { name: 'Edit session' })
    const { start } = await readEditor(editor)
    const work = this.#timed.workOf(task)
    if (!work || Math.abs(start - work.startedAt) > TOLERANCE) {
      await device.press(editor.getByRole('button', { name: 'Cancel' }))
      return false
    }
    this.#undoable[index] = null
    const pressed = await device.press(editor.getByRole('button', { name: 'Delete' }), () => {
      this.#timed.release(task)
    })
    return pressed && isGone(editor)
  }

  async #addTime(index: number): Promise<boolean> {
    const device = this.#deviceAt(index)
    const task = MENDED[this.#random.between(0, MENDED.length - 1)] ?? ''
    if (!(await this.#openTask(device, task))) return false
    const span = slotOf(task, this.#slots)
    this.#undoable[index] = null
    this.#slots += 1
    if (!(await device.press(device.button('Add time').last()))) return false
    const editor = device.page.getByRole('dialog', { name: 'Add time' })
    await unfold(editor)
    await editor.getByLabel('Date').fill(dateOf(span.start))
    await editor.getByLabel('Start').fill(clockOf(span.start))
    await editor.getByLabel('End').fill(clockOf(span.end))
    const save = editor.getByRole('button', { name: 'Save' })
    const pressed = await device.press(save, () => {
      this.#saved.add(task, span, index)
    })
    if (!pressed || !(await isGone(editor)))
      throw this.failure([`${device.name}: the editor does not take it: add`])
    return true
  }

  async #undoEdit(index: number): Promise<boolean> {
    const device = this.#deviceAt(index)
    const undoable = this.#undoable[index]
    this.#undoable[index] = null
    if (undoable?.kind !== 'edit') return false
    return device.press(undoButton(device), () => {
      this.#saved.undo(undoable.session, index)
    })
  }

  // At rest.

  /** Brings all devices online, answers all questions, and compares. Throws violations. */
  async rest(): Promise<readonly Row[]> {
    const deadline = Date.now() + REST_MILLISECONDS
    this.#note('rest')
    for (const device of this.#devices) {
      device.spare()
      await device.setOnline(true)
      if (!device.isOpen) await this.#openTab(device)
    }
    let before = ''
    for (;;) {
      await this.#answerAll()
      const stored = await readStored(this.request, this.#server, this.#names)
      const { rows } = stored
      const problems = [...(await this.#different(rows)), ...this.#problems(stored)]
      const seen = JSON.stringify(rows.filter(({ isRunning }) => isRunning === null))
      // What was just answered may be on its way to the server.
      if (problems.length === 0 && seen === before) {
        this.#rests += 1
        this.#rested = stored
        return rows
      }
      if (problems.length > 0 && Date.now() > deadline) throw this.failure(problems)
      before = seen
      await works(250)
    }
  }

  /** Returns the violations in the server's rows, as a rest would report them. */
  async look(): Promise<readonly string[]> {
    return this.#problems(await readStored(this.request, this.#server, this.#names))
  }

  failure(problems: readonly string[]): WalkError {
    const { seed } = this.#options
    return new WalkError(
      [`SEED=${seed}`, ...problems, ...this.#screens(), '', 'What was done:', ...this.log].join(
        '\n',
      ),
    )
  }

  #screens(): string[] {
    return this.#devices.map(({ name, screen, uncaught, isOnline, missed }) => {
      const { timer, banner, connection } = screen
      return `   ${name} ${JSON.stringify({ isOnline, timer, banner, connection, uncaught, missed })}`
    })
  }

  async #answerAll(): Promise<void> {
    for (const [index, device] of this.#devices.entries()) {
      const { banner, buttons, connection } = device.screen
      if (banner?.action === 'Track offline' && !device.screen.timer) {
        this.#note(`   ${device.name}: ${banner.text}`)
        await this.#pressBanner(index)
      } else if (banner) await this.#dismiss(index)
      else if (cardsOn(device.screen) > 0) await this.#answerCard(index, true)
      else if (buttons.includes('Keep all')) await this.#pressOverlaps(index, 'Keep all')
      else if (buttons.includes('Keep both')) await this.#answerOverlap(index, 'Keep both')
      else if (connection !== '' && buttons.includes('Retry')) {
        await device.press(device.button('Retry').first())
      }
    }
  }

  /** Returns what the devices show and the server does not have. */
  async #different(rows: readonly Row[]): Promise<string[]> {
    const problems: string[] = []
    const active = rows.find(({ isRunning }) => isRunning !== null)
    const must = active
      ? `${active.task} ${active.isRunning ? 'runs' : 'is paused'}`
      : 'nothing runs'
    for (const device of this.#devices) {
      const { timer, connection, banner, buttons } = device.screen
      const shown = timer
        ? `${timer.task} ${timer.isRunning ? 'runs' : 'is paused'}`
        : 'nothing runs'
      if (shown !== must) problems.push(`${device.name} shows that ${shown}, and ${must}`)
      if (connection !== '') problems.push(`${device.name} says '${connection}'`)
      if (banner) problems.push(`${device.name} says '${banner.text}'`)
      const isAsked = buttons.includes('Keep both') || buttons.includes('Keep all')
      if (cardsOn(device.screen) > 0 || isAsked) {
        problems.push(`${device.name} asks`)
      }
      for (const [task, seconds] of await totalsOn(device)) {
        const its = rows.filter((row) => row.task === task)
        const stored = its.reduce((sum, row) => sum + row.seconds, 0)
        const isActive = its.some(({ isRunning }) => isRunning !== null)
        if (Math.abs(seconds - stored) <= (isActive ? 2.5 : 0)) continue
        problems.push(
          `${device.name} shows ${seconds} s of ${task}, and the server has ${stored} s`,
        )
      }
      for (const error of device.uncaught) problems.push(`${device.name} throws '${error}'`)
    }
    return problems
  }

  #problems(stored: Stored): string[] {
    const mended = stored.rows.filter(isMended)
    return [...this.#timed.problems(timedOf(stored), Date.now()), ...this.#saved.problems(mended)]
  }

  #leaveRest(): void {
    if (!this.#rested) return
    this.#timed.settle(timedOf(this.#rested))
    this.#saved.settle(this.#rested.rows.filter(isMended))
    this.#rested = null
  }

  #see(index: number, at: number, { timer }: Screen): void {
    this.#timed.see(index, at, timer)
  }

  async #expect(
    device: WalkedDevice,
    holds: (screen: Screen) => boolean,
    what: string,
  ): Promise<void> {
    if (await device.until(holds)) return
    throw this.failure([`${device.name} was pressed, and nothing ${what}`])
  }

  #deviceAt(index: number): WalkedDevice {
    const device = this.#devices[index]
    if (!device) throw new RangeError(`There is no device ${index}`)
    return device
  }

  #note(what: string): void {
    this.log.push(`${this.#clock(Date.now()).padStart(9)} ${what}`)
  }

  #clock(instant: number): string {
    return `${((instant - this.#begunAt) / 1000).toFixed(1)} s`
  }
}

/** Waits for so long while a timer may run. */
async function works(milliseconds: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  return true
}

/** Returns the hour with which a session of a task begins. */
function slotOf(task: string, slot: number): Span {
  const days = (FIRST_DAY.get(task) ?? 0) - Math.floor(slot / HOURS_A_DAY)
  const hour = String(8 + (slot % HOURS_A_DAY)).padStart(2, '0')
  const start = Date.parse(iso(`${daysAgo(days)} ${hour}:00`))
  return { start, end: start + 3_600_000 }
}

/** Returns what the server has of the tasks that are timed. */
function timedOf({ rows, presses }: Stored): Stored {
  return { rows: rows.filter((row) => !isMended(row)), presses }
}

function isMended({ task }: Row): boolean {
  return FIRST_DAY.has(task)
}
