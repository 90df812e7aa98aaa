import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import {
  currentLocation,
  Link,
  matchPath,
  navigate,
  Navigate,
  NavLink,
  Router,
  useLocation,
  useSearchParams,
} from './navigation.tsx'
import type { Location } from './navigation.tsx'

/** The locations with which the screen has been rendered. */
let seen: Location[]

beforeEach(() => {
  seen = []
  history.pushState(null, '', '/tasks')
})

function Screen() {
  const location = useLocation()
  if (seen.at(-1) !== location) seen.push(location)
  return null
}

function open(content?: ReactNode) {
  return render(
    <Router>
      <Screen />
      {content}
    </Router>,
  )
}

/** Clicks the link; returns whether the browser has to follow it. */
function isLeftToBrowser(click: MouseEventInit = {}): boolean {
  let isLeft = false
  const listener = (event: MouseEvent) => {
    isLeft = !event.defaultPrevented
    event.preventDefault()
  }
  window.addEventListener('click', listener, { once: true })
  fireEvent.click(link(), click)
  return isLeft
}

const last = () => seen.at(-1)
const link = () => screen.getByRole<HTMLAnchorElement>('link')
const address = () => location.pathname + location.search

async function back() {
  const before = last()
  await act(async () => {
    history.back()
    await vi.waitFor(() => expect(last()).not.toBe(before))
  })
}

describe('the history', () => {
  test('A link adds an entry with its state, and Back returns to the entry before', async () => {
    open(<Link to="/login" state={{ email: 'ada@example.com' }} />)
    act(() => navigate('/signup', { state: 'first' }))
    const before = last()
    const length = history.length
    fireEvent.click(link())
    expect(history.length).toBe(length + 1)
    expect(last()).toMatchObject({
      pathname: '/login',
      search: '',
      state: { email: 'ada@example.com' },
    })
    expect(last()?.key).not.toBe(before?.key)

    await back()
    expect(last()).toEqual(before)
    expect(before).toMatchObject({ pathname: '/signup', state: 'first' })
  })

  test('A navigation that replaces adds no entry, and its key is new', () => {
    open()
    const { length } = history
    const keys = new Set([last()?.key])
    for (const to of ['/reports', '/data']) {
      act(() => navigate(to, { replace: true }))
      expect(last()).toMatchObject({ pathname: to, state: null })
      keys.add(last()?.key)
    }
    expect(history.length).toBe(length)
    expect(keys.size).toBe(3)
  })

  test('A link to the current address adds no entry but is a new location', () => {
    open(<Link to="/tasks?q=report" />)
    fireEvent.click(link())
    const first = last()
    const { length } = history
    fireEvent.click(link())
    expect(history.length).toBe(length)
    expect(last()).not.toBe(first)
    expect(last()).toMatchObject({ pathname: '/tasks', search: '?q=report' })
  })

  test('An entry that the browser made gets a key of its own, which stays', async () => {
    open()
    const opened = last()
    // As for a typed address or a link to a place on the page.
    history.pushState(null, '', '/tasks#main')
    act(() => void dispatchEvent(new PopStateEvent('popstate')))
    const within = last()
    expect(within).toMatchObject({ pathname: '/tasks', hash: '#main', state: null })
    expect(within?.key).not.toBe(opened?.key)
    expect(currentLocation()).toEqual(within)

    await back()
    expect(last()).toEqual(opened)
  })

  test('A reload keeps the state and the key', () => {
    const { unmount } = open()
    act(() => navigate('/signout', { state: 17 }))
    const before = last()
    unmount()
    open()
    expect(last()).not.toBe(before)
    expect(last()).toEqual(before)
  })

  test('A redirect replaces the address and passes its state on', async () => {
    const { length } = history
    open(<Navigate to="/login" state="?start=last" replace />)
    await waitFor(() => expect(last()?.pathname).toBe('/login'))
    expect(last()?.state).toBe('?start=last')
    expect(history.length).toBe(length)
  })
})

test('Where the browser refuses more entries, the page is loaded instead', () => {
  const refused = vi.spyOn(history, 'pushState').mockImplementation(() => {
    throw new DOMException('Too many', 'SecurityError')
  })
  open()
  // The part after '#' is the only one that a test can load.
  act(() => navigate('/tasks#here'))
  refused.mockRestore()
  expect(location.hash).toBe('#here')
})

