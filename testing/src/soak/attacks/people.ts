/** The users of an attack, and the documents they have saved before it begins. */
import type { Answer, Ask } from './client.ts'

export interface Person {
  readonly id: string
  readonly email: string
  /** The cookie of the session from before the attack. */
  readonly cookie: string
}

export const PASSWORD = 'violet kettle 47 ladders'
export const ENTRIES = '/v1/databases/stint/collections/time_entries/documents'
/** The routes for many documents in one call. */
const ENTRIES_TOGETHER = '/v1/stint/collections/time_entries/documents'
const TASKS_TOGETHER = '/v1/stint/collections/tasks/documents'

/** How many tasks are saved in one call. */
const TASKS_AT_ONCE = 150

/** Creates an account and signs in. @throws Error if the server refuses. */
export async function newPerson(ask: Ask, id: string): Promise<Person> {
  const account = { userId: id, email: `${id}@example.com`, password: PASSWORD }
  await patiently(() => ask('POST', '/v1/account', { body: account }))
  const { cookie } = await patiently(() => signIn(ask, account.email))
  return { id, email: account.email, cookie }
}

export function signIn(ask: Ask, email: string): Promise<Answer> {
  return ask('POST', '/v1/account/sessions/email', { body: { email, password: PASSWORD } })
}

/** Returns an entry of a minute, with additional `attributes`. */
export function entryOf(person: Person, attributes: object = {}) {
  const end = new Date().toISOString()
  return {
    taskId: 'task',
    userId: person.id,
    startTime: end,
    endTime: end,
    durationSeconds: 0,
    ...attributes,
  }
}

/** Saves entries in one call. An existing entry that `isNew` is not changed. */
export function saveTogether(
  ask: Ask,
  person: Person,
  entries: readonly { readonly id: string; readonly attributes: object }[],
  isNew = true,
): Promise<Answer> {
  const documents = entries.map(({ id, attributes }) => ({
    documentId: id,
    data: entryOf(person, attributes),
    isNew,
  }))
  return ask('PUT', ENTRIES_TOGETHER, { cookie: person.cookie, body: { documents } })
}

/** Saves `count` entries, `atOnce` in one call. @throws Error */
export async function saveMany(
  ask: Ask,
  person: Person,
  prefix: string,
  count: number,
  atOnce: number,
  attributesOf: object | ((index: number) => object),
): Promise<void> {
  for (let first = 0; first < count; first += atOnce) {
    const entries = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => ({
      id: `${prefix}${first + index}`,
      attributes: typeof attributesOf === 'function' ? attributesOf(first + index) : attributesOf,
    }))
    await patiently(() => saveTogether(ask, person, entries))
  }
}

/** Saves `count` tasks. @throws Error */
export async function saveTasks(
  ask: Ask,
  person: Person,
  count: number,
  nameOf: (index: number) => string,
): Promise<void> {
  for (let first = 0; first < count; first += TASKS_AT_ONCE) {
    const documents = Array.from({ length: Math.min(TASKS_AT_ONCE, count - first) }, (_, index) => {
      const data = { name: nameOf(first + index), userId: person.id }
      return { documentId: `${person.id}-${first + index}`, data }
    })
    const asked = { cookie: person.cookie, body: { documents } }
    await patiently(() => ask('PUT', TASKS_TOGETHER, asked))
  }
}

/** Retries while the server is overloaded. @throws Error for any other refusal. */
async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status > 0 && answer.status < 300) return answer
    if (answer.status !== 503) {
      throw new Error(`Preparing was answered ${answer.status} ${answer.type}`)
    }
    await new Promise((again) => setTimeout(again, 200))
  }
}
