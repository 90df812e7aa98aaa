/**
 * A device of the seeded walk: a browser with a network of its own, its buttons by their names, and what its
 * screen says, with the instant at which it said so.
 */
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { MAX_WAIT } from '@stint/testing/waits.ts'

import type { TestUser } from './backend.ts'
import { startFaultProxy } from './fault-proxy.ts'
import type { Fault, FaultProxy } from './fault-proxy.ts'
import { offlineReady, signIn } from './fixtures.ts'
import type { RunningServer } from './server.ts'

export interface Screen {
  readonly timer: { readonly task: string; readonly isRunning: boolean } | null
  readonly banner: { readonly text: string; readonly action: string | null } | null
  /** What is said of the network and of what is not sent; empty when all is well. */
  readonly connection: string
  /** The names of all buttons. */
  readonly buttons: readonly string[]
}

/** What the page tells; `timer` is missing where the page shows none, though one may run. */
type Note =
  | { readonly kind: 'click'; readonly at: number; readonly name: string }
  | (Omit<Screen, 'timer'> & {
      readonly kind: 'screen'
      readonly at: number
      readonly timer?: Screen['timer']
    })

interface Waiting {
  readonly holds: (screen: Screen) => boolean
  readonly done: (isSo: boolean) => void
}

/** From the first call on, so long every call is harmed: the browser itself tries a cut one again at once. */
const FAULT_MILLISECONDS = 250
/** What was on the screen a moment ago is still there, or is not waited for. */
const THERE_MILLISECONDS = 1500
const PRESS_MILLISECONDS = 8000
/** A page tells of a click at once. */
const TOLD_MILLISECONDS = 2000

export class WalkedDevice {
  readonly name: string
  isOnline = true
  /** Why presses came to nothing. */
  readonly missed: string[] = []
  /** What it said of errors that nobody caught. */
  readonly uncaught: string[] = []
  /** Told of a click that hit another button than it was meant for, because the screen had just changed, or came late. */
  onMishit: (at: number, name: string) => void = () => undefined
  onScreen: (at: number, screen: Screen) => void = () => undefined
  readonly #context: BrowserContext
  readonly #proxy: FaultProxy
  #page: Page | null = null
  #screen: Screen = { timer: null, banner: null, connection: '', buttons: [] }
  #onClick: ((at: number, name: string) => void) | null = null
  #waiting: readonly Waiting[] = []

  /** Opens the dashboard of a user who signs in, and waits until it can be opened without a network. */
  static async open(
    browser: Browser,
    server: RunningServer,
    user: TestUser,
    { name, tasks }: { name: string; tasks: readonly string[] },
  ): Promise<WalkedDevice> {
    const proxy = await startFaultProxy(server.url)
    const context = await browser.newContext({ baseURL: proxy.url, serviceWorkers: 'allow' })
    // Nothing may wait for ever: a walk that stands still says why.
    context.setDefaultTimeout(MAX_WAIT)
    const device = new WalkedDevice(name, context, proxy)
    await context.exposeBinding('tellWalk', (_, note: Note) => device.#hear(note))
    await context.addInitScript(watchScreen, tasks)
    const page = await device.#newPage()
    await signIn(page, user, proxy.url)
    await offlineReady(page)
    await device.until(({ buttons }) => buttons.includes(`Start ${tasks[0] ?? ''}`))
    return device
  }

  private constructor(name: string, context: BrowserContext, proxy: FaultProxy) {
    this.name = name
    this.#context = context
    this.#proxy = proxy
  }

  get page(): Page {
    if (!this.#page) throw new Error(`${this.name} is closed`)
    return this.#page
  }

  get isOpen(): boolean {
    return this.#page !== null
  }

  get screen(): Screen {
    return this.#screen
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /**
   * Presses something; `onClick` is called with the instant of the click, before the screen answers it.
   * Returns whether it was there to be pressed, and was hit.
   */
  async press(what: Locator, onClick: (at: number) => void = () => undefined): Promise<boolean> {
    let isHit = false
    try {
      const meant = await what.evaluate(nameOfButton, undefined, { timeout: THERE_MILLISECONDS })
      if (await what.isDisabled({ timeout: THERE_MILLISECONDS })) return false
      const hit = new Promise<string>((resolve) => {
        this.#onClick = (at, name) => {
          isHit = name === meant
          if (isHit) onClick(at)
          else this.onMishit(at, name)
          resolve(name)
        }
      })
      await what.click({ timeout: PRESS_MILLISECONDS })
      const name = await Promise.race([hit, after(TOLD_MILLISECONDS, null)])
      if (name === meant) return true
      this.missed.push(`${meant} was meant, and ${name ?? 'nothing'} was hit`)
      await this.page.keyboard.press('Escape')
      return false
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
      this.missed.push(error.message.slice(0, 200))
      return isHit
    } finally {
      this.#onClick = null
    }
  }

  /** Waits until the screen says so; false when it did not in time. */
  until(holds: (screen: Screen) => boolean, milliseconds: number = MAX_WAIT): Promise<boolean> {
    if (holds(this.#screen)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const done = (isSo: boolean) => {
        clearTimeout(timeout)
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        resolve(isSo)
      }
      const waiting = { holds, done }
      const timeout = setTimeout(() => done(false), milliseconds)
      this.#waiting = [...this.#waiting, waiting]
    })
  }

  async setOnline(isOnline: boolean): Promise<void> {
    this.isOnline = isOnline
    this.#proxy.setOnline(isOnline)
    await this.#context.setOffline(!isOnline)
  }

  /** The next calls on documents, all that are made at once, meet this fault. */
  harmNext(fault: Fault): void {
    let since: number | null = null
    this.#proxy.harm(() => {
      since ??= Date.now()
      return Date.now() - since < FAULT_MILLISECONDS ? fault : null
    })
  }

  spare(): void {
    this.#proxy.harm(() => null)
  }

  /** Loads the page again, without a network as well. */
  async reload(): Promise<void> {
    await this.page.goto('/dashboard')
    await this.#shown()
  }

  async closeTab(): Promise<void> {
    const { page } = this
    this.#page = null
    await page.close()
  }

  async openTab(): Promise<void> {
    const page = await this.#newPage()
    await page.goto('/dashboard')
    await this.#shown()
  }

  async close(): Promise<void> {
    await this.#context.close()
    await this.#proxy.close()
  }

  async #newPage(): Promise<Page> {
    const page = await this.#context.newPage()
    page.on('pageerror', (error) => this.uncaught.push(error.message))
    this.#page = page
    return page
  }

  /** Waits until the timer is on the screen, or the tasks that could be timed. */
  async #shown(): Promise<void> {
    await this.page.getByRole('region', { name: 'Timer' }).waitFor({ timeout: MAX_WAIT })
    await this.button(/^(Start|Running|Paused) /)
      .first()
      .waitFor({ timeout: MAX_WAIT })
  }

  #hear(note: Note): void {
    if (note.kind === 'click') {
      const onClick = this.#onClick
      this.#onClick = null
      // One that took too long counts all the same.
      return (onClick ?? this.onMishit)(note.at, note.name)
    }
    const { timer = this.#screen.timer, banner, connection, buttons, at } = note
    this.#screen = { timer, banner, connection, buttons }
    if (note.timer !== undefined) this.onScreen(at, this.#screen)
    for (const { holds, done } of this.#waiting) if (holds(this.#screen)) done(true)
  }
}

async function after<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds))
}

