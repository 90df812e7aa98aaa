/** Reads the event names of a realtime message. A message has several names in no particular order. */
import type { CollectionId } from '@stint/core/collections.ts'

import type { DocumentEvent, DocumentOf } from './backend.ts'
import { isCollectionId } from './config.ts'

const DOCUMENT_EVENT =
  /^databases\.[^.]+\.collections\.(?<collection>[^.]+)\.documents\.[^.]+\.(?<action>\w+)$/
const ACCOUNT_EVENT = /^users\./

/** Returns the document event that the names describe; null when no name is about a document. */
export function documentEventOf(
  events: readonly string[],
  documentFrom: <C extends CollectionId>(collection: C) => DocumentOf<C>,
): DocumentEvent | null {
  const named = events.flatMap((event) => {
    const { collection = '', action = '' } = DOCUMENT_EVENT.exec(event)?.groups ?? {}
    return isCollectionId(collection) ? [{ collection, action }] : []
  })
  const [first] = named
  if (!first) return null
  const action = named.some((each) => each.action === 'delete') ? 'delete' : 'upsert'
  const { collection } = first
  switch (collection) {
    case 'tasks':
      return { collection, action, document: documentFrom(collection) }
    case 'timer_sessions':
      return { collection, action, document: documentFrom(collection) }
    case 'time_entries':
      return { collection, action, document: documentFrom(collection) }
  }
}

/** Returns whether a name is about the account: its name, password, preferences or sign-ins. */
export function isAboutAccount(events: readonly string[]): boolean {
  return events.some((event) => ACCOUNT_EVENT.test(event))
}
