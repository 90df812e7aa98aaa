import { expect, test } from 'vitest'

import type { Backend } from './backend.ts'
import { readBackendConfig } from './config.ts'
import { lazyBackend } from './lazy-backend.ts'

test('A subscription whose code could not be loaded begins when the network returns, unless it was closed', async () => {
  const handlers = { onEvent: () => {}, onAccountChanged: () => {}, onOpen: () => {} }
  const subscribed = Promise.withResolvers<unknown>()
  let subscriptions = 0
  let loads = 0
  const loaded: Partial<Backend> = {
    subscribe(given) {
      subscriptions++
      subscribed.resolve(given)
      return { close: () => undefined }
    },
  }
  const backend = lazyBackend(readBackendConfig(), async () => {
    loads++
    if (loads === 1) throw new Error('no network')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is called
    return loaded as Backend
  })
  backend.subscribe(handlers)
  backend.subscribe({ ...handlers }).close()
  await expect(backend.currentUser()).rejects.toThrow('Part of the app')

  dispatchEvent(new Event('online'))
  expect(await subscribed.promise).toBe(handlers)
  expect(subscriptions).toBe(1)
})
