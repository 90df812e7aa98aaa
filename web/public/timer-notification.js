/**
 * The timer as a notification, in the service worker. A push has the timer as it is, with an open question about it, and a
 * reminder that is due. A press is stored with its instant before anything else, then sent until the server has answered,
 * which knows a press that it gets twice. What the app gives (texts, addresses) is in the same database
 * (hooks/timer-notification.ts).
 */
const TIMER = 'stint-timer'
const DATABASE = 'stint-timer notification'
const NOTHING_ASKED = { question: null, reminder: null }

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
  const pages = await openPages()
  // A page that somebody sees asks and reminds by itself.
  const isSeen = pages.some(({ visibilityState }) => visibilityState === 'visible')
  const state = isSeen ? { ...timer, ...NOTHING_ASKED } : timer
  if (!shown || shown.data.timer.asOf <= timer.asOf) await show(state, settings)
  await sendPresses()
}

async function openPages() {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => url.startsWith(self.registration.scope))
}

async function open(notification) {
  if (notification.actions.length === 0) notification.close()
  const [page] = await openPages()
  await (page ? page.focus() : self.clients.openWindow('dashboard'))
}

async function press(kind, timer, settings) {
  const at = Date.now()
  const id = crypto.randomUUID().slice(0, 18)
  const { session, question } = timer
  const after = {
    ...timer,
    ...NOTHING_ASKED,
    ...afterPress(kind, timer, new Date(at).toISOString()),
  }
  // Only a question waits for an answer.
  if (kind === 'keep' && !question) return show(after, settings)
  const from = question ? { from: question } : {}
  try {
    await change('presses', (store) => store.add({ id, session, press: kind, at, ...from }))
  } catch {
    return show(timer, settings, 'notSaved')
  }
  await show(after, settings, 'waits')
  await sendPresses()
}

/** Returns what a press changes on the notification. */
function afterPress(kind, { question }, since) {
  if (kind === 'keep') return {}
  if (kind === 'stop-at') return { state: 'stopped', since: question }
  return { state: { pause: 'paused', resume: 'running', stop: 'stopped' }[kind], since }
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
      else await show(answer.timer, settings, answer.outcome)
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
  const { title, parts, presses } = askedOf(timer, settings) ?? stateOf(timer, settings)
  // A question is heard, once.
  const isNew = Boolean(timer.question) && sentence === undefined
  const options = {
    tag: TIMER,
    body: [...parts, texts[sentence]].filter(Boolean).join(' · '),
    icon,
    silent: !isNew,
    renotify: isNew,
    data: { timer, settings },
    actions: presses.map((action) => ({
      action,
      title: filled(texts[action], { time: timer.question && time(timer.question, settings) }),
    })),
  }
  return inTurn(() => self.registration.showNotification(title, options))
}

/** Returns what the notification says of the timer. */
function stateOf({ state, since, seconds, task }, settings) {
  const { texts } = settings
  const spent = state === 'stopped' && seconds !== null ? ` · ${duration(seconds, texts)}` : ''
  return {
    title: filled(texts[state], { time: since && time(since, settings) }) + spent,
    parts: [task],
    presses: { running: ['pause', 'stop'], paused: ['resume', 'stop'] }[state] ?? [],
  }
}

/** Returns the question or the reminder that the notification has in the place of the timer; null: none. */
function askedOf(timer, settings) {
  const { texts, language } = settings
  const { task, question, reminder } = timer
  const { kind, hours, at } = reminder ?? {}
  const named = (text) =>
    filled(texts[task === null ? text : `${text}Named`], {
      task,
      hours: hours?.toLocaleString(language),
    })
  if (question) {
    const text = filled(texts.unseen, { time: time(question, settings) })
    return { title: named('asked'), parts: [text], presses: ['keep', 'stop-at'] }
  }
  if (kind === 'goal')
    return { ...stateOf(timer, settings), title: texts.goal, parts: [named('goalText')] }
  if (!kind) return null
  const text = filled(texts[kind === 'long' ? `long${hours}` : kind], { time: time(at, settings) })
  return { title: named('asked'), parts: [text], presses: ['keep', 'stop'] }
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name])
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
