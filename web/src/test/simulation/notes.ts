/**
 * The notes that were written in a run, by the id of their entry. A device sends its note again when
 * it finds that a restored server has lost it.
 */

interface Note {
  readonly text: string
  /** Whether it was written while the timer ran. */
  readonly isOfTimer: boolean
}

/** A note, and whether the server has it. */
interface WrittenNote extends Note {
  readonly device: number
  /**
   * 'lost' means that a restored server has an earlier note, and 'lost and hidden' that another device
   * has changed the entry before the note's device looked.
   */
  where: 'unsent' | 'on the server' | 'lost' | 'lost and hidden'
}

export interface Notes {
  readonly write: (id: string, device: number, note: Note) => void
  /** Enters that the server has taken a write of a device to an entry, which has this note since. */
  readonly saved: (id: string, device: number, saved: { note: unknown; isNew: boolean }) => void
  /** Enters that a device has read the entries of the server. */
  readonly read: (device: number) => void
  /** Enters that the last change of an entry was undone. */
  readonly undone: (id: string) => void
  /** Enters that a device has deleted an entry. It does not demand its note of that entry any more. */
  readonly deleted: (id: string, device: number) => void
  /** Enters that the server was restored. It has these notes again, by the id of the entry. */
  readonly restored: (notesThere: ReadonlyMap<string, unknown>) => void
  /** Returns whether the last note was written while the timer ran. */
  readonly isOfTimer: (id: string) => boolean
  /**
   * Returns the note that an entry must have: the last one, if only one device wrote notes. None if
   * a restored server had lost it, and another device changed the entry before its device looked.
   */
  readonly demanded: (id: string) => string | undefined
}

/** Two devices that do not exist. What more than one device wrote is not demanded. */
const NOBODY = [-1, -2]

/** Returns an empty book of notes. */
export function createNotes(): Notes {
  const notes = new Map<string, WrittenNote[]>()
  const writtenIn = (id: string) => notes.get(id) ?? []
  const lastIn = (id: string) => writtenIn(id).at(-1)

  return {
    write: (id, device, note) => add(id, device, note),

    saved(id, device, { note, isNew }) {
      const last = lastIn(id)
      if (last === undefined) return
      if (note === last.text) last.where = 'on the server'
      // An entry that is created again shows that the server had lost it.
      else if (last.where === 'lost' && device !== last.device && !isNew)
        last.where = 'lost and hidden'
    },

    read(device) {
      // The device finds the earlier state of the entry, and sends its note again.
      for (const last of [...notes.values()].flatMap((written) => written.slice(-1)))
        if (last.device === device && last.where === 'lost') last.where = 'unsent'
    },

    undone(id) {
      // An undo may find a later change of another device. No note is demanded then.
      for (const device of NOBODY) add(id, device, { text: '', isOfTimer: false })
    },

    deleted(id, device) {
      if (lastIn(id)?.device === device) notes.delete(id)
    },

    restored(notesThere) {
      for (const [id, written] of notes) {
        const last = written.at(-1)
        const isLost = notesThere.has(id) && notesThere.get(id) !== last?.text
        if (last?.where === 'on the server' && isLost) last.where = 'lost'
      }
    },

    isOfTimer: (id) => lastIn(id)?.isOfTimer === true,

    demanded(id) {
      const isByOne = new Set(writtenIn(id).map(({ device }) => device)).size === 1
      const last = lastIn(id)
      return isByOne && last?.where !== 'lost and hidden' ? last?.text : undefined
    },
  }

  function add(id: string, device: number, note: Note): void {
    // The device has not heard yet that the server lost the note that it changes.
    const where = lastIn(id)?.where === 'lost' ? 'lost' : 'unsent'
    notes.set(id, [...writtenIn(id), { device, ...note, where }])
  }
}
