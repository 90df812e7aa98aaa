/** What the events of a realtime message say. A message has many names; their order says nothing. */
import type { CollectionId } from '@stint/core/collections.ts'

import type { DocumentEvent, DocumentOf } from './backend.ts'
import { isCollectionId } from './config.ts'

const DOCUMENT_EVENT =
  /^databases\.[^.]+\.collections\.(?<collection>[^.]+)\.documents\.[^.]+\.(?<action>\w+)$/
const ACCOUNT_EVENT = /^users\./

/** What happened to one of our documents; null when no name is about one. */
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

/** Whether any of the names is about the account: its name, password or preferences, or a sign-in. */
export function isAboutAccount(events: readonly string[]): boolean {
  return events.some((event) => ACCOUNT_EVENT.test(event))
}
