/** Short names for equal values, so that a million states fit into memory. */
import { hash } from 'node:crypto'

/**
 * Returns a digest of a text, which may be long. Texts with the same digest are taken to be equal.
 */
export function digest(text: string): string {
  return hash('md5', text, 'base64')
}

/** Numbers values by their JSON. */
export class Names {
  readonly #byIdentity = new WeakMap<object, number>()
  readonly #byDigest = new Map<string, number>()

  of(value: object): number {
    const known = this.#byIdentity.get(value)
    if (known !== undefined) return known
    const key = digest(JSON.stringify(value))
    const name = this.#byDigest.get(key) ?? this.#byDigest.size
    this.#byDigest.set(key, name)
    this.#byIdentity.set(value, name)
    return name
  }
}
