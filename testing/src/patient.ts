/** Lets `vi.waitFor` wait as `expect.poll` does. Its own default is a second, without a setting. */
import { vi } from 'vitest'
import { MAX_WAIT } from './waits.ts'

const { waitFor } = vi
vi.waitFor = (check, options) =>
  waitFor(check, {
    timeout: MAX_WAIT,
    ...(typeof options === 'number' ? { timeout: options } : options),
  })
