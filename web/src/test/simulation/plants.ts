/** Planted bugs, which prove that the simulation can find bugs. */
import { editKey } from '@stint/core/device/draft.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import { confirmedSince } from '@stint/core/device/restored-backend.ts'
import { logOf, settle } from '@stint/core/device/session-log.ts'
import { isUnanswered } from '@stint/core/device/unsent-sessions.ts'

import type { Change } from '#record/record.ts'

import type { Parts, Press } from './product.ts'

/** Confirms every third press without making it, when it is Stop. */
export function forgetsStops({ kind }: Press, earlier: number): boolean {
  return kind === 'stop' && earlier % 3 === 2
}

/** A device that misses its entry saves it for ever. After so many it may end. */
const MAX_NEW_IDS = 20

/** Creates entries under ids of their own, so that a retry creates a duplicate. */
export function savesUnderNewIds({ backend }: Parts): void {
  const create = backend.create.bind(backend)
  let entries = 0
  backend.create = async (collection, id, data) => {
    if (collection !== 'time_entries' || entries >= MAX_NEW_IDS) return create(collection, id, data)
    entries += 1
    return create(collection, `${id}-${entries}`, data)
  }
}

/** Confirms a press before it is on the disk. A device that dies at that moment loses the press. */
export function confirmsBeforeItWrites({ record }: Parts): void {
  const write = record.write.bind(record)
  record.write = async (change) =>
    new Promise((resolve, reject) => {
      const written = write((draft) => {
        const result = change(draft)
        resolve(result)
        return result
      })
      written.catch(reject)
    })
}

/**
 * Trusts the device's clock, so that what was written before the first answer is never corrected.
 */
export function trustsItsClock({ record }: Parts): void {
  const reading = { offset: 0, isSure: true, since: 0, leaps: [] }
  Object.assign(record.clock, { reading: () => reading })
}

/** Treats an entry that is missing on the server as deleted. */
export function forgetsWhatIsMissing({ record, backend, userId }: Parts): void {
  const list = backend.list.bind(backend)
  backend.list = async (collection, options) => {
    if (collection === 'time_entries') {
      const known = confirmedSince(record.view, 'entry', -Infinity)
      const { documents } = await list(collection, { equal: { userId }, limit: 1000 })
      for (const { $id } of documents) known.delete($id)
      await record.takeIn((draft) => {
        for (const id of known.keys()) draft.entries.remove(id)
      })
    }
    return list(collection, options)
  }
}

/** Takes what it has sent once for stored, so that it sends nothing again. */
export function resendsNothing({ record }: Parts): void {
  const sent = new Set<string>()
  afterEach(record, (draft) => {
    for (const edit of draft.edits.all()) {
      const what = `${edit.id} ${draft.entries.get(edit.id)?.log ?? ''}`
      if (edit.sent.length > 0) sent.add(what)
      if (sent.has(what)) draft.edits.remove(editKey(edit))
    }
    for (const session of draft.sessions.all()) {
      const { base, log } = session
      if (base && isUnanswered(session)) draft.sessions.put({ ...session, base: { ...base, log } })
    }
  })
}

/** Writes over whatever the server has. */
export function writesBlindly({ backend }: Parts): void {
  const before = { ...backend }
  backend.update = async (collection, id, data) => before.update(collection, id, data)
  backend.delete = async (collection, id) => before.delete(collection, id)
  backend.saveTogether = async (collection, documents) =>
    before.saveTogether(
      collection,
      documents.map((each) => ({ ...each, unchangedSince: undefined })),
    )
}

/** Never says what its screen showed when news takes a running timer from it. */
export function leavesOutShowed({ record }: Parts): void {
  afterEach(record, (draft) => {
    for (const { id } of [...draft.sessions.all(), ...draft.entries.all()]) {
      const log = logOf(draft, id)
      const rest = log.filter(
        ({ device, action }) => action.kind !== 'showed' || device !== draft.writer,
      )
      if (rest.length < log.length) settle(draft, id, rest)
    }
  })
}

/** Places the events of a request without an answer anew, as if its clock had not been confirmed. */
export function placesAnew({ record }: Parts): void {
  afterEach(record, (draft) => {
    for (const session of draft.sessions.all().filter(isUnanswered)) {
      const log = logOf(draft, session.id)
      const placed = log.map((event) =>
        event.device === draft.writer ? { ...event, at: event.at + 1 } : event,
      )
      settle(draft, session.id, placed)
    }
  })
}

/** Does something in the transaction of each change. */
function afterEach(record: Parts['record'], work: (draft: Draft) => void): void {
  for (const commit of ['write', 'takeIn'] as const) {
    const made = record[commit].bind(record)
    record[commit] = async <T>(change: Change<T>) =>
      made((draft) => {
        const result = change(draft)
        work(draft)
        return result
      })
  }
}
