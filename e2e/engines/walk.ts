/**
 * A short walk through the product that any engine must pass: it signs up, types and goes, reloads,
 * navigates quickly, works offline, reads the reports, and signs out while the timer runs.
 */
import { PASSWORD } from '../backend.ts'
import { recordsLeft } from '../records-left.ts'
import type { RunningServer } from '../server.ts'

import type { Browser } from './browser.ts'

/** The longest time for one step, in milliseconds. */
const STEP_MILLISECONDS = 10_000
/** How many quick navigations there are. Each fourth must show its page; others are left at once. */
const NAVIGATIONS = 40
const PAGES = [
  ['/dashboard', 'Quick Start'],
  ['/reports', 'Task Breakdown'],
  ['/settings', 'Appearance'],
  ['/data', 'Import'],
  ['/sessions', 'Sessions'],
] as const

const ENTER = '\uE007'
const RUNNING = "//button[@aria-label='Running Write']"
const START_FIELD = "//input[@role='combobox']"
const field = (label: string) => `//*[@id=//label[normalize-space()='${label}']/@for]`
const button = (name: string) =>
  `//*[self::button or self::a][@aria-label='${name}' or (not(@aria-label) and normalize-space()='${name}')][not(@disabled)]`

/** Walks through the app at `url`, which `server` serves. Throws with the page's text at a failure. */
export async function walk(browser: Browser, url: string, server: RunningServer): Promise<void> {
  await browser.open(`${url}/signup`)
  await signUp('ada@example.com')

  // A press counts although the page is left at once.
  await type(START_FIELD, `Write${ENTER}`)
  await shows(button('Stop'))
  await leave('location.reload()')
  await shows(button('Stop'))
  await shows("//*[@role='timer'][not(contains(., '00:00'))]")
  await float()
  await press('Stop')
  await shows(button('Start Write'))
  for (let times = 0; times < 3; times++) {
    // A press counts as soon as the page has its button.
    await leave('location.reload()')
    await press('Start Write')
    await shows(RUNNING)
    await leave('location.reload()')
    await press('Stop')
    await shows(button('Start Write'))
  }

  for (let index = 0; index < NAVIGATIONS; index++) await go(index, index % 4 === 3)
  // A page that the browser kept for Back is loaded again.
  await go(0, true)
  await leave("location.assign('/reports')")
  await leave('history.back()')
  await go(0, true)
  await press('Start Write')
  await press('Stop')

  await press('Start Write')
  await shows(RUNNING)
  await shows("//body[not(contains(., 'Creating...'))]")
  await server.stop()
  await reloadOffline()
  await press('Stop')
  await shows(button('Start Write'))
  await go(1, true)
  await shows("//section[.//h2='Task Breakdown']//*[normalize-space()='Write']")
  await server.start()

  // A sign-out ends whatever was left behind, and the same person or another can sign in.
  await go(0, true)
  await press('Start Write')
  await shows(RUNNING)
  for (let index = 0; index < NAVIGATIONS / 4; index++) await go(index, false)
  await go(0, true)
  await signOut()
  await signIn('ada@example.com')
  await shows(RUNNING)
  await signOut()
  await leave("location.assign('/signup')")
  await signUp('bea@example.com')
  await shows(START_FIELD)

  async function signOut(): Promise<void> {
    await press('Sign Out')
    await press('Keep it running and sign out')
    await shows(button('Sign In'))
    await retry(async () => {
      const left = await browser.evaluate(`(${String(recordsLeft)})().then(JSON.stringify)`)
      if (left !== '[]') throw new Error(`The browser still has ${String(left)}`)
    })
  }

  async function signIn(email: string): Promise<void> {
    await type(field('Email Address'), email)
    await type(field('Password'), PASSWORD)
    await press('Sign In')
  }

  /** Opens the floating timer where the browser has such a window. */
  async function float(): Promise<void> {
    const canFloat = await browser.evaluate(`'documentPictureInPicture' in window`)
    if (canFloat !== browser.canFloat) throw new Error(`The floating timer: ${String(canFloat)}`)
    if (!browser.canFloat) return
    await press('Open floating timer')
    await retry(async () => {
      const text = await browser.evaluate('documentPictureInPicture.window.document.body.innerText')
      if (!String(text).includes('Write'))
        throw new Error(`The floating timer shows ${String(text)}`)
    })
    await browser.evaluate('documentPictureInPicture.window.close()')
  }

  async function signUp(email: string): Promise<void> {
    // The prerendered form takes no text yet.
    await retry(async () => {
      const root = "Object.keys(document.getElementById('root')).join()"
      if (!String(await browser.evaluate(root)).includes('__react')) throw new Error('Not live yet')
    })
    await type(field('Full Name'), 'Ada Lovelace')
    await type(field('Email Address'), email)
    await type(field('Password'), PASSWORD)
    await type(field('Confirm Password'), PASSWORD)
    await retry(() => browser.click("//input[@type='checkbox']"))
    await press('Create Account')
  }

  async function go(index: number, stays: boolean): Promise<void> {
    const [path, text] = PAGES[index % PAGES.length] ?? PAGES[0]
    const assign = `void (location.pathname === '${path}' || location.assign('${path}'))`
    await retry(() => browser.evaluate(assign))
    if (!stays) return
    // The browser may drop a navigation that begins while another one ends.
    await retry(async () => {
      if ((await browser.evaluate('location.pathname')) === path) return
      await browser.evaluate(assign)
      throw new Error(`${path} does not open`)
    }, 1000)
    await shows(`//main//*[normalize-space()='${text}']`)
  }

  /** Leaves the page by a script, again if the browser drops that, and waits until it is gone. */
  async function leave(by: string): Promise<void> {
    let begunAt: number | null = null
    await retry(async () => {
      if (begunAt !== null && !(await browser.evaluate('window.isLeft'))) return
      if (begunAt === null || Date.now() - begunAt > STEP_MILLISECONDS / 3) {
        await browser.evaluate(`void (window.isLeft = true, setTimeout(() => ${by}))`)
        begunAt = Date.now()
      }
      throw new Error('The page is still there')
    })
  }

  /**
   * Reloads the page from the service worker. WebKit asks the network instead if it is just ending the idle
   * worker, and shows an error: then a person opens the app again.
   */
  async function reloadOffline(): Promise<void> {
    await leave('location.reload()')
    await shows("//*[@id='root']").catch(() => browser.open(`${url}/dashboard`))
  }

  function press(name: string): Promise<void> {
    return input(() => browser.click(button(name)))
  }

  function type(xpath: string, text: string): Promise<void> {
    return input(() => browser.type(xpath, text))
  }

  /** Repeats the input while there is no such element, but not because the browser is slow. */
  function input(step: () => Promise<void>): Promise<void> {
    return retry(step, 50, STEP_MILLISECONDS)
  }

  function shows(xpath: string): Promise<void> {
    const found = `document.evaluate(${JSON.stringify(xpath)}, document, null, 9).singleNodeValue`
    return retry(async () => {
      if (!(await browser.evaluate(`${found} !== null`))) throw new Error(`There is no ${xpath}`)
    })
  }

  /** Repeats the step until it succeeds. Gives up one that takes longer than `patience`, and repeats it. */
  async function retry(
    step: () => Promise<unknown>,
    pause = 50,
    patience = STEP_MILLISECONDS / 4,
  ): Promise<void> {
    const end = Date.now() + STEP_MILLISECONDS
    for (;;) {
      try {
        await Promise.race([step(), tooLong(patience)])
        return
      } catch (cause) {
        if (Date.now() > end) {
          const text = await Promise.race([
            browser.evaluate('document.body.innerText'),
            tooLong(STEP_MILLISECONDS),
          ]).catch(String)
          throw new Error(`${browser.name} stays at:\n${String(text)}`, { cause })
        }
        await new Promise((again) => setTimeout(again, pause))
      }
    }
  }
}

/** Rejects after a while: a command to a page that is being left may never be answered. */
async function tooLong(patience: number): Promise<never> {
  await new Promise((end) => setTimeout(end, patience))
  throw new Error('The browser does not answer')
}
