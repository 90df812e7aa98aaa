/** Launches of the installed app while it is open: by a link, a share or a shortcut of its icon. */
import { useEffect, useEffectEvent } from 'react'

import { useNavigate } from '#ui/navigation.tsx'

/** What lib.dom does not describe yet: https://wicg.github.io/web-app-launch/ */
interface WithLaunchQueue {
  launchQueue?: {
    setConsumer: (consumer: (launch: { readonly targetURL?: string }) => void) => void
  }
}

/**
 * Goes to where the app is launched, within the open page, so that nothing that is being typed is lost. The launch that
 * loaded the page is no other one.
 */
export function useLaunches(): void {
  const navigate = useNavigate()
  const launch = useEffectEvent((target: string) => {
    const path = pathOf(target)
    if (path !== null) navigate(path)
  })
  useEffect(() => {
    const { launchQueue }: WithLaunchQueue = window as Window & WithLaunchQueue
    launchQueue?.setConsumer(({ targetURL }) => {
      const isOther = targetURL !== loadedFrom
      loadedFrom = ''
      if (isOther && targetURL !== undefined) launch(targetURL)
    })
  }, [])
}

/** The address that loaded the page, until the browser has handed a launch over: its own is the first one. */
let loadedFrom = performance.getEntriesByType('navigation')[0]?.name ?? ''

/** Returns the path within the app, or null: a press on the icon only brings the app to the front. */
function pathOf(target: string): string | null {
  const { pathname, search, hash } = new URL(target)
  const base = import.meta.env.BASE_URL
  if (!pathname.startsWith(base)) return null
  const path = `/${pathname.slice(base.length)}${search}${hash}`
  return path === '/dashboard' ? null : path
}
