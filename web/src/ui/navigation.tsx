/**
 * Navigation within the app, on the browser's History API: the current location, links, matching of paths. All paths
 * are paths within the app, without the folder from which it is served
 * (docs/decisions/0042-what-loads-first.md).
 */
import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'

/** Where the app is. Every navigation makes a new object, even one to the same address. */
export interface Location {
  /** The path within the app: '/tasks'. */
  readonly pathname: string
  /** The query with its '?'; '' without a query. */
  readonly search: string
  /** The place on the page with its '#'; '' without one. */
  readonly hash: string
  /** What the navigation passed on, else null. The browser keeps it over a reload. */
  readonly state: unknown
  /** Identifies the entry of the history, also after Back, Forward and a reload. */
  readonly key: string
}

export interface NavigateOptions {
  /** Replaces the current entry of the history instead of adding one. */
  readonly replace?: boolean | undefined
  /** Passed on as `state` of the location. Must be cloneable. */
  readonly state?: unknown
}

/** The parameters of a path: `taskId` of '/tasks/:taskId'. */
export type Params = Readonly<Partial<Record<string, string>>>

/** The folder from which the app is served, without its last slash: '' or '/stint'. */
const BASE = import.meta.env.BASE_URL.replace(/\/$/, '')

/** The location of a page that is prerendered, which has no address yet. */
const NOWHERE: Location = { pathname: '/', search: '', hash: '', state: null, key: '' }

/** The location of the screen that is shown, which stays while the next one loads. */
export const LocationContext = createContext(NOWHERE)

/** The parameters in the path of the screen that is shown. */
export const ParamsContext = createContext<Params>({})

/** Provides the location of the browser to its children. */
export function Router({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(currentLocation)
  useLayoutEffect(() => {
    const update = () => setLocation(currentLocation())
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  }, [])
  return <LocationContext value={location}>{children}</LocationContext>
}

/** Returns where the browser is. Components call `useLocation`. */
export function currentLocation(): Location {
  const { pathname, search, hash } = window.location
  const { state = null, key = nameEntry() }: Partial<Location> = Object(history.state)
  const isWithin = pathname.startsWith(BASE)
  const within = isWithin ? pathname.slice(BASE.length) || '/' : pathname
  return { pathname: within, search, hash, state, key }
}

/**
 * Gives the current entry of the history a key, and returns it. An entry that the browser made has none: that
 * of a typed address, of a link from elsewhere, or of a link to a place on the page.
 */
function nameEntry(): string {
  const key = newKey()
  history.replaceState({ ...Object(history.state), key }, '')
  return key
}

function newKey(): string {
  return Math.random().toString(36).slice(2)
}

let navigations = 0

/** Returns whether this document has navigated: the page on the screen is not the one with which it was opened. */
export function hasNavigated(): boolean {
  return navigations > 0
}

/** Goes to a path of the app, '/tasks?q=report', or to another query of the current path, '?q=report'. */
export function navigate(
  to: string,
  { replace = false, state = null }: NavigateOptions = {},
): void {
  const entry = { state, key: newKey() }
  navigations += 1
  try {
    history[replace ? 'replaceState' : 'pushState'](entry, '', hrefOf(to))
  } catch {
    // Safari refuses more than 100 in 30 seconds. Loading the page anew is always possible.
    return window.location.assign(hrefOf(to))
  }
  // The browser sends this event for Back and Forward only.
  dispatchEvent(new PopStateEvent('popstate', { state: entry }))
}

/** Returns the location of the screen. Every navigation renders the component again. */
export function useLocation(): Location {
  return useContext(LocationContext)
}

/** Returns `navigate`, always the same function. */
export function useNavigate(): typeof navigate {
  return navigate
}

/** Returns the parameters in the path of the screen. They are not decoded. */
export function useParams(): Params {
  return useContext(ParamsContext)
}

/** Returns the parameters of the query, and the function that replaces them all. That one never changes. */
export function useSearchParams(): readonly [URLSearchParams, typeof setSearchParams] {
  const { search } = useLocation()
  const parameters = useMemo(() => new URLSearchParams(search), [search])
  return [parameters, setSearchParams]
}

function setSearchParams(
  next: URLSearchParams | Readonly<Record<string, string>>,
  options?: NavigateOptions,
): void {
  const query = new URLSearchParams(next).toString()
  navigate(currentLocation().pathname + (query && `?${query}`), options)
}

/**
 * Returns the parameters of `pathname` if it has the pattern, '/tasks/:taskId', else null. Upper and lower case are
 * the same, and a slash at the end does not count.
 */
export function matchPath(pattern: string, pathname: string): Params | null {
  const source = pattern.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
  const match = new RegExp(`^${source}/?$`, 'i').exec(pathname)
  return match && { ...match.groups }
}

/** Goes elsewhere as soon as it is rendered. */
export function Navigate({ to, replace, state }: NavigateOptions & { to: string }) {
  useEffect(() => navigate(to, { replace, state }), [to, replace, state])
  return null
}

type LinkProps = NavigateOptions & { to: string } & Omit<ComponentProps<'a'>, 'href'>

/**
 * A link to a path of the app. The browser handles clicks with a modifier key or another button, and links with a
 * `target`. As in a browser, a link to the current address adds no entry to the history.
 */
export function Link({ to, replace, state, onClick, children, ...attributes }: LinkProps) {
  return (
    <a {...attributes} href={hrefOf(to)} onClick={open}>
      {children}
    </a>
  )

  function open(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey, currentTarget } = event
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    if (currentTarget.target !== '') return
    event.preventDefault()
    const isHere = currentTarget.href === window.location.href
    navigate(to, { replace: replace ?? isHere, state })
  }
}

/** A link that says whether its page, or a page below it, is the current one; `isWithin` one behind it. */
export function NavLink({ isWithin = false, ...props }: LinkProps & { isWithin?: boolean }) {
  const { pathname } = useLocation()
  const isCurrent = pathname === props.to || pathname.startsWith(`${props.to}/`)
  return <Link {...props} aria-current={isCurrent ? 'page' : isWithin || undefined} />
}

function hrefOf(to: string): string {
  return to.startsWith('/') ? BASE + to : to
}
