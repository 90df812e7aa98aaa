/** What the server tells of changes. */
import { COLLECTION_IDS } from '@stint/core/collections.ts'

import type { Backend } from './backend.ts'
import { documentFrom } from './connection.ts'
import type { Connection } from './connection.ts'
import { documentEventOf, isAboutAccount } from './realtime-events.ts'

export function subscriptions({ sdk, config }: Connection): Pick<Backend, 'subscribe'> {
  return {
    subscribe({ onEvent, onAccountChanged, onOpen }) {
      let closed = false
      let isOpen = false
      let disconnect: (() => void) | null = null
      void (async () => {
        const { Channel, Realtime, client } = await sdk()
        if (closed) return
        const realtime = new Realtime(client)
        disconnect = () => void realtime.disconnect().catch(() => undefined)
        realtime.onOpen(() => {
          isOpen = true
          if (closed) disconnect?.()
          else onOpen()
        })
        realtime.onClose(() => {
          isOpen = false
          if (closed) disconnect?.()
        })
        const channels = COLLECTION_IDS.map((collection) =>
          Channel.database(config.databaseId).collection(collection).document(),
        )
        await realtime.subscribe([...channels, Channel.account()], (message) => {
          if (closed) return
          const { events, payload } = message
          const event = documentEventOf(events, (collection) => documentFrom(collection, payload))
          if (event) onEvent(event)
          else if (isAboutAccount(events)) onAccountChanged()
        })
        // The first connection may fail. The SDK keeps retrying with the same subscription.
      })().catch(() => undefined)
      return {
        close() {
          closed = true
          // Browsers log an error when a socket is closed while it connects. It is closed once it has
          // opened or failed.
          if (isOpen) disconnect?.()
        },
      }
    },
  }
}
