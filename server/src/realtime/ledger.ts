/**
 * What the open sockets of this process cost, counted per socket, person, address and in all. A client
 * that opens too many sockets, subscribes to too much or reads too little is refused before it takes the
 * memory of the others.
 */

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

interface Usage {
  readonly sockets: number
  /** Sockets without a sign-in. */
  readonly guests: number
  /** Bytes that subscriptions keep. */
  readonly kept: number
  /** Bytes that were sent and not received yet. */
  readonly unsent: number
}

const NOTHING: Usage = { sockets: 0, guests: 0, kept: 0, unsent: 0 }

/** The bounds. An office shares an address; a person has twenty devices with a few tabs each. */
export const MAX_USAGE = {
  guest: { kept: 8 * KIBIBYTE, unsent: 64 * KIBIBYTE },
  socket: { kept: 64 * KIBIBYTE, unsent: MEBIBYTE },
  person: { sockets: 128, guests: Infinity, kept: 512 * KIBIBYTE, unsent: 16 * MEBIBYTE },
  address: { sockets: 1000, guests: 200, kept: 4 * MEBIBYTE, unsent: 32 * MEBIBYTE },
  process: { sockets: 20_000, guests: 5000, kept: 64 * MEBIBYTE, unsent: 64 * MEBIBYTE },
} as const

/** A socket with fewer unsent bytes than this is never disconnected because of those of others. */
const SMALL_UNSENT = 64 * KIBIBYTE

/** One socket in the ledger. Once closed it counts nothing, whatever is called. */
export interface LedgerEntry {
  /**
   * Counts the socket as this person's, or as a guest's (null).
   * @returns false when they have too many already; then nothing changes.
   */
  assignTo(userId: string | null): boolean
  /**
   * Sets the bytes that the subscriptions of the socket keep.
   * @returns false when they are too many; then nothing changes.
   */
  keep(bytes: number): boolean
  /** Sets the bytes that are unsent. @returns false when the socket must be disconnected. */
  setUnsent(bytes: number): boolean
  /** Counts the socket no longer. */
  close(): void
}

export interface Ledger {
  /** Counts a new socket from this address. @returns null when there are too many already. */
  open(address: string): LedgerEntry | null
  /** What all open sockets cost. */
  total(): Usage
}

/** Makes an empty ledger; `boundsAddresses` false leaves the bounds per address out. */
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

/** The usage of some people or addresses, each within `max`; null: without bounds. */
function createGroup(max: Usage | null) {
  const usages = new Map<string, Usage>()
  const of = (key: string): Usage => usages.get(key) ?? NOTHING
  return {
    of,
    /** Whether what grows stays within the bounds; what shrinks always fits. */
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
