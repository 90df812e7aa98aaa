/**
 * Benchmarks of the list of sessions with a history of 100,000 in the local database: the time until
 * it is on screen, frames while scrolling, and keystrokes in the filter box. Runs in a real Chromium,
 * without the backend, so that nothing is pulled.
 */
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'

import { startServer } from '../e2e/server.ts'
import { CHROMIUM_ARGUMENTS } from '../scripts/chromium-arguments.ts'
import { prepareHistory } from './local-load.ts'

export interface SessionListResult {
  readonly entries: number
  /** The time from the navigation's start to the first rows, in milliseconds. */
  readonly opened: number
  /** The time between two frames while scrolling, in milliseconds. */
  readonly frames: Spread
  /** The processor time of the main thread for a frame while scrolling: the mean, in milliseconds. */
  readonly frameWork: number
  /** From a key in the filter box to the paint of what it finds, in milliseconds. */
  readonly keystrokes: Spread
  /** The processor time of the main thread for a keystroke, the least of three, in milliseconds. */
  readonly keystrokeWork: Spread
  /** The same in a page that does the minimum: one loop over the notes, and forty rows of text. */
  readonly plainKeystrokeWork: Spread
  /** From Delete to the message, and from Undo to the list, of the sessions of a year: in milliseconds. */
  readonly deleted: number
  readonly undone: number
}

interface Spread {
  readonly mean: number
  readonly median: number
  readonly p95: number
  readonly worst: number
}

const ENTRIES = 100_000
const FRAMES = 300
const ROUNDS = 3
/** Each letter narrows what is found, or starts another part of the filter. */
const TYPED = [
  'call with 12',
  '#tag7 call',
  'write >30m',
  'last month call',
  'task:wri before 9:00',
]

/** Runs the benchmark with the browser at `executablePath` and prints the results. */
export async function benchSessionList(executablePath: string): Promise<SessionListResult> {
  const server = await startServer()
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] })
  try {
    const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
    const page = await context.newPage()
    await prepareHistory(context, page, server, ENTRIES)
    await page.goto('/sessions', { waitUntil: 'commit' })
    const opened = await rowsShown(page)
    // The notes are prepared for the filter meanwhile.
    await page.waitForTimeout(3000)
    const work = await workOf(page)
    const beforeFrames = await work()
    const frames = spreadOf(await page.evaluate(scroll, FRAMES))
    const frameWork = ((await work()) - beforeFrames) / FRAMES

    const plain = await context.newPage()
    await plain.setContent('<input type="search"><p></p><ul></ul>')
    await plain.evaluate(searchPlainly, ENTRIES)
    const plainWork = await workOf(plain)
    await page.evaluate(() => scrollTo(0, 0))
    // In turns, so that a busy machine slows both.
    const [works, plainWorks]: [number[][], number[][]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      works.push(await typeAll(page, work))
      plainWorks.push(await typeAll(plain, plainWork))
    }
    await plain.close()
    await page.evaluate(watchKeystrokes)
    await typeAll(page, work)
    const keystrokes = spreadOf(await page.evaluate(() => window.keystrokes ?? []))
    const { deleted, undone } = await editYear(page)
    const result: SessionListResult = {
      entries: ENTRIES,
      opened,
      frames,
      frameWork,
      keystrokes,
      keystrokeWork: spreadOf(leastOfEach(works)),
      plainKeystrokeWork: spreadOf(leastOfEach(plainWorks)),
      deleted,
      undone,
    }
    console.log(`${ENTRIES} sessions: opened in ${opened.toFixed(0)} ms`)
    console.log(`scrolling: a frame every ${inWords(frames)}; work ${frameWork.toFixed(1)} ms`)
    console.log(`a key in the filter box to its paint: ${inWords(keystrokes)}`)
    console.log(`its work: ${inWords(result.keystrokeWork)}`)
    console.log(`its work in a plain page: ${inWords(result.plainKeystrokeWork)}`)
    console.log(
      `the sessions of a year: deleted in ${deleted.toFixed(0)} ms, undone in ${undone.toFixed(0)} ms`,
    )
    return result
  } finally {
    await browser.close()
    await server.remove()
  }
}

