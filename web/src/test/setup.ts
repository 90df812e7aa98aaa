/** The setup before every test of the web app: a database, and a console that must stay silent. */
import 'fake-indexeddb/auto'
import { cleanup, configure, getConfig } from '@testing-library/react'
import { MAX_WAIT } from '@stint/testing/waits.ts'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import '@stint/testing/patient.ts'

import { closeServerOfFile } from './server-of-file.ts'

// A wait looks twenty times a second, and printed the page each time, for which a tenth of the time went. Now it is
// printed once, when the wait is over.
const { getElementError } = getConfig()
configure({
  asyncUtilTimeout: MAX_WAIT,
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
      ? new Error(message ?? '')
      : getElementError(message, container),
})

// jsdom has no layout to scroll.
window.scrollTo = () => undefined
// Nor does it know a pointer or a theme: no query matches.
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
  })
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  for (const method of ['error', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => {
      throw new Error(`console.${method}: ${said.map(String).join(' ')}`)
    })
  }
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

afterAll(closeServerOfFile)
