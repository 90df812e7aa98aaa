/**
 * The timer as a notification, in the service worker. A push has the timer as it is. A press is stored with its instant
 * before anything else, then sent until the server has answered, which knows a press that it gets twice. What the app
 * gives (texts, addresses) is in the same database (hooks/timer-notification.ts).
 */
const TIMER = 'stint-timer'
const DATABASE = 'stint-timer notification'

self.addEventListener('push', (event) => {
  // Without a payload there is nothing to show.
  if (event.data) event.waitUntil(onPush(event.data.json()))
})
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  if (notification.tag !== TIMER) return
  const { timer, settings } = notification.data
  event.waitUntil(action === '' ? open(notification) : press(action, timer, settings))
})
self.addEventListener('sync', (event) => {
  if (event.tag === TIMER) event.waitUntil(sendPresses())
})
// The app opens, or the network is back.
self.addEventListener('message', (event) => {
  if (event.data === 'SEND_PRESSES') event.waitUntil(sendPresses())
})

async function onPush(timer) {
  const shown = await shownNow()
  // Push services keep no order.
  const settings = (await read('settings', 1)) ?? shown?.data.settings
  if (!shown || shown.data.timer.asOf <= timer.asOf) await show(timer, settings)
  await sendPresses()
}

async function open(notification) {
  if (notification.actions.length === 0) notification.close()
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = all.find(({ url }) => url.startsWith(self.registration.scope))
  await (page ? page.focus() : self.clients.openWindow('dashboard'))
}

async function press(kind, timer, settings) {
  const at = Date.now()
  const id = crypto.randomUUID().slice(0, 18)
  try {
    await change('presses', (store) => store.add({ id, session: timer.session, press: kind, at }))
  } catch {
    return show(timer, settings, 'notSaved')
  }
  const state = { pause: 'paused', resume: 'running', stop: 'stopped' }[kind]
  await show({ ...timer, state, since: new Date(at).toISOString() }, settings, 'waits')
  await sendPresses()
}

/** Sends the presses in their order, until one is not answered. */
function sendPresses() {
  return navigator.locks.request(TIMER, async () => {
    const settings = await read('settings', 1)
    for (const each of settings ? await read('presses') : []) {
      const { order, at, ...fields } = each
      const answer = await post(settings, { ...fields, age: Math.max(0, Date.now() - at) })
      if (answer === 'signIn') return note(settings, answer)
      if (answer === null) return self.registration.sync?.register(TIMER).catch(() => undefined)
      await change('presses', (store) => store.delete(order))
      if (answer === 'refused') await note(settings, answer)
      else await show(answer.timer, settings, answer.outcome === 'ended' && 'ended')
    }
  })
}

/** Returns the answer; null: there is none, and the press is sent again later. */
async function post({ url, headers }, body) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      credentials: 'include',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    })
    if (response.ok) return await response.json()
    if (response.status === 401) return 'signIn'
    return response.status === 400 ? 'refused' : null
  } catch {
    return null
  }
}

/** Shows another sentence below the timer, if it is shown. */
async function note(settings, sentence) {
  const shown = await shownNow()
  if (shown) await show(shown.data.timer, settings, sentence)
}

/** Shows a timer in the place of what was shown before, unless its owner has turned that off or has signed out. */
function show(timer, settings, sentence) {
  if (!settings || settings.isEnded) return undefined
  const { texts, icon } = settings
  const { state, since, seconds, task } = timer
  const spent = state === 'stopped' && seconds !== null ? ` · ${duration(seconds, texts)}` : ''
  const title = texts[state].replace('{time}', since && time(since, settings)) + spent
  const presses = { running: ['pause', 'stop'], paused: ['resume', 'stop'] }[state] ?? []
  const options = {
    tag: TIMER,
    body: [task, texts[sentence]].filter(Boolean).join(' · '),
    icon,
    silent: true,
    renotify: false,
    data: { timer, settings },
    actions: presses.map((action) => ({ action, title: texts[action] })),
  }
  return inTurn(() => self.registration.showNotification(title, options))
}

async function shownNow() {
  const [shown] = await inTurn(() => self.registration.getNotifications({ tag: TIMER }))
  return shown
}

let turns = Promise.resolve()

/** Runs one call after the other: Chromium forgets a notification that is asked for while it is being shown. */
function inTurn(call) {
  const done = turns.then(call)
  turns = done.catch(() => undefined)
  return done
}

function duration(seconds, { hours, minutes }) {
  const whole = Math.floor(seconds / 60)
  const text = whole < 60 ? minutes : hours
  return text.replace('{hours}', Math.floor(whole / 60)).replace('{minutes}', whole % 60)
}

/** Returns a clock time; of another day with its weekday. */
function time(instant, { language, timeZone, hour12 }) {
  const text = (at, locale, options) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(at)
  const at = new Date(instant)
  const cycle = hour12 ? { hour: 'numeric', hour12 } : { hour: '2-digit', hourCycle: 'h23' }
  const clock = text(at, 'en', { ...cycle, minute: '2-digit' })
  const [day, today] = [at, new Date()].map((each) => text(each, 'en', { dateStyle: 'short' }))
  return day === today ? clock : `${text(at, language, { weekday: 'short' })} ${clock}`
}

/** Returns the record of a store with a key, or without one all its records, oldest first. */
function read(store, key) {
  return inStore(store, 'readonly', (records) =>
    key === undefined ? records.getAll() : records.get(key),
  ).catch(() => (key === undefined ? [] : undefined))
}

/** Changes a store. Resolves when that is on the disk. */
function change(store, work) {
  return inStore(store, 'readwrite', work)
}

function inStore(name, mode, work) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    const fail = () => reject(opening.error ?? new Error('The database failed'))
    opening.addEventListener('upgradeneeded', () => {
      opening.result.createObjectStore('settings')
      opening.result.createObjectStore('presses', { keyPath: 'order', autoIncrement: true })
    })
    opening.addEventListener('error', fail)
    opening.addEventListener('success', () => {
      const database = opening.result
      try {
        const transaction = database.transaction(name, mode, { durability: 'strict' })
        const request = work(transaction.objectStore(name))
        transaction.addEventListener('complete', () => resolve(request.result))
        transaction.addEventListener('abort', () => reject(transaction.error))
      } catch (error) {
        reject(error)
      }
      database.close()
    })
  })
}
