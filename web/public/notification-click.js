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
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pages = all.filter(({ url }) => url.startsWith(self.registration.scope))
  if (pages.length > 0) {
    // To each: the one that was looked at last may be one that has no timer, as the terms.
    for (const page of pages) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker names no origin: it speaks to its own pages
      page.postMessage({ answer: action, to: data })
    }
    // Nothing was chosen: somebody wants to see it.
    if (action === '') await pages[0].focus()
    return
  }
  const isStop = action.startsWith('stop')
  if (action !== 'keep') await self.clients.openWindow(isStop ? 'dashboard?stop' : 'dashboard')
}
