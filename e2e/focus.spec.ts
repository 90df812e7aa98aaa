import { expect, startTimer, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

declare global {
  // A global that service workers have and pages do not.
  var registration: ServiceWorkerRegistration
  var NotificationEvent: new (
    type: string,
    init: { notification: Notification | undefined; action: string },
  ) => Event
}

/** Automatic breaks in a real browser, seconds before they are due. */

test('an offered break is announced and can be taken @long', async ({ page, user }) => {
  await user.openWithTasks(['Write'], { pomodoroMode: true })
  await startTimer(page, 'Write')
  await user.ageTimer(26)
  const nudge = page.getByRole('region', { name: 'Time for a break' })
  await expect(nudge).toBeVisible()
  await expectClear(page, 'break')
  await page.reload()
  await nudge.getByRole('button', { name: 'Take a break' }).click()
  await expect(page.getByText(/^[45]:\d\d of break left$/)).toBeVisible()
  await expect(nudge).toHaveCount(0)
})

test('a hidden tab leaves the sound to a visible one @long', async ({ page, context, user }) => {
  // The page is hidden, and its timeout never ends.
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    const later = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (work: () => void, wait = 0) => (wait === 1500 ? 0 : later(work, wait)),
    })
  })
  await user.openWithTasks(['Write'], { pomodoroMode: true })
  await startTimer(page, 'Write')
  await user.letSessionAge(26)
  await expect(page.getByRole('region', { name: 'Time for a break' })).toBeVisible()

  const seen = await context.newPage()
  await seen.addInitScript(() => {
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: true } })
    const { AudioContext: Original } = window
    window.AudioContext = class extends Original {
      constructor() {
        super()
        document.documentElement.dataset['sounded'] = 'yes'
      }
    }
  })
  await seen.goto('/dashboard')
  await expect(seen.getByRole('region', { name: 'Time for a break' })).toBeVisible()
  await expect(seen.locator('html')).toHaveAttribute('data-sounded', 'yes')
  await seen.close()
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a notification asks about a timer in a hidden app, and its buttons work @long', async ({
    page,
    context,
    user,
  }) => {
    await context.grantPermissions(['notifications'])
    // A headless page is always visible.
    await page.addInitScript(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    })
    const registered = context.waitForEvent('serviceworker')
    await user.openWithTasks(['Write'], { longRunningHours: 2 })
    const worker = await registered
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await startTimer(page, 'Write')
    await user.letSessionAge(121)
    await expect(page.getByRole('timer')).toHaveText(/^02:0\d:/)
    const shown = () =>
      worker.evaluate(async () => {
        const notifications = await registration.getNotifications()
        return notifications.map(({ title, body, tag }) => ({ title, body, tag }))
      })
    await expect.poll(shown).toEqual([
      {
        title: 'Still working on Write?',
        body: 'The timer has been running for 2 hours.',
        tag: 'stint',
      },
    ])
    // The last visible page cannot reply.
    const terms = await context.newPage()
    await terms.goto(new URL('/terms', page.url()).href)
    await worker.evaluate(async () => {
      const [notification] = await registration.getNotifications()
      dispatchEvent(new NotificationEvent('notificationclick', { notification, action: 'stop' }))
    })
    await expect(page.getByText('Select a task below to start timing')).toBeVisible()
    await expect.poll(shown).toEqual([])
    await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  })
})
