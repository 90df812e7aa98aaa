import type { Catalogue } from '../../server/src/catalogues.ts'

/**
 * Returns the catalogue with exactly these messages, which are in the order of the code. Those that it has keep their
 * places, and a new one, empty, follows the message before it in the code, so that no other line moves.
 */
export function nextCatalogue(catalogue: Catalogue, messages: ReadonlySet<string>): Catalogue {
  const order = Object.keys(catalogue).filter((message) => messages.has(message))
  let place = 0
  for (const message of messages) {
    if (Object.hasOwn(catalogue, message)) place = order.indexOf(message) + 1
    else order.splice(place++, 0, message)
  }
  return Object.fromEntries(order.map((message) => [message, catalogue[message] ?? '']))
}
