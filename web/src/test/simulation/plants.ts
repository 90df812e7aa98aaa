/** Planted bugs: a simulation that finds none of them would find nothing. */
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
