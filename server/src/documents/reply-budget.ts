/**
 * How much of replies may be in memory at a time: whoever asks for long lists and reads no answer must
 * not use up the memory of all. A reply counts from before it is put together until it is sent.
 */
import { DatabaseUnavailable } from '#storage/database.ts'

const MEBIBYTE = 1_048_576

/** What one owner's replies may take, and those of all, in bytes. */
const MAX_BYTES_OF_ONE = 32 * MEBIBYTE
const MAX_BYTES = 128 * MEBIBYTE

/** How many requests of one owner may wait for room, and how long each, in milliseconds. */
const MAX_WAITING_OF_ONE = 100
const MAX_WAIT = 3000

export interface Reservation {
  /** Corrects what was estimated, once the reply is there. */
  resize(bytes: number): void
  /** To be called once the reply is sent, or will not be. */
  readonly release: () => void
}

export interface ReplyBudget {
  /**
   * Resolves when there is room for a reply of `bytes` to `owner`, in the order of asking. A reply that is
   * larger than all the room of an owner goes when nothing else of theirs is under way.
   * @throws DatabaseUnavailable when too many of the owner wait, or this one has waited too long.
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
      if (own.waiting.length > 0 || !hasRoom(own, bytes)) await room(own, bytes)
      else count(own, bytes)
      return reservation(owner, own, bytes)
    },
  }

  function hasRoom(own: Owner, bytes: number): boolean {
    const fitsOwner = own.bytes === 0 || own.bytes + bytes <= MAX_BYTES_OF_ONE
    return fitsOwner && (total === 0 || total + bytes <= MAX_BYTES)
  }

  function count(own: Owner, bytes: number): void {
    own.bytes += bytes
    total += bytes
  }

  /** Resolves when `bytes` of the owner are counted. */
  function room(own: Owner, bytes: number): Promise<void> {
    if (own.waiting.length >= MAX_WAITING_OF_ONE) {
      throw new DatabaseUnavailable('Too many lists of this account are waiting')
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { bytes, enter: resolve }
      const timeout = setTimeout(() => {
        own.waiting.splice(own.waiting.indexOf(waiter), 1)
        reject(new DatabaseUnavailable('A list has waited too long for room'))
      }, MAX_WAIT)
      waiter.enter = () => {
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
        letIn()
      },
      release() {
        if (isReleased) return
        isReleased = true
        count(own, -bytes)
        letIn()
        if (own.bytes === 0 && own.waiting.length === 0) owners.delete(owner)
      },
    }
  }

  /** Lets in who has room now, each owner's in the order of asking. */
  function letIn(): void {
    for (const own of owners.values()) {
      for (let next = own.waiting[0]; next !== undefined; next = own.waiting[0]) {
        if (!hasRoom(own, next.bytes)) break
        own.waiting.shift()
        count(own, next.bytes)
        next.enter()
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
  enter: () => void
}
