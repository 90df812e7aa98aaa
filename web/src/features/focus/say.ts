/** Saying something aloud: a tone, and a notification of the system when the page is not in sight. */
import { useSettings } from '#features/settings/api.ts'
import { useRecord } from '#session/signed-in.ts'

import { sayOnce } from './nudges.ts'

/** A tab that nobody sees lets one that is seen go first. */
const AFTER_YOU_MILLISECONDS = 1_500

export interface Said {
  readonly title: string
  readonly body: string
  /** Two soft tones, falling to a break and rising to work. */
  readonly tone?: 'up' | 'down'
  /** Buttons of the notification, where it can have some, and what the answer is about. */
  readonly answers?: readonly { readonly action: string; readonly title: string }[]
  readonly about?: string
}

/**
 * Says something about an event, unless this device has done so already: in this tab, another one, or
 * before a reload. Returns whether it was said.
 */
export function useSayOnce(): (event: string, said: Said, withSound?: boolean) => Promise<boolean> {
  const record = useRecord()
  const { notifications } = useSettings()
  return async (event, said, withSound = false) => {
    // What cannot be noted is not said: other tabs would say it as well.
    const isFirst = await record.write((draft) => sayOnce(draft, event)).catch(() => false)
    if (!isFirst) return false
    if (withSound && said.tone) play(said.tone)
    // One that cannot be shown is no reason not to say it on the screen.
    if (notifications && document.visibilityState === 'hidden') {
      await notify(said).catch(() => undefined)
    }
    return true
  }
}

/** How long this tab waits before it says something, milliseconds: one that is seen goes first. */
export function patience(): number {
  return document.visibilityState === 'hidden' ? AFTER_YOU_MILLISECONDS : 0
}

/**
 * Calls back with what was pressed on a notification about `about`; returns an unsubscribe function. The
 * service worker hands it on (public/notification-click.js).
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

/** Shows a notification if the browser may. All of ours have one tag: a new one replaces the last. */
async function notify({ title, body, answers = [], about }: Said): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
  const icon = `${import.meta.env.BASE_URL}icons/icon-192.png`
  const options = { body, tag: 'stint', icon, data: about, actions: answers }
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  // Phones show those of a service worker only.
  if (worker?.active) return worker.showNotification(title, options)
  const notification = new Notification(title, { body, tag: 'stint', icon })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}

/** Made by the browser itself: no file to load, so it sounds without a network too. */
function play(tone: 'up' | 'down'): void {
  // A page that nobody has touched yet may not sound, and the browser would complain. Older ones
  // cannot say whether it was.
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
    // No sound here: the words are on the screen.
  }
}
