/** Short names for what is equal, so that a million states fit. */
import { hash } from 'node:crypto'

/** A digest of a text, which may be long: two texts with the same one are the same. */
export function digest(text: string): string {
  return hash('md5', text, 'base64')
}

/** Numbers things by what they are as JSON. */
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