/** Returns a function that returns the processor time of the page's main thread, in milliseconds. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000
  }
}

/** Types all texts into the search box of the page. Returns the work of each key in milliseconds. */
async function typeAll(page: Page, work: () => Promise<number>): Promise<number[]> {
  await page.bringToFront()
  const works: number[] = []
  for (const text of TYPED) {
    await page.getByRole('searchbox').fill('')
    await page.waitForTimeout(500)
    for (const key of text) {
      const before = await work()
      await page.keyboard.type(key)
      // Before the address follows the text.
      await page.waitForTimeout(150)
      works.push((await work()) - before)
    }
    await page.waitForTimeout(500)
  }
  return works
}

/** Returns for each key the least of its rounds, as other programs only add to it. */
function leastOfEach(rounds: readonly (readonly number[])[]): number[] {
  return (rounds[0] ?? []).map((_, key) => Math.min(...rounds.map((works) => works[key] ?? NaN)))
}

/** Deletes the sessions of the last 365 days, a tenth of all, and undoes it. */
async function editYear(page: Page): Promise<Pick<SessionListResult, 'deleted' | 'undone'>> {
  await page.getByRole('searchbox').fill('last 365 days')
  const all = page.getByRole('checkbox', { name: 'Select all' })
  await page.getByText(/^\d?\d,\d{3} sessions$/).waitFor()
  await all.check()
  const start = performance.now()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(/sessions deleted$/).waitFor()
  const done = performance.now()
  await page.getByRole('button', { name: 'Undo' }).click()
  await all.waitFor()
  return { deleted: done - start, undone: performance.now() - done }
}

declare global {
  interface Window {
    keystrokes?: number[]
  }
}

async function rowsShown(page: Page): Promise<number> {
  const shown = await page.waitForFunction(
    () => (document.querySelector('[data-row]') ? performance.now() : null),
    undefined,
    { polling: 'raf' },
  )
  return Number(await shown.jsonValue())
}

/** Runs in the page. Scrolls 100 px in each frame and returns the times between the frames. */
async function scroll(frames: number): Promise<number[]> {
  const times: number[] = []
  let last = await new Promise(requestAnimationFrame)
  for (let frame = 0; frame < frames; frame += 1) {
    scrollBy(0, 100)
    const now = await new Promise<number>(requestAnimationFrame)
    times.push(now - last)
    last = now
  }
  return times
}

/** Runs in a page of its own. Searches so many notes with every input, as simply as a page can. */
function searchPlainly(count: number): void {
  const rows = Array.from({ length: count }, (_, index) => ({
    seconds: index,
    note: `call with ${index % 97} about #tag${index % 50}`,
  }))
  const [input] = document.getElementsByTagName('input')
  const [sum] = document.getElementsByTagName('p')
  const [list] = document.getElementsByTagName('ul')
  input?.addEventListener('input', () => {
    const found = rows.filter(({ note }) => note.includes(input.value))
    const seconds = found.reduce((sum, row) => sum + row.seconds, 0)
    sum?.replaceChildren(`${found.length} · ${seconds}`)
    const shown = found.slice(0, 40).map(({ note }) => {
      const row = document.createElement('li')
      row.textContent = note
      return row
    })
    list?.replaceChildren(...shown)
  })
}

/** Runs in the page. Collects the time from each input to the paint of its last change. */
function watchKeystrokes(): void {
  const times: number[] = []
  window.keystrokes = times
  let typedAt: number | null = null
  document.addEventListener(
    'input',
    (event) => {
      if (!(event instanceof InputEvent) || event.inputType !== 'insertText') return
      typedAt = event.timeStamp
      times.push(0)
    },
    { capture: true },
  )
  const note = () => {
    if (typedAt === null) return
    const [start, index] = [typedAt, times.length - 1]
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      // The message arrives after the frame.
      port1.addEventListener('message', () => {
        // What comes later is the address, which follows the text.
        const time = performance.now() - start
        if (time < 150) times[index] = Math.max(times[index] ?? 0, time)
        port1.close()
      })
      port1.start()
      port2.postMessage(null)
    })
  }
  new MutationObserver(note).observe(document.querySelector('main') ?? document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length
  return { mean, median: at(0.5), p95: at(0.95), worst: at(1) }
}

function inWords({ mean, median, p95, worst }: Spread): string {
  return `${mean.toFixed(1)} ms (median ${median.toFixed(1)}, p95 ${p95.toFixed(1)}, worst ${worst.toFixed(1)})`
}
