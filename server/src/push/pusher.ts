/** Tells devices of the timer of their owner, behind the requests that changed it. What is queued survives a restart. */
import type { CollectionId } from '@stint/core/collections.ts'
import type { Reminder } from '@stint/core/focus/reminders.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { FastifyBaseLogger } from 'fastify'
import webPush from 'web-push'
import * as signIns from '#accounts/sign-ins.ts'
import type { Services } from '#services.ts'
import type { PushSubscriptionRow } from '#storage/schema.ts'
import type { ResolveName } from '#webhooks/names.ts'
import { post, reasonOf } from '#webhooks/send.ts'
import { createSender } from '#webhooks/sender.ts'
import type { Sender } from '#webhooks/sender.ts'
import { Without } from '#webhooks/without.ts'
import type { PushKey } from './key.ts'
import type { Ask } from './ask.ts'
import * as devices from './service.ts'
import { maybeToldOf, sessionTold, shownTimerReader, toldOf } from './shown-timer.ts'
import type { ShownTimer } from './shown-timer.ts'

/** How long a push service keeps what it cannot deliver, in seconds: a timer of yesterday is no news. */
const TIME_TO_LIVE = 12 * 3600
/** Of the messages that a push service keeps for a device only the last one with this topic is delivered. */
const TOPIC = 'timer'
/** The answers that mean that the browser has given up the address. */
const GONE: readonly number[] = [404, 410]

export interface Pusher extends Sender {
  /** Notes a change. People without a device cost one read in five seconds. */
  documentChanged(owner: string, collection: CollectionId): void
  /** Notes a change of the preferences, which have settings and the question whether somebody still works. */
  prefsChanged(owner: string): void
  /** Must be called when the user got a device, which is then told. */
  deviceAdded(owner: string): void
}

/**
 * @param resolveName resolves the hosts of the push services.
 * @param ask is called when a device is due.
 */
export function createPusher(
  { db, config, now, metrics }: Pick<Services, 'db' | 'config' | 'now' | 'metrics'>,
  key: PushKey,
  resolveName: ResolveName,
  ask: Ask,
  log: FastifyBaseLogger,
): Pusher {
  const read = shownTimerReader(db)
  const noted = new Set<string>()
  const without = new Without()
  const sender = createSender({ name: 'the devices to be told', queueNoted, claim }, log)

  return {
    ...sender,
    documentChanged(owner, collection) {
      if (collection !== 'time_entries') note(owner)
    },
    prefsChanged: note,
    deviceAdded(owner) {
      without.delete(owner)
      sender.wake()
    },
  }

  function note(owner: string): void {
    if (without.has(owner)) return
    noted.add(owner)
    sender.wake()
  }

  async function queueNoted(): Promise<void> {
    for (const owner of noted) {
      noted.delete(owner)
      if (await devices.hasAny(db, owner)) await devices.makeDue(db, owner, now())
      else without.add(owner)
    }
  }

  async function claim(busy: readonly string[], otherOwners: readonly string[]) {
    const claimed = await devices.claim(db, now(), busy, otherOwners)
    if (claimed === null) return null
    const { session_id: id, user_id: owner } = claimed
    return { key: id, owner, deliver: (signal: AbortSignal) => deliver(claimed, signal) }
  }

  async function deliver(device: PushSubscriptionRow, signal: AbortSignal): Promise<void> {
    const { user_id: owner, session_id: id, told, with_names: withNames } = device
    const signIn = await signIns.find(db, owner, id)
    if (signIn === undefined || !signIns.isAlive(signIn, now())) return devices.drop(db, device)
    const { shown, running } = await read(owner, sessionTold(told), withNames, now())
    const { question, reminder, next, ...found } = await ask(device, running)
    const timer = { ...shown, question: question && instantToWire(question.from) }
    const said = found.said.length > 0 ? JSON.stringify(found.said) : null
    const known = { told: toldOf(timer), said }
    if (known.told === told && !reminder) return devices.finish(db, device, known, next)
    const status = await send(
      device,
      { ...timer, reminder: reminder && shownReminder(reminder) },
      signal,
    )
    if (status === null) await devices.keepTold(db, device, maybeToldOf(timer) ?? told)
    if (signal.aborted) return undefined
    if (status !== null && GONE.includes(status)) {
      metrics.pushCalls.with('gone').add()
      return devices.drop(db, device)
    }
    const isDelivered = status !== null && status >= 200 && status < 300
    metrics.pushCalls.with(isDelivered ? 'delivered' : 'failed').add()
    return isDelivered
      ? devices.finish(db, device, known, next)
      : devices.retryLater(db, device, now(), next)
  }

  /** Sends a message. Returns the HTTP status; null: there was no answer. */
  async function send(
    { endpoint, p256dh, auth }: PushSubscriptionRow,
    shown: ShownTimer & { readonly reminder: object | null },
    signal: AbortSignal,
  ): Promise<number | null> {
    try {
      const details = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(shown),
        {
          vapidDetails: { subject: `mailto:${config.supportEmail}`, ...key },
          TTL: TIME_TO_LIVE,
          topic: TOPIC,
          contentEncoding: 'aes128gcm',
        },
      )
      const allowsPrivate = config.webhooksAllowPrivate
      const way = { resolveName, allowsPrivate, signal }
      return await post(endpoint, details.headers, details.body, way)
    } catch (error) {
      log.debug({ reason: reasonOf(error) }, 'a push service did not answer')
      return null
    }
  }
}

function shownReminder({ kind, hours, at }: Reminder): object {
  return { kind, hours, at: instantToWire(at) }
}
