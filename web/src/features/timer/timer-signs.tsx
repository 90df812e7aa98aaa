import { useEffect, useState } from 'react'
import type { Timer } from '@stint/core/timer/timer.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { announcement } from './timer-words.ts'

/** Effects of the timer outside the screens: the live region, the tab's icon, and the badge of the installed app. */
export function TimerSigns() {
  const { timer, taskName } = useTimer()
  const [heard, setHeard] = useState<{ timer: Timer; text: string }>({ timer, text: '' })

  // Set while rendering, not in an effect, so that the text and the state change together.
  const text = announcement(heard.timer, timer, taskName)
  if (text !== null) setHeard({ timer, text })

  const { timerInTitle } = useSettings()
  const sign = timerInTitle ? timer.status : 'idle'
  useEffect(() => {
    showIcon(sign)
    // After a sign-out, the tab's icon shows no timer.
    return () => showIcon('idle')
  }, [sign])

  const isRunning = sign === 'running'
  useEffect(() => {
    if (!isRunning) return undefined
    void showBadge()
    return () => void hideBadge()
  }, [isRunning])

  return (
    <div aria-live="polite" className="sr-only">
      {heard.text}
    </div>
  )
}

function showIcon(status: Timer['status']) {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]')
  if (link) link.href = ICONS[status]
}

/** Marks the icon of the installed app, where the platform can. */
async function showBadge() {
  await badge.setAppBadge?.().catch(() => undefined)
}

async function hideBadge() {
  await badge.clearAppBadge?.().catch(() => undefined)
}

/** Not every browser has it. */
const badge: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator

const ICONS: Record<Timer['status'], string> = {
  idle: `${import.meta.env.BASE_URL}icons/favicon.svg`,
  running: `${import.meta.env.BASE_URL}icons/favicon-running.svg`,
  paused: `${import.meta.env.BASE_URL}icons/favicon-paused.svg`,
}
