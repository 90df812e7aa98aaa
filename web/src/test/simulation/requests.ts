/**
 * What no request may do, whatever goes wrong: change an event that an earlier request had, leave out an
 * event that the document has, because it was written over a state that was not read, or be one of a
 * device that asks without an end.
 */
import { eventsIn } from './heard.ts'

/** A document in a request or in an answer. */
export interface SentDocument {
  readonly id: string
  readonly log: string | null
}

const MINUTE = 60_000
/** A device that is pressed all the time makes about 150 requests in a minute, one without an end 350. */
const MAX_PER_MINUTE = 250

/** Returns a judge of the requests of all devices. `say` receives each violation in words. */
export function createRequestJudge(say: (violation: string) => void) {
  /** What a request has said of each event. */
  const fixed = new Map<string, string>()
  /** The events of each document as it is stored, by collection and id. */
  const stored = new Map<string, ReadonlySet<string>>()

  /** The requests of each device in its present minute. */
  const counts = new Map<string, { minute: number; count: number }>()

  return {
    /** Counts a request of a device, at `now` in milliseconds. */
    asked(device: string, now: number): void {
      const minute = Math.floor(now / MINUTE)
      const known = counts.get(device)
      const count = known?.minute === minute ? known.count + 1 : 1
      counts.set(device, { minute, count })
      if (count === MAX_PER_MINUTE) say('asks without an end')
    },

    /** Judges a request, whether it arrives or not. */
    sent(documents: readonly SentDocument[]): void {
      for (const event of documents.flatMap(({ id, log }) => eventsIn(id, log))) {
        const known = fixed.get(event.key)
        if (known !== undefined && known !== event.fixed) say(`written anew: ${event.key}`)
        fixed.set(event.key, event.fixed)
      }
    },

    /** Judges a write by what is stored after it. */
    stored(collection: string, documents: readonly SentDocument[]): void {
      for (const { id, log } of documents) {
        const keys = new Set(eventsIn(id, log).map(({ key }) => key))
        for (const key of stored.get(`${collection} ${id}`) ?? [])
          if (!keys.has(key)) say(`written over: ${key}`)
        stored.set(`${collection} ${id}`, keys)
      }
    },

    /** The documents are not as they were: one was deleted, or the server comes from a backup. */
    forget(collection?: string, id?: string): void {
      if (collection === undefined) stored.clear()
      else stored.delete(`${collection} ${id ?? ''}`)
    },
  }
}
