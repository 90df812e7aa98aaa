/**
 * Sixteen devices repeatedly start a timer at the same moment. Whatever the call, exactly one of
 * them succeeds, and no read ever shows two.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { newTestDatabase } from '#databases.ts'
import { createTestApp } from '#test-app.ts'
import type { TestBrowser } from '#test-app.ts'

const SESSIONS = '/databases/stint/collections/timer_sessions/documents'
const STARTERS = 16
/** Sessions that were never started; some devices start one of these. */
const IDLE = 5

export interface RaceReport {
  readonly races: number
  /** Races that no device won, or more than one. */
  readonly wrongWinners: number
  /** The largest number of active sessions of one user in any read, during or after a race. */
  readonly mostActive: number
  readonly faults: number
}

/**
 * Runs the races on the database that TEST_DATABASE names, through two servers if it can be shared.
 */
export async function startRaces(races: number): Promise<RaceReport> {
  const place = await newTestDatabase()
  const isShared = process.env['TEST_DATABASE'] === 'postgres'
  const servers = await Promise.all(
    (isShared ? [1, 2] : [1]).map(async () => createTestApp({ url: place.url })),
  )
  const [first] = servers
  if (first === undefined) throw new Error('No server')
  const ann = await first.signedInUser('Ann')
  const browsers = servers.map((server) => {
    const browser = server.newBrowser()
    for (const [name, value] of ann.cookies) browser.cookies.set(name, value)
    return browser
  })
  for (let idle = 0; idle < IDLE; idle++) {
    const data = { taskId: 't', userId: ann.id, isRunning: false }
    await ann.call('POST', SESSIONS, { documentId: `idle-${idle}`, data })
  }

  const report = { races, wrongWinners: 0, mostActive: 0, faults: 0 }
  for (let race = 0; race < races; race++) {
    const over = new AbortController()
    const watching = watch(ann, over.signal)
    const starts = Array.from({ length: STARTERS }, (_, starter) => {
      const browser = browsers[starter % browsers.length] ?? ann
      return start(browser, ann.id, race, starter)
    })
    const replies = await Promise.all(starts)
    over.abort()
    report.mostActive = Math.max(report.mostActive, await watching, await countActive(ann))
    report.faults += replies.filter(({ status }) => status >= 500).length
    const winners = replies.filter(({ status }) => status < 300)
    if (winners.length !== 1) report.wrongWinners++
    for (const { body } of winners) await end(ann, String(body.$id))
  }

  for (const server of servers) await server.close()
  await place.remove()
  return report
}

/** Creates a running session, upserts one, or starts an idle one. */
function start(browser: TestBrowser, userId: string, race: number, starter: number) {
  const data = { taskId: 't', userId, isRunning: starter % 2 === 0, isPaused: starter % 2 === 1 }
  const id = `r${race}-${starter}`
  if (starter % 3 === 0) return browser.call('POST', SESSIONS, { documentId: id, data })
  if (starter % 3 === 1) return browser.call('PUT', `${SESSIONS}/${id}`, { data })
  const idle = Math.floor(starter / 3) % IDLE
  return browser.call('PATCH', `${SESSIONS}/idle-${idle}`, { data })
}

/** Restores the winner to its state before the race. */
async function end(browser: TestBrowser, id: string): Promise<void> {
  if (!id.startsWith('idle')) await browser.call('DELETE', `${SESSIONS}/${id}`, {})
  else
    await browser.call('PATCH', `${SESSIONS}/${id}`, {
      data: { isRunning: false, isPaused: false },
    })
}

/** Reads repeatedly until `end`. @returns the largest number of active sessions in one read. */
async function watch(browser: TestBrowser, end: AbortSignal): Promise<number> {
  let most = 0
  while (!end.aborted) {
    most = Math.max(most, await countActive(browser))
    // The requests of the race run in this process and need the event loop.
    await turn()
  }
  return most
}

async function countActive(browser: TestBrowser): Promise<number> {
  const query = { method: 'or', values: [isTrue('isRunning'), isTrue('isPaused')] }
  const search = `queries[0]=${encodeURIComponent(JSON.stringify(query))}`
  const { body } = await browser.call('GET', `${SESSIONS}?${search}`)
  return Number(body.total)
}

function isTrue(attribute: string) {
  return { method: 'equal', attribute, values: [true] }
}
