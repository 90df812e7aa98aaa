import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

const STORAGE_KEY = 'stint-scroll'

/**
 * Restores scroll positions as a browser does between documents: a new page starts at the top; Back,
 * Forward and a reload return to the previous position. A change of the query keeps the position.
 */
export function ScrollRestoration() {
  const { key, pathname } = useLocation()
  const navigation = useNavigationType()
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
    const place = navigation === NavigationType.Pop ? known[key] : undefined
    if (place !== undefined) scrollTo(0, place)
    else if (isNewPage) scrollTo(0, 0)
    const note = () => {
      known[key] = scrollY
    }
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [key, pathname, navigation])

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
