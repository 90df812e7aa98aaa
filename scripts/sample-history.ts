/**
 * Generates a year of sample data: tasks and entries. The same input gives the same data, so that
 * screenshots and tests can be compared.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import { entryAttributes, entryFromStopped } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { stoppedBetween } from '@stint/core/timer/timer.ts'

export interface SampleTask {
  readonly id: string
  readonly name: string
}

export interface SampleHistory {
  /** Oldest first. */
  readonly tasks: readonly SampleTask[]
  /** Oldest first; none is after `now`. */
  readonly entries: readonly TimeEntry[]
}

/** The names of tasks and their shares of the time. */
const TASKS: readonly (readonly [name: string, weight: number])[] = [
  ['Invoices and taxes', 2],
  ['Read papers', 3],
  ['Customer calls', 5],
  ['Hiring', 2],
  ['Quarterly report', 4],
  ['Client proposal', 6],
  ['Plan the week', 2],
  ['Website redesign', 10],
]

/** The notes of the first sessions of each day; the others have none. */
const NOTES = [
  '#acme sketches',
  '#northwind',
  'Questions about the draft #acme',
  '#review with Ann',
]

const MINUTE = 60_000

/** Returns the last `days` days before `now` (epoch milliseconds) in `zone`. */
export function sampleHistory(now: number, zone: string, days = 365): SampleHistory {
  const random = randomNumbers(20_251_121)
  const tasks = TASKS.map(([name], index) => ({ id: `sample-${index + 1}`, name }))
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
  const entries: TimeEntry[] = []
  for (let back = days - 1; back >= 0; back--) {
    const date = today.subtract({ days: back })
    if (isFree(date, random, back)) continue
    let minute = 8 * 60 + Math.floor(random() * 75)
    const end = (date.dayOfWeek > 5 ? 13 : 17) * 60 + Math.floor(random() * 120)
    while (minute < end) {
      const length = 25 + Math.floor(random() * random() * 170)
      const pause = length > 70 && random() < 0.5 ? 5 + Math.floor(random() * 15) : 0
      const task = tasks[weighted(random())]
      const start = at(date, minute, zone) + Math.floor(random() * 60_000)
      const stop = start + (length + pause) * MINUTE
      const pausedAt = start + Math.floor(length / 2) * MINUTE
      if (stop >= now) break
      if (task) {
        const intervals = pause > 0 ? [{ start: pausedAt, end: pausedAt + pause * MINUTE }] : []
        const id = `sample-${date.toString()}-${minute}`
        const stopped = stoppedBetween(id, task.id, start, stop, { ...NO_PAUSES, intervals })
        const note = minute < 11 * 60 ? (NOTES[(back + minute) % NOTES.length] ?? '') : ''
        entries.push({ ...entryFromStopped(stopped), note })
      }
      minute += length + pause + 4 + Math.floor(random() * 20)
      if (minute > 12 * 60 && minute < 13 * 60) minute = 13 * 60
    }
  }
  return { tasks, entries }
}

/** A signed-in user of the API. */
export interface ApiUser {
  readonly url: string
  readonly userId: string
  readonly cookie: string
}

const HEADERS = { 'X-Appwrite-Project': 'stint', 'Content-Type': 'application/json' }

/** Signs in over the API. Throws with the server's reply on failure. */
export async function signInToApi(url: string, email: string, password: string): Promise<ApiUser> {
  const response = await fetch(`${url}/v1/account/sessions/email`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ email, password }),
  })
  const answer: unknown = await response.json()
  if (!response.ok || typeof answer !== 'object' || answer === null || !('userId' in answer)) {
    throw new Error(`Could not sign in: ${JSON.stringify(answer)}`)
  }
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  return { url, userId: String(answer.userId), cookie }
}

/** How many entries are saved with one call. */
const BATCH = 400

/** Starts a timer in the past, as if from another device. */
export async function startSampleTimer(user: ApiUser, taskId: string, startedAt: number) {
  await create(user, 'timer_sessions', `sample-${startedAt}`, {
    taskId,
    userId: user.userId,
    startTime: new Date(startedAt).toISOString(),
    isRunning: true,
  })
}

/** Saves a history in a user's account. Existing documents are not changed. */
export async function saveHistory(user: ApiUser, history: SampleHistory): Promise<void> {
  // One after the other, because the order of creation is the order of the list.
  for (const { id, name } of history.tasks) {
    await create(user, 'tasks', id, { name, userId: user.userId })
  }
  for (let first = 0; first < history.entries.length; first += BATCH) {
    const entries = history.entries.slice(first, first + BATCH)
    const documents = entries.map((entry) => ({
      documentId: entry.id,
      isNew: true,
      data: entryAttributes(entry, user.userId),
    }))
    await send(user, 'PUT', '/stint/collections/time_entries/documents', { documents })
  }
}

async function create(
  user: ApiUser,
  collection: CollectionId,
  documentId: string,
  data: object,
): Promise<void> {
  const path = `/databases/stint/collections/${collection}/documents`
  await send(user, 'POST', path, { documentId, data })
}

/** Sends what is to be saved. Throws with the server's reply on failure, but not for one document that exists already. */
async function send(
  user: ApiUser,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${user.url}/v1${path}`, {
    method,
    headers: { ...HEADERS, Cookie: user.cookie },
    body: JSON.stringify(body),
  })
  const exists = method === 'POST' && response.status === 409
  if (!response.ok && !exists) {
    throw new Error(`Could not save ${path}: ${await response.text()}`)
  }
  await response.body?.cancel()
}

/** Returns whether the day is free: most weekends, some days, and two weeks in August. */
function isFree(date: Temporal.PlainDate, random: () => number, daysAgo: number): boolean {
  const chance = random()
  if (date.month === 8 && date.day > 9 && date.day < 24) return true
  // The latest days are never empty.
  if (daysAgo < 3) return false
  return chance < (date.dayOfWeek > 5 ? 0.85 : 0.06)
}

function at(date: Temporal.PlainDate, minute: number, zone: string): number {
  const plainTime = { hour: Math.floor(minute / 60), minute: minute % 60 }
  return date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds
}

/** Returns the index of a task for a number in [0, 1). */
function weighted(chance: number): number {
  const total = TASKS.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = chance * total
  return TASKS.findIndex(([, weight]) => (rest -= weight) < 0)
}

/** A linear congruential generator: pseudo-random numbers in [0, 1), always the same. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
