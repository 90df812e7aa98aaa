/** Rows in a block of memory. */
const BLOCK = 1 << 18
const FIRST_SLOTS = 1 << 10
/** The table doubles when more than this share of its slots is taken. */
const MAX_LOAD = 0.6

/**
 * A map from rows of integers to an integer, in the order in which they were set. A JavaScript map holds 16.7
 * million keys; this one hundreds of millions, in 4 bytes a number and some 8 bytes a row.
 */
export class RowMap {
  readonly #width: number
  readonly #blocks: Int32Array[] = []
  /** One more than the index of a row, or zero. The slots of a row begin at its hash. */
  #slots = new Int32Array(FIRST_SLOTS)
  #size = 0

  /** @param columns the number of integers of each row */
  constructor(columns: number) {
    this.#width = columns + 1
  }

  get size(): number {
    return this.#size
  }

  /** Returns the value of a row, or undefined if it was not set. */
  get(row: readonly number[]): number | undefined {
    const index = (this.#slots[this.#slotOf(row)] ?? 0) - 1
    return index < 0 ? undefined : this.value(index)
  }

  /** Sets the value of a row that has none yet. */
  set(row: readonly number[], value: number): void {
    if (this.#size > this.#slots.length * MAX_LOAD) this.#double()
    const index = this.#size
    this.#size += 1
    this.#slots[this.#slotOf(row)] = index + 1
    if (index % BLOCK === 0) this.#blocks.push(new Int32Array(BLOCK * this.#width))
    const block = this.#blockOf(index)
    const start = this.#startOf(index)
    for (const [column, number] of row.entries()) block[start + column] = number
    block[start + this.#width - 1] = value
  }

  /** Returns the row that was set after `index` others. */
  row(index: number): number[] {
    const start = this.#startOf(index)
    return [...this.#blockOf(index).subarray(start, start + this.#width - 1)]
  }

  /** Returns the value that was set after `index` others. */
  value(index: number): number {
    return this.#blockOf(index)[this.#startOf(index) + this.#width - 1] ?? 0
  }

  #blockOf(index: number): Int32Array {
    const block = this.#blocks[Math.floor(index / BLOCK)]
    if (!block || index >= this.#size) throw new Error(`Nothing was set after ${index} others`)
    return block
  }

  #startOf(index: number): number {
    return (index % BLOCK) * this.#width
  }

  /** Returns the slot of a row, or the free one where it belongs. */
  #slotOf(row: readonly number[]): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(row) & mask
    for (;;) {
      const index = (this.#slots[slot] ?? 0) - 1
      if (index < 0 || this.#isAt(index, row)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isAt(index: number, row: readonly number[]): boolean {
    const block = this.#blockOf(index)
    const start = this.#startOf(index)
    for (let column = 0; column < row.length; column += 1)
      if (block[start + column] !== row[column]) return false
    return true
  }

  #double(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    const mask = this.#slots.length - 1
    for (let index = 0; index < this.#size; index += 1) {
      let slot = hashOf(this.row(index)) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = index + 1
    }
  }
}

/** Returns a hash of 32 bits. Rows that differ in one small number have hashes far from each other. */
function hashOf(row: readonly number[]): number {
  let hash = 0
  for (let column = 0; column < row.length; column += 1) {
    hash = Math.imul(hash ^ (row[column] ?? 0), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
}
