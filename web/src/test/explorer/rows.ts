/**
 * A set of rows of integers, each with an origin. They are in typed arrays, so that a row of eight
 * takes about 60 bytes.
 */

const ROWS_IN_CHUNK = 1 << 16
/** The first number of slots. A power of two. */
const FIRST_SLOTS = 1 << 12
const EMPTY = -1

/** Rows of one width, each once, in the order in which they were added. */
export class Rows {
  readonly #width: number
  readonly #chunks: Int32Array[] = []
  readonly #origins: Int32Array[] = []
  #length = 0
  /** A hash table of indexes with linear probing. */
  #slots = new Int32Array(FIRST_SLOTS).fill(EMPTY)

  constructor(width: number) {
    this.#width = width
  }

  get length(): number {
    return this.#length
  }

  /** Returns the row that was added at this place. */
  at(index: number): Int32Array {
    const chunk = this.#chunks[Math.floor(index / ROWS_IN_CHUNK)]
    if (!chunk || index >= this.#length) throw new RangeError(`There is no row ${index}`)
    const start = (index % ROWS_IN_CHUNK) * this.#width
    return chunk.subarray(start, start + this.#width)
  }

  /** Returns the origin with which the row at this place was added. */
  originOf(index: number): number {
    return this.#origins[Math.floor(index / ROWS_IN_CHUNK)]?.[index % ROWS_IN_CHUNK] ?? EMPTY
  }

  has(row: ArrayLike<number>): boolean {
    return this.#slots[this.#slotOf(row)] !== EMPTY
  }

  /** Adds a row at the end. Returns false if it is there already, with this or another origin. */
  add(row: ArrayLike<number>, origin: number): boolean {
    const slot = this.#slotOf(row)
    if (this.#slots[slot] !== EMPTY) return false
    const index = this.#length
    if (index % ROWS_IN_CHUNK === 0) {
      this.#chunks.push(new Int32Array(ROWS_IN_CHUNK * this.#width))
      this.#origins.push(new Int32Array(ROWS_IN_CHUNK))
    }
    this.#length += 1
    this.at(index).set(row)
    this.#origins.at(-1)?.fill(origin, index % ROWS_IN_CHUNK, (index % ROWS_IN_CHUNK) + 1)
    this.#slots[slot] = index
    if (this.#length * 2 > this.#slots.length) this.#grow()
    return true
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY)
    for (let index = 0; index < this.#length; index += 1) {
      this.#slots[this.#slotOf(this.at(index))] = index
    }
  }

  /** Returns the slot of a row, or the empty slot at which it belongs. */
  #slotOf(row: ArrayLike<number>): number {
    const mask = this.#slots.length - 1
    for (let slot = hashOf(row) & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot] ?? EMPTY
      if (index === EMPTY || this.#isAt(index, row)) return slot
    }
  }

  #isAt(index: number, row: ArrayLike<number>): boolean {
    const chunk = this.#chunks[Math.floor(index / ROWS_IN_CHUNK)]
    const start = (index % ROWS_IN_CHUNK) * this.#width
    for (let column = 0; column < this.#width; column += 1) {
      if (chunk?.[start + column] !== row[column]) return false
    }
    return true
  }
}

/** Mixes the bits of a row with the steps of MurmurHash3. */
function hashOf(row: ArrayLike<number>): number {
  let hash = 0
  for (let column = 0; column < row.length; column += 1) {
    hash = Math.imul(hash ^ (row[column] ?? 0), 0xcc_9e_2d_51)
    hash = (hash << 15) | (hash >>> 17)
    hash = (Math.imul(hash, 5) + 0xe6_54_6b_64) | 0
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
