/** Planted bugs, which prove that the simulation can find bugs. */
import { confirmedSince } from '@stint/core/device/restored-backend.ts'

import type { Parts, Press } from './product.ts'

/** Confirms every tenth press without making it, when it is Stop. */
export function forgetsStops({ kind }: Press, earlier: number): boolean {
  return kind === 'stop' && earlier % 10 === 9
}

/** Creates every entry under an id of its own, so that a retry creates a duplicate. */
export function savesUnderNewIds({ backend }: Parts): void {
  const create = backend.create.bind(backend)
  let entries = 0
  backend.create = async (collection, id, data) => {
    entries += 1
    return create(collection, collection === 'time_entries' ? `${id}-${entries}` : id, data)
  }
}

/** Confirms a press before it is on the disk. A device that dies at that moment loses the press. */
export function confirmsBeforeItWrites({ record }: Parts): void {
  const write = record.write.bind(record)
  record.write = async (change) =>
    new Promise((resolve, reject) => {
      const written = write((draft, now) => {
        const result = change(draft, now)
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
