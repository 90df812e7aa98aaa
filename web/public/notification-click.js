/**
 * Handles a press on a notification, in the service worker. An open page runs the pressed action
 * (hooks/announce.ts). Without one, a page is opened that asks for confirmation. timer-notification.js has that of the timer.
 */
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  if (notification.tag === 'stint-timer') return
  notification.close()
  event.waitUntil(answer(action, notification.data))
})

async function answer(action, data) {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pages = all.filter(({ url }) => url.startsWith(self.registration.scope))
  if (pages.length > 0) {
    // Sent to every page, as the last focused one may have no timer, such as the terms.
    for (const page of pages) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's clients are its own pages, so there is no origin to name
      page.postMessage({ answer: action, to: data })
    }
    // No action was pressed, only the notification itself.
    if (action === '') await pages[0].focus()
    return
  }
  const isStop = action.startsWith('stop')
  if (action !== 'keep') await self.clients.openWindow(isStop ? 'dashboard?stop' : 'dashboard')
}
