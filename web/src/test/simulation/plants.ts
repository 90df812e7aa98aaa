/** Planted bugs: a simulation that finds none of them would find nothing. */
import { confirmedSince } from '#sync/pull.ts'

import type { Page, Press } from './product.ts'

/** Every tenth press, when it is Stop, is said to be done and is not. */
export function forgetsStops({ kind }: Press, earlier: number): boolean {
  return kind === 'stop' && earlier % 10 === 9
}

/** Every entry is created under an id of its own, so that one that is sent again is there twice. */
export function savesUnderNewIds({ backend }: Page): void {
  const create = backend.create.bind(backend)
  let entries = 0
  backend.create = async (collection, id, data) => {
    entries += 1
    return create(collection, collection === 'time_entries' ? `${id}-${entries}` : id, data)
  }
}

/** What was pressed is confirmed before it is on the disk: a device that dies then has lost it. */
export function confirmsBeforeItWrites({ record }: Page): void {
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

/** A device that takes its clock for right: what it wrote before the server had answered is never corrected. */
export function trustsItsClock({ record }: Page): void {
  const reading = { offset: 0, isSure: true }
  Object.assign(record.clock, { reading: () => reading })
}

/** An entry that the server does not have any more is taken for one that was deleted. */
export function forgetsWhatIsMissing({ record, backend, userId }: Page): void {
  const list = backend.list.bind(backend)
  backend.list = async (collection, options) => {
    if (collection === 'time_entries') {
      const known = confirmedSince(record.view, collection, -Infinity)
      const { documents } = await list(collection, { equal: { userId }, limit: 1000 })
      for (const { $id } of documents) known.delete($id)
      await record.takeIn((draft) => {
        for (const id of known.keys()) draft.entries.remove(id)
      })
    }
    return list(collection, options)
  }
}