describe('links', () => {
  test.each([
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
    { altKey: true },
    { button: 1 },
  ])('A click with %o is left to the browser', (click) => {
    open(<Link to="/reports" />)
    expect(isLeftToBrowser(click)).toBe(true)
    expect(address()).toBe('/tasks')
    expect(isLeftToBrowser()).toBe(false)
    expect(address()).toBe('/reports')
  })

  test('A link that opens another tab is left to the browser', () => {
    open(<Link to="/terms" target="_blank" />)
    expect(isLeftToBrowser()).toBe(true)
    expect(address()).toBe('/tasks')
  })

  test('A click that the page handles itself goes nowhere', () => {
    open(<Link to="/reports" onClick={(event) => event.preventDefault()} />)
    expect(isLeftToBrowser()).toBe(false)
    expect(address()).toBe('/tasks')
  })

  test('The navigation marks the link of the current page and of the pages below it', () => {
    open(<NavLink to="/tasks" />)
    expect(link().getAttribute('aria-current')).toBe('page')
    act(() => navigate('/tasks/a1?view=daily'))
    expect(link().getAttribute('aria-current')).toBe('page')
    act(() => navigate('/tasks-of-others'))
    expect(link().getAttribute('aria-current')).toBeNull()
  })

  test('A page that is prerendered has links without a router', () => {
    expect(renderToStaticMarkup(<Link to="/terms">Terms</Link>)).toBe('<a href="/terms">Terms</a>')
  })
})

describe('the query', () => {
  let set: ReturnType<typeof useSearchParams>[1]

  function Query({ name }: { name: string }) {
    const [parameters, setParameters] = useSearchParams()
    useEffect(() => {
      set = setParameters
    }, [setParameters])
    return <output>{parameters.get(name)}</output>
  }

  test.each(['report', '100% & more', '%2541', 'a+b=c#d?e', 'שיחה'])(
    'The text %o is the same after it was in the address',
    (text) => {
      open(<Query name="q" />)
      act(() => set({ q: text }))
      expect(screen.getByRole('status').textContent).toBe(text)
    },
  )

  test('New parameters replace all others on the same path', () => {
    open(<Query name="view" />)
    act(() => navigate('/reports?view=monthly&from=2026-01-01'))
    const { length } = history
    act(() => set({ view: 'weekly' }, { replace: true }))
    expect(address()).toBe('/reports?view=weekly')
    expect(history.length).toBe(length)
    act(() => set({}))
    expect(address()).toBe('/reports')
    expect(history.length).toBe(length + 1)
  })

  test('A link to a query stays on the path', () => {
    open(<Link to="?view=daily" />)
    act(() => navigate('/tasks/a1?view=monthly&day=2026-11-18'))
    fireEvent.click(link())
    expect(address()).toBe('/tasks/a1?view=daily')
  })
})

test.each([
  ['/', '/', {}],
  ['/', '/tasks', null],
  ['/tasks', '/tasks', {}],
  ['/tasks', '/Tasks/', {}],
  ['/tasks', '/tasks/a1', null],
  ['/tasks', '/my/tasks', null],
  ['/tasks/:taskId', '/tasks', null],
  ['/tasks/:taskId', '/tasks/', null],
  ['/tasks/:taskId', '/tasks/aB-1', { taskId: 'aB-1' }],
  ['/tasks/:taskId', '/tasks/%E0%A4%A/', { taskId: '%E0%A4%A' }],
  ['/tasks/:taskId', '/tasks/a1/b2', null],
  ['/data/print', '/data/print', {}],
])('The pattern %s gives for the path %s the parameters %o', (pattern, path, parameters) => {
  expect(matchPath(pattern, path)).toEqual(parameters)
})

describe('an app in a folder', () => {
  test('Links and navigations are within the folder, and locations do not contain it', async () => {
    vi.stubEnv('BASE_URL', '/time/')
    vi.resetModules()
    try {
      const app = await import('./navigation.tsx')
      history.pushState(null, '', '/time/tasks?q=report')
      expect(app.currentLocation()).toMatchObject({ pathname: '/tasks', search: '?q=report' })
      render(
        <app.Router>
          <app.Link to="/reports" />
        </app.Router>,
      )
      expect(link().getAttribute('href')).toBe('/time/reports')
      fireEvent.click(link())
      expect(address()).toBe('/time/reports')
      expect(app.currentLocation().pathname).toBe('/reports')
      act(() => app.navigate('/', { replace: true }))
      expect(address()).toBe('/time/')
      for (const path of ['/time/', '/time']) {
        history.replaceState(null, '', path)
        expect(app.currentLocation().pathname).toBe('/')
      }
    } finally {
      vi.unstubAllEnvs()
      vi.resetModules()
    }
  })
})
