/**
 * Bounds the memory of replies: a client that requests long lists and does not read them must not
 * use up the server's memory. A reply counts from before it is read from the database until it is
 * sent.
 */
import { DatabaseUnavailable } from '#storage/database.ts'

const MEBIBYTE = 1_048_576

/** The bounds of the replies to one owner, and of all replies. */
const MAX_OWNER_BYTES = 32 * MEBIBYTE
const MAX_BYTES = 128 * MEBIBYTE

/** How many requests of one owner may wait. */
const MAX_OWNER_WAITING = 100
/** How long a request may wait, in milliseconds. */
const MAX_WAIT = 3000

export interface Reservation {
  /** Replaces the estimate by the size of the reply. */
  resize(bytes: number): void
  /** Must be called when the reply is sent or its request has failed. Further calls do nothing. */
  readonly release: () => void
}

export interface ReplyBudget {
  /**
   * Resolves when there is room for a reply of `bytes` to `owner`, in the order of the calls. A
   * reply that is larger than the bound is admitted if it is the only one.
   * @throws DatabaseUnavailable when too many requests of the owner wait, or this one waits too
   * long.
   */
  reserve(owner: string, bytes: number): Promise<Reservation>
}

export function replyBudget(): ReplyBudget {
  const owners = new Map<string, Owner>()
  let total = 0

  return {
    async reserve(owner, bytes) {
      const own = owners.get(owner) ?? { bytes: 0, waiting: [] }
      owners.set(owner, own)
      if (own.waiting.length > 0 || !hasRoom(own, bytes)) await waitForRoom(own, bytes)
      else count(own, bytes)
      return reservation(owner, own, bytes)
    },
  }

  function hasRoom(own: Owner, bytes: number): boolean {
    const fitsOwner = own.bytes === 0 || own.bytes + bytes <= MAX_OWNER_BYTES
    return fitsOwner && (total === 0 || total + bytes <= MAX_BYTES)
  }

  function count(own: Owner, bytes: number): void {
    own.bytes += bytes
    total += bytes
  }

  /** Resolves when the `bytes` are counted for the owner. */
  function waitForRoom(own: Owner, bytes: number): Promise<void> {
    if (own.waiting.length >= MAX_OWNER_WAITING) {
      throw new DatabaseUnavailable('Too many lists of this account are waiting')
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { bytes, admit: resolve }
      const timeout = setTimeout(() => {
        own.waiting.splice(own.waiting.indexOf(waiter), 1)
        reject(new DatabaseUnavailable('A list has waited too long for room'))
      }, MAX_WAIT)
      waiter.admit = () => {
        clearTimeout(timeout)
        resolve()
      }
      own.waiting.push(waiter)
    })
  }

  function reservation(owner: string, own: Owner, reserved: number): Reservation {
    let bytes = reserved
    let isReleased = false
    return {
      resize(actual) {
        if (isReleased) return
        count(own, actual - bytes)
        bytes = actual
        admitWaiting()
      },
      release() {
        if (isReleased) return
        isReleased = true
        count(own, -bytes)
        admitWaiting()
        if (own.bytes === 0 && own.waiting.length === 0) owners.delete(owner)
      },
    }
  }

  /** Admits the waiting requests for which there is room, those of each owner in order. */
  function admitWaiting(): void {
    for (const own of owners.values()) {
      for (let next = own.waiting[0]; next !== undefined; next = own.waiting[0]) {
        if (!hasRoom(own, next.bytes)) break
        own.waiting.shift()
        count(own, next.bytes)
        next.admit()
      }
    }
  }
}

interface Owner {
  bytes: number
  readonly waiting: Waiter[]
}

interface Waiter {
  readonly bytes: number
  admit: () => void
}
