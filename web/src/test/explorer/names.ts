/** Short names for equal values, so that a million states fit into memory. */
import { hash } from 'node:crypto'

/**
 * Returns a digest of a text, which may be long. Texts with the same digest are taken to be equal.
 */
export function digest(text: string): string {
  return hash('md5', text, 'base64')
}

/** Numbers objects by what they are, each one only once. Numbers begin at 0. */
export class Numbers {
  readonly #known = new WeakMap<object, number>()
  #next = 0

  of(value: object): number {
    const known = this.#known.get(value)
    if (known !== undefined) return known
    this.#known.set(value, this.#next)
    return this.#next++
  }
}

/** Numbers values by a text that says all of them, by default their JSON. Numbers begin at 0. */
export class Names<T extends object> {
  readonly #byIdentity = new WeakMap<T, number>()
  readonly #byDigest = new Map<string, number>()
  readonly #values: T[] = []
  readonly #text: (value: T) => string

  constructor(text: (value: T) => string = JSON.stringify) {
    this.#text = text
  }

  of(value: T): number {
    const known = this.#byIdentity.get(value)
    if (known !== undefined) return known
    const key = digest(this.#text(value))
    const name = this.#byDigest.get(key) ?? this.#values.push(value) - 1
    this.#byDigest.set(key, name)
    this.#byIdentity.set(value, name)
    return name
  }

  /** Returns the first value with this number. */
  value(name: number): T {
    const value = this.#values[name]
    if (value === undefined) throw new Error(`Nothing has the number ${name}`)
    return value
  }
}
