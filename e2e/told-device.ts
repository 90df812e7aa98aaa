/**
 * A device that is told of the timer. Headless Chromium reaches no push service, so the subscription is one of a push service
 * of the test, and what that decrypts is delivered to the service worker as the browser would do.
 */
import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test'

import { startPushService } from '@stint/testing/push-service.ts'
import type { PushService } from '@stint/testing/push-service.ts'

import { expect, offlineReady } from './fixtures.ts'

declare global {
  /** Of public/timer-notification.js. */
  function inTurn<T>(call: () => Promise<T>): Promise<T>
  interface Notification {
    /** Those of a service worker. */
    readonly actions: readonly { readonly title: string }[]
  }
}

export interface ShownNotification {
  readonly title: string
  readonly body: string
  readonly actions: readonly string[]
  readonly silent: boolean | null
}

export interface ToldDevice {
  readonly service: PushService
  /** Waits until messages can be delivered, also once the page has left Stint. */
  ready(): Promise<void>
  /** Delivers what has arrived since the last time, and waits until so many messages have arrived in all. */
  receive(count: number): Promise<void>
  /** Delivers a message again. */
  deliver(text: string): Promise<void>
  /** Returns the notifications that are shown. */
  shown(): Promise<readonly ShownNotification[]>
  /** Presses a button of the notification, or (no action) the notification. */
  press(action: '' | 'pause' | 'resume' | 'stop' | 'keep' | 'stop-at'): Promise<void>
  /** The service worker. */
  worker(): Promise<Worker>
  close(): void
}

/** Makes the browser a device that can be told. Must be called before the page is opened. */
export async function toldDevice(context: BrowserContext, page: Page): Promise<ToldDevice> {
  const service = await startPushService()
  await context.grantPermissions(['notifications'])
  await context.addInitScript(fakeSubscriptions, service.subscribe())
  let cdp: CDPSession | null = null
  let registrationId = ''
  let origin = ''
  let delivered = 0

  const device: ToldDevice = {
    service,
    async ready() {
      await connected()
    },
    async receive(count) {
      await expect.poll(() => service.received.length).toBeGreaterThanOrEqual(count)
      for (; delivered < service.received.length; delivered += 1) {
        await device.deliver(service.received[delivered]?.text ?? '')
      }
    },
    async deliver(text) {
      const session = await connected()
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: text })
    },
    shown: async () =>
      (await device.worker()).evaluate(async () => {
        const all = await inTurn(() => registration.getNotifications({ tag: 'stint-timer' }))
        return all.map(({ title, body, silent, actions }) => ({
          title,
          body,
          silent,
          actions: actions.map((each) => each.title),
        }))
      }),
    press: async (pressed) =>
      (await device.worker()).evaluate(async (action) => {
        const [notification] = await inTurn(() =>
          registration.getNotifications({ tag: 'stint-timer' }),
        )
        dispatchEvent(new NotificationEvent('notificationclick', { notification, action }))
      }, pressed),
    async worker() {
      return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')
    },
    close: () => service.close(),
  }
  return device

  /** Returns the session that knows the registration of the worker. */
  async function connected(): Promise<CDPSession> {
    if (cdp) return cdp
    await offlineReady(page)
    const session = await context.newCDPSession(page)
    const known = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [own] = registrations
        if (own) resolve(own.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    registrationId = await known
    origin = new URL(page.url()).origin
    return (cdp = session)
  }
}

/** Runs in the page. The browser remembers whether it has a subscription. */
function fakeSubscriptions(given: { endpoint: string; p256dh: string; auth: string }): void {
  if (!('PushManager' in globalThis)) return
  const key = 'test-subscription'
  const { endpoint, p256dh, auth } = given
  const subscription = (applicationServerKey: string) => {
    const text = applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(text), (each) => each.codePointAt(0) ?? 0)
    return {
      endpoint,
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => {
        localStorage.removeItem(key)
        return true
      },
    }
  }
  Object.assign(PushManager.prototype, {
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      localStorage.setItem(key, applicationServerKey)
      return subscription(applicationServerKey)
    },
    async getSubscription() {
      const known = localStorage.getItem(key)
      return known === null ? null : subscription(known)
    },
  })
}
