/** Shows notifications and plays sounds: a notification only while the page is hidden. */
import { useSettings } from '#hooks/use-settings.ts'
import { useRecord } from '#session/signed-in.ts'
import { isAskedByPush } from '#session/told-device.ts'

import { claimEvent } from './nudges.ts'

/** A hidden tab waits this long, so that a visible tab acts first. */
const HIDDEN_DELAY_MILLISECONDS = 1_500

export interface Announcement {
  readonly title: string
  readonly body: string
  /** Two soft tones: falling for a break, rising for work. */
  readonly tone?: 'up' | 'down'
  /** The buttons of the notification, where the platform supports them. */
  readonly answers?: readonly { readonly action: string; readonly title: string }[]
  /** Whether the server says it by push as well, on devices that want it. */
  readonly isPushed?: boolean
  /** What the action is about; passed to `onAnswer`. */
  readonly about?: string
}

/**
 * Returns a function that announces an event, unless this device has announced it before in any tab. It
 * resolves with whether it announced the event.
 */
export function useAnnounceOnce(): (
  event: string,
  announcement: Announcement,
  withSound?: boolean,
) => Promise<boolean> {
  const record = useRecord()
  const { notifications } = useSettings()
  return async (event, announcement, withSound = false) => {
    // When the record cannot be written, nothing is announced, as other tabs would repeat it.
    const isFirst = await record.write((draft) => claimEvent(draft, event)).catch(() => false)
    if (!isFirst) return false
    if (withSound && announcement.tone) play(announcement.tone)
    if (!notifications || document.visibilityState !== 'hidden') return true
    // A push says it on this device, with answers that need no page.
    if (announcement.isPushed && (await isAskedByPush())) return true
    // A failed notification does not prevent the message on the screen.
    await notify(announcement).catch(() => undefined)
    return true
  }
}

/** Returns how long this tab waits before announcing, in milliseconds. A visible tab goes first. */
export function announceDelay(): number {
  return document.visibilityState === 'hidden' ? HIDDEN_DELAY_MILLISECONDS : 0
}

/**
 * Subscribes to the actions of notifications about `about`; returns an unsubscribe function. The
 * service worker forwards them (public/notification-click.js).
 */
export function onAnswer(about: string, work: (answer: string) => void): () => void {
  const worker = navigator.serviceWorker
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null || !('answer' in data && 'to' in data)) return
    if (data.to === about && typeof data.answer === 'string') work(data.answer)
  }
  worker?.addEventListener('message', onMessage)
  return () => worker?.removeEventListener('message', onMessage)
}

/** Shows a notification if permitted. All share one tag, so a new one replaces the last. */
async function notify({ title, body, answers = [], about }: Announcement): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const icon = `${import.meta.env.BASE_URL}icons/icon-192.png`
  const options = { body, tag: 'stint', icon, data: about, actions: answers }
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  // Phones support only notifications of a service worker.
  if (worker?.active) return worker.showNotification(title, options)
  const notification = new Notification(title, { body, tag: 'stint', icon })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}

/** Plays a tone. It is synthesised, so that it needs no file and works offline. */
function play(tone: 'up' | 'down'): void {
  // Browsers log an error for sound before the first interaction. Older browsers cannot report it.
  if ('userActivation' in navigator && !navigator.userActivation.hasBeenActive) return
  try {
    const audio = new AudioContext()
    const notes = tone === 'up' ? [523.25, 783.99] : [783.99, 523.25]
    notes.forEach((frequency, index) => {
      const from = audio.currentTime + index * 0.22
      const loudness = new GainNode(audio, { gain: 0 })
      loudness.gain.setValueAtTime(0.0001, from)
      loudness.gain.exponentialRampToValueAtTime(0.12, from + 0.03)
      loudness.gain.exponentialRampToValueAtTime(0.0001, from + 0.7)
      const note = new OscillatorNode(audio, { type: 'sine', frequency })
      note.connect(loudness).connect(audio.destination)
      note.start(from)
      note.stop(from + 0.75)
      if (index === notes.length - 1) note.addEventListener('ended', () => void audio.close())
    })
  } catch {
    // Without audio the message on the screen is enough.
  }
}
