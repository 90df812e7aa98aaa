/**
 * What a press on a notification of Stint does; part of the service worker. A page that is open does
 * what was pressed (features/focus/say.ts), else one is opened, which asks first.
 */
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  notification.close()
  event.waitUntil(answer(action, notification.data))
})

async function answer(action, data) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => url.startsWith(self.registration.scope))
  if (page) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker names no origin: it speaks to its own pages
    page.postMessage({ answer: action, to: data })
    // Nothing was chosen: somebody wants to see it.
    if (action === '') await page.focus()
    return
  }
  const isStop = action.startsWith('stop')
  if (action !== 'keep') await self.clients.openWindow(isStop ? 'dashboard?stop' : 'dashboard')
}
