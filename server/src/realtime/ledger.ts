/**
 * Counts what the open sockets of this process cost: per socket, user, address and in all. A client
 * that opens too many sockets, has too many subscriptions or reads too slowly is refused before it
 * takes the memory of others.
 */

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

interface Usage {
  readonly sockets: number
  /** Sockets without a sign-in. */
  readonly guests: number
  /** Bytes of subscriptions. */
  readonly kept: number
  /** Bytes that were sent but not received. */
  readonly unsent: number
}

const NOTHING: Usage = { sockets: 0, guests: 0, kept: 0, unsent: 0 }

/** The bounds. An office shares one address; a user has twenty devices with a few tabs each. */
export const MAX_USAGE = {
  guest: { kept: 8 * KIBIBYTE, unsent: 64 * KIBIBYTE },
  socket: { kept: 64 * KIBIBYTE, unsent: MEBIBYTE },
  person: { sockets: 128, guests: Infinity, kept: 512 * KIBIBYTE, unsent: 16 * MEBIBYTE },
  address: { sockets: 1000, guests: 200, kept: 4 * MEBIBYTE, unsent: 32 * MEBIBYTE },
  process: { sockets: 20_000, guests: 5000, kept: 64 * MEBIBYTE, unsent: 64 * MEBIBYTE },
} as const

/** A socket with fewer unsent bytes is not disconnected because of other sockets of its user. */
const SMALL_UNSENT = 64 * KIBIBYTE

/** One socket in the ledger. After `close`, calls have no effect. */
export interface LedgerEntry {
  /**
   * Counts the socket for this user, or for guests (null).
   * @returns false if there are too many; nothing changes then.
   */
  assignTo(userId: string | null): boolean
  /**
   * Sets the bytes of the socket's subscriptions.
   * @returns false if they are too many; nothing changes then.
   */
  keep(bytes: number): boolean
  /** Sets the unsent bytes. @returns false if the socket must be disconnected. */
  setUnsent(bytes: number): boolean
  /** Removes the socket. */
  close(): void
}

export interface Ledger {
  /** Counts a new socket from this address. @returns null if there are too many. */
  open(address: string): LedgerEntry | null
  /** Returns what all open sockets cost. */
  total(): Usage
}

/** Returns an empty ledger. `boundsAddresses` false omits the bounds per address. */
export function createLedger(boundsAddresses: boolean): Ledger {
  const everybody = createGroup(MAX_USAGE.process)
  const people = createGroup(MAX_USAGE.person)
  const addresses = createGroup(boundsAddresses ? MAX_USAGE.address : null)

  return {
    total: () => everybody.of(''),
    open(address) {
      let own = NOTHING
      let person: string | null = null
      let isOpen = true

      const groups = (): [Group, string][] => [
        [everybody, ''],
        [addresses, address],
        ...(person === null ? [] : ([[people, person]] satisfies [Group, string][])),
      ]
      const fits = (change: Usage): boolean =>
        groups().every(([group, key]) => group.fits(key, change))
      const add = (change: Usage): void => {
        for (const [group, key] of groups()) group.add(key, change)
        own = sum(own, change)
      }

      const first: Usage = { ...NOTHING, sockets: 1 }
      if (!fits(first)) return null
      add(first)
      return {
        assignTo(userId) {
          if (!isOpen) return true
          const change: Usage = { ...NOTHING, guests: Number(userId === null) - own.guests }
          const isNew = userId !== null && userId !== person
          if (!fits(change) || (isNew && !people.fits(userId, own))) return false
          if (person !== null) people.add(person, negated(own))
          person = null
          add(change)
          person = userId
          if (person !== null) people.add(person, own)
          return true
        },
        keep(bytes) {
          const change: Usage = { ...NOTHING, kept: bytes - own.kept }
          const max = person === null ? MAX_USAGE.guest : MAX_USAGE.socket
          if (!isOpen || bytes > max.kept || !fits(change)) return false
          add(change)
          return true
        },
        setUnsent(bytes) {
          if (!isOpen || bytes === own.unsent) return true
          const change: Usage = { ...NOTHING, unsent: bytes - own.unsent }
          const max = person === null ? MAX_USAGE.guest : MAX_USAGE.socket
          const isFine = bytes <= max.unsent && (bytes <= SMALL_UNSENT || fits(change))
          add(change)
          return isFine
        },
        close() {
          if (!isOpen) return
          isOpen = false
          add(negated(own))
        },
      }
    },
  }
}

type Group = ReturnType<typeof createGroup>

/** The usage of users or addresses, each within `max`; null: without bounds. */
function createGroup(max: Usage | null) {
  const usages = new Map<string, Usage>()
  const of = (key: string): Usage => usages.get(key) ?? NOTHING
  return {
    of,
    /** Returns whether growing values stay within the bounds; shrinking ones always do. */
    fits(key: string, change: Usage): boolean {
      if (max === null) return true
      const now = of(key)
      return KINDS.every((kind) => change[kind] <= 0 || now[kind] + change[kind] <= max[kind])
    },
    add(key: string, change: Usage): void {
      const next = sum(of(key), change)
      if (next.sockets === 0) usages.delete(key)
      else usages.set(key, next)
    },
  }
}

const KINDS = ['sockets', 'guests', 'kept', 'unsent'] as const

function sum(a: Usage, b: Usage): Usage {
  return {
    sockets: a.sockets + b.sockets,
    guests: a.guests + b.guests,
    kept: a.kept + b.kept,
    unsent: a.unsent + b.unsent,
  }
}

function negated({ sockets, guests, kept, unsent }: Usage): Usage {
  return { sockets: -sockets, guests: -guests, kept: -kept, unsent: -unsent }
}
