/** The badge on the button of the extension. */
import type { Timer } from '#api.ts'
import { Failure } from '#api.ts'
import { text } from '#text.ts'

const RUNNING = '#0b6e4f'
const PAUSED = '#8a5a00'
const DANGER = '#b3261e'

/** Shows whether a timer runs. */
export async function showOnBadge(timer: Timer | null): Promise<void> {
  if (timer === null) return show('', RUNNING, 'Stint')
  const { name } = timer.task
  if (timer.state === 'running') return show('●', RUNNING, text('badgeRunning', name))
  return show('II', PAUSED, text('badgePaused', name))
}

/** Shows that the server says nothing of the timer: '!' when it does not accept the key. Other failures change nothing. */
export async function showFailureOnBadge(failure: unknown): Promise<void> {
  const kind = failure instanceof Failure ? failure.kind : null
  if (kind === 'key') await show('!', DANGER, text('badgeKey'))
  if (kind === 'unreachable' || kind === 'not-allowed') await show('', RUNNING, 'Stint')
}

async function show(badge: string, color: string, title: string): Promise<void> {
  await chrome.action.setBadgeBackgroundColor({ color })
  await chrome.action.setBadgeTextColor({ color: '#ffffff' })
  await chrome.action.setBadgeText({ text: badge })
  await chrome.action.setTitle({ title })
}
