import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from '#ui/navigation.tsx'

const STORAGE_KEY = 'stint-scroll'
/** What a person does to a page. It stays where they see it from then on. */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Restores scroll positions as a browser does between documents: a new page starts at the top; Back,
 * Forward and a reload return to the previous position. A change of the query keeps the position.
 */
export function ScrollRestoration() {
  const { key, pathname } = useLocation()
  const places = useRef<Record<string, number> | null>(null)
  const lastPathname = useRef<string | null>(null)

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const save = () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(places.current))
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('pagehide', save)
      history.scrollRestoration = 'auto'
    }
  }, [])

  useLayoutEffect(() => {
    places.current ??= readPlaces()
    const known = places.current
    const isNewPage = pathname !== lastPathname.current
    lastPathname.current = pathname
    // A new entry of the history has a new key.
    let place = known[key]
    if (place === undefined && isNewPage) scrollTo(0, 0)
    // A page can be too short at first: its lists load, and its rows get their height as they come near.
    const restore = () => {
      if (place === undefined) return
      scrollTo(0, place)
      if (Math.abs(scrollY - place) < 1) place = undefined
    }
    const giveUp = () => {
      place = undefined
    }
    const note = () => {
      if (place === undefined) known[key] = scrollY
    }
    restore()
    const growth = new ResizeObserver(restore)
    growth.observe(document.documentElement)
    addEventListener('scroll', note, { passive: true })
    for (const type of USER_EVENTS) addEventListener(type, giveUp, { passive: true })
    return () => {
      growth.disconnect()
      removeEventListener('scroll', note)
      for (const type of USER_EVENTS) removeEventListener(type, giveUp)
    }
  }, [key, pathname])

  return null
}

/** Returns the scroll positions of this tab's history; empty when session storage is unavailable. */
function readPlaces(): Record<string, number> {
  try {
    const places: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
    return Object(places)
  } catch {
    return {}
  }
}
