/** Shows the timer of the signed-in person as a notification on this device, also while Stint is closed. */
import { LONG_RUNNING_HOURS } from '@stint/core/settings.ts'
import type { Settings } from '@stint/core/settings.ts'
import { LANGUAGE, t } from '@stint/core/text.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import type { Session } from '#session/session.ts'
import type { WorkerSettings } from '#session/told-device.ts'
import {
  forgetToldDevice,
  ownWorker,
  putWorkerSettings,
  toldPerson,
  workerSettings,
} from '#session/told-device.ts'

import {
  askedTitle,
  eveningText,
  goalText,
  goalTitle,
  longText,
  unseenText,
} from './reminder-texts.ts'

type Calls = Awaited<ReturnType<Session['account']>>

/** How times are written. */
export type Clock = Pick<Settings, 'hourCycle'> & { readonly timeZone: string }

/** What the switch shows. */
export type NotificationState =
  /** The backend, or the browser, cannot do it. */
  | { readonly kind: 'missing' }
  /** Only the installed app can do it here. */
  | { readonly kind: 'not installed' }
  | { readonly kind: 'off'; readonly isBlocked: boolean }
  | ({ readonly kind: 'on' } & Choices)

/** What a device shows beside the state of the timer. */
export interface Choices {
  readonly withNames: boolean
  /** It also asks whether its owner still works, and reminds. */
  readonly isAsked: boolean
}

/** Returns what is so on this device. Rejects with BackendError. */
export async function notificationState(userId: string, calls: Calls): Promise<NotificationState> {
  const { publicKey, isTold } = await calls.push()
  if (publicKey === null) return { kind: 'missing' }
  const registration = await ownWorker()
  if (!registration || !('pushManager' in registration)) {
    return { kind: isTabOfPhone() ? 'not installed' : 'missing' }
  }
  const isBlocked = Notification.permission === 'denied'
  const isOn = isTold && !isBlocked && toldPerson() === userId
  if (!isOn) return { kind: 'off', isBlocked }
  return { kind: 'on', ...choicesOf(await workerSettings()) }
}

function choicesOf(known: WorkerSettings | undefined): Choices {
  return { withNames: known?.withNames ?? false, isAsked: known?.isAsked ?? false }
}

/** Only iOS has `standalone`, which is false in a tab of its browser. */
function isTabOfPhone(): boolean {
  return 'standalone' in navigator && navigator.standalone === false
}

/**
 * Turns the notification on, or changes what it shows. Asks the browser for permission, so it must be called at a press.
 * Returns whether the browser allows it. Rejects with what the server or the browser refuses.
 */
export async function showTimer(
  userId: string,
  calls: Calls,
  clock: Clock,
  choices: Choices,
): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const wasOn = toldPerson() === userId && (await workerSettings())?.isEnded !== true
  try {
    await tell(userId, calls, clock, choices)
  } catch (error) {
    // Else the next start would try again.
    if (!wasOn) await forgetToldDevice(userId, false)
    throw error
  }
  return true
}

/** Turns the notification off on this device. */
export async function hideTimer(userId: string, calls: Calls): Promise<void> {
  await calls.forgetDevice()
  await forgetToldDevice(userId, false)
}

/**
 * Keeps the notification: gives the worker the texts and times of now, and the server another subscription where it has
 * lost the one that it had.
 */
export async function keepTimerShown(userId: string, calls: Calls, clock: Clock): Promise<void> {
  const known = await workerSettings()
  if (known?.isEnded) return forgetToldDevice(userId, false)
  if (!known || Notification.permission !== 'granted') return
  const { publicKey, isTold, presses } = await calls.push()
  if (publicKey === null) return
  const subscription = await (await ownWorker())?.pushManager?.getSubscription()
  const isSame = subscription && isTold && keyOf(subscription) === publicKey
  const choices = choicesOf(known)
  const isThere = !choices.isAsked || known.timeZone === clock.timeZone
  if (!isSame || !isThere) return tell(userId, calls, clock, choices)
  await putWorkerSettings(userId, settingsOf(presses, clock, choices))
}

async function tell(userId: string, calls: Calls, clock: Clock, choices: Choices): Promise<void> {
  const { publicKey, presses } = await calls.push()
  const registration = await ownWorker()
  if (publicKey === null || !registration) throw new Error(t('The server sends no notifications.'))
  // Stored first: the server answers with a push at once.
  await putWorkerSettings(userId, settingsOf(presses, clock, choices))
  const subscription = await subscribed(registration.pushManager, publicKey)
  const { keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const { endpoint } = subscription
  const { withNames, isAsked } = choices
  const timeZone = isAsked ? clock.timeZone : null
  await calls.tellDevice({ endpoint, p256dh, auth, withNames, timeZone })
}

/** Returns the subscription for a key of the server. The one for another key is given up. */
async function subscribed(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const known = await manager.getSubscription()
  if (known && keyOf(known) === publicKey) return known
  await known?.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const text = btoa(String.fromCodePoint(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function settingsOf(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { hourCycle, timeZone }: Clock,
  { withNames, isAsked }: Choices,
) {
  const icon = `${import.meta.env.BASE_URL}icons/icon-192.png`
  const hour12 = hourCycle === 12
  return {
    texts: texts(),
    icon,
    language: LANGUAGE,
    timeZone,
    hour12,
    url,
    headers,
    withNames,
    isAsked,
  }
}

/** Returns the texts of the notification, which the worker completes. */
function texts(): Record<string, string> {
  const [time, task, number] = ['{time}', '{task}', '{hours}']
  const longs = LONG_RUNNING_HOURS.map((hour) => [`long${hour}`, longText(hour)] as const)
  const minutes = formatDuration(22 * 60).replace('22', '{minutes}')
  const hours = formatDuration(11 * 3600 + 22 * 60)
    .replace('11', '{hours}')
    .replace('22', '{minutes}')
  return {
    running: t('Running since {time}', { time }),
    paused: t('Paused since {time}', { time }),
    stopped: t('Stopped at {time}', { time }),
    none: t('No timer is running'),
    pause: t('Pause'),
    resume: t('Resume'),
    stop: t('Stop'),
    minutes,
    hours,
    waits: t('Will be sent'),
    ended: t('The timer had already ended. Your press changed nothing.'),
    notSaved: t('Your press could not be stored on this device. Nothing has changed.'),
    signIn: t('Your press is sent when you sign in to Stint again.'),
    keep: t('Keep'),
    'stop-at': t('Stop at {time}', { time }),
    asked: askedTitle(null),
    askedNamed: askedTitle(task),
    // The worker writes another day before the time.
    unseen: unseenText({ daysAgo: 0, day: '', time }),
    evening: eveningText(time),
    ...Object.fromEntries(longs),
    goal: goalTitle(),
    goalText: goalText(number, null),
    goalTextNamed: goalText(number, task),
    answered: t('The question had been answered. Your press changed nothing.'),
    refused: t('The server refused your press. Open Stint to see the timer.'),
  }
}
