/** Keeps the badge in step with the timer, and starts a timer from the context menu. */
import { ACCESS, readAccess } from '#access.ts'
import { call } from '#api.ts'
import { showFailureOnBadge, showOnBadge } from '#badge.ts'
import { nameOf } from '#page.ts'
import { text } from '#text.ts'

const MENU = 'start'
const ALARM = 'badge'

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: MENU, title: text('menu'), contexts: ['selection'] })
})
chrome.runtime.onStartup.addListener(() => void refresh())
chrome.alarms.onAlarm.addListener(() => void refresh())
chrome.storage.onChanged.addListener((changes) => {
  if (ACCESS in changes) void refresh()
})
chrome.contextMenus.onClicked.addListener(({ selectionText }) => {
  void startSelection(nameOf(selectionText ?? ''))
})

// A browser may drop alarms when it ends.
void keepAlarm()

async function keepAlarm(): Promise<void> {
  const alarm = await chrome.alarms.get(ALARM)
  if (alarm === undefined) await chrome.alarms.create(ALARM, { periodInMinutes: 1 })
}

/** Asks the server for the timer, and shows it on the badge. */
async function refresh(): Promise<void> {
  const access = await readAccess()
  if (access === null) return showOnBadge(null)
  try {
    await showOnBadge((await call(access, 'GET now')).timer)
  } catch (error) {
    await showFailureOnBadge(error)
  }
}

/** Starts a timer on the task of this name. If that fails, the popup opens with the name and says why. */
async function startSelection(name: string): Promise<void> {
  if (name === '') return
  const access = await readAccess()
  try {
    if (access === null) throw new Error('not connected')
    await showOnBadge((await call(access, 'POST start', { newTask: name })).timer)
  } catch (error) {
    await showFailureOnBadge(error)
    const url = `popup.html?${String(new URLSearchParams({ line: name }))}`
    await chrome.windows.create({ url, type: 'popup', width: 400, height: 480 })
  }
}