/** Runs in the page. */
function nameOfButton(button: Element): string {
  return button.getAttribute('aria-label') ?? button.textContent.trim().replaceAll(/\s+/g, ' ')
}

/**
 * Runs in the page: tells of each click, and of what the screen says whenever that changes. It reads what a
 * screen reader reads: regions, alerts, and buttons by their names.
 */
function watchScreen(tasks: readonly string[]): void {
  /* oxlint-disable unicorn/consistent-function-scoping -- in the page there is nothing outside of it */
  const tell = (note: unknown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Playwright put it there
    void (globalThis as unknown as { tellWalk: (note: unknown) => Promise<void> }).tellWalk(note)
  }
  const nameOf = (button: Element) =>
    button.getAttribute('aria-label') ?? button.textContent.trim().replaceAll(/\s+/g, ' ')
  const nameOfHit = ({ target }: MouseEvent) => {
    const hit = target instanceof Element ? target.closest('button, a, [role=option]') : null
    return hit ? nameOf(hit) : ''
  }
  const buttonsIn = (place: ParentNode) =>
    [...place.querySelectorAll('button:not([disabled])')].map(nameOf)
  let said = ''

  function timerOn(panel: Element | null): unknown {
    if (!panel) return undefined
    const buttons = buttonsIn(panel)
    if (buttons.includes('Stop')) {
      const task = tasks.find((each) => panel.textContent.includes(each)) ?? 'unknown'
      return { task, isRunning: buttons.includes('Pause') }
    }
    return panel.textContent.includes('Select a task below') ? null : undefined
  }

  function look(): void {
    const alerts = [...document.querySelectorAll('main [role=alert]')]
    const alert = alerts.find((each) => buttonsIn(each).includes('Dismiss'))
    const action = alert && buttonsIn(alert).find((name) => name !== 'Dismiss')
    const screen = {
      timer: timerOn(document.querySelector('section[aria-label="Timer"]')),
      banner: alert ? { text: alert.textContent, action: action ?? null } : null,
      connection: document.querySelector('output[aria-label="Connection"]')?.textContent ?? '',
      buttons: buttonsIn(document),
    }
    const saying = JSON.stringify(screen)
    if (saying === said) return
    said = saying
    tell({ kind: 'screen', at: Date.now(), ...screen })
  }

  addEventListener(
    'click',
    (event) => tell({ kind: 'click', at: Date.now(), name: nameOfHit(event) }),
    true,
  )
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['disabled', 'aria-label'],
  })
}
