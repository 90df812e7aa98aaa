/**
 * What the service worker needs to show the timer as a notification, and its presses that are still to be sent. The
 * worker reads and writes the same database (public/timer-notification.js).
 */
import { deleteDB, openDB } from 'idb'
import type { IDBPDatabase } from 'idb'

import { TOLD_KEY } from './personal-keys.ts'

/** The space keeps it apart from the record of any person. */
const DATABASE = 'stint-timer notification'
/** The tag of the notification. */
const TAG = 'stint-timer'

/** What the worker shows and where it sends presses. */
export interface WorkerSettings {
  readonly texts: Readonly<Record<string, string>>
  readonly icon: string
  readonly language: string
  readonly timeZone: string
  readonly hour12: boolean
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly withNames: boolean
  /** Whether it also asks and reminds. Missing: an earlier version stored it. */
  readonly isAsked?: boolean
  /** Nothing is shown any more; the worker only sends what is unsent. */
  readonly isEnded?: boolean
}

/** Returns whose timer this device shows; null: nobody's. */
export function toldPerson(): string | null {
  try {
    return localStorage.getItem(TOLD_KEY)
  } catch {
    return null
  }
}

/** Stores what the worker needs, and whose timer it is. What another person left unsent is removed. */
export async function putWorkerSettings(userId: string, settings: WorkerSettings): Promise<void> {
  const known = toldPerson()
  if (known !== null && known !== userId) await deleteDB(DATABASE)
  await inDatabase((database) => database.put('settings', settings, 1))
  localStorage.setItem(TOLD_KEY, userId)
}

/** Returns what the worker has; undefined: nothing. */
export function workerSettings(): Promise<WorkerSettings | undefined> {
  return inDatabase((database) => database.get('settings', 1))
}

/** Returns whether the server asks and reminds on this device. */
export async function isAskedByPush(): Promise<boolean> {
  if (toldPerson() === null) return false
  const settings = await workerSettings().catch(() => undefined)
  return settings?.isAsked === true && settings.isEnded !== true
}

/** Has the worker send what is unsent. */
export async function sendPresses(): Promise<void> {
  const registration = await ownWorker()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  registration?.active?.postMessage('SEND_PRESSES')
}

/** Returns the registration of the service worker; undefined: there is none. */
export async function ownWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator
    ? navigator.serviceWorker.getRegistration(import.meta.env.BASE_URL)
    : undefined
}

/**
 * Ends the notification on this device: closes it, gives up the subscription, and removes what the worker has. Presses of
 * this person that are unsent stay until they sign in again, unless `unsavedAsWell`.
 */
export async function forgetToldDevice(userId: string, unsavedAsWell: boolean): Promise<void> {
  if (toldPerson() !== userId) return
  const registration = await ownWorker()
  const shown = (await registration?.getNotifications({ tag: TAG })) ?? []
  for (const each of shown) each.close()
  const subscription = await registration?.pushManager?.getSubscription()
  // Without a network the push service learns of it later: the server tells this device nothing more anyway.
  await subscription?.unsubscribe().catch(() => false)
  if (!unsavedAsWell && (await endedWithUnsent())) return
  await deleteDB(DATABASE)
  localStorage.removeItem(TOLD_KEY)
}

/** Returns whether presses are unsent. Then the worker shows nothing any more, and sends them. */
async function endedWithUnsent(): Promise<boolean> {
  return inDatabase(async (database) => {
    if ((await database.count('presses')) === 0) return false
    const settings: WorkerSettings | undefined = await database.get('settings', 1)
    await database.put('settings', { ...settings, isEnded: true }, 1)
    return true
  })
}

async function inDatabase<T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T> {
  const database = await openDB(DATABASE, 1, {
    upgrade(created) {
      created.createObjectStore('settings')
      created.createObjectStore('presses', { keyPath: 'order', autoIncrement: true })
    },
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
