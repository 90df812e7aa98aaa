/** Passes the fields of a thing through what copies it. Made for tests. */
import { describe, expect, test } from 'vitest'

/** A way that a thing takes, and why it does not keep some fields. */
interface Way<T> {
  readonly copy: (thing: T) => T
  readonly except?: Partial<Record<keyof T, string>>
}

/** Tests that every field takes every way. */
export function testWays<T extends object>(
  thing: T,
  fields: readonly string[],
  ways: Readonly<Record<string, Way<T>>>,
): void {
  describe.each(Object.entries(ways))('%s', (_name, { copy, except = {} }) => {
    const excepted = Object.keys(except)
    test.each(fields.filter((field) => !excepted.includes(field)))('keeps %s', (field) => {
      expect(copy(thing)).toHaveProperty([field], valueIn(thing, field))
    })
  })
}

/** Returns the value of a field, or undefined. */
export function valueIn(thing: object, field: string): unknown {
  return new Map<string, unknown>(Object.entries(thing)).get(field)
}

/** Returns the first that is there. Throws Error without one. */
export function theOne<T>(things: readonly (T | null | undefined)[]): T {
  const [one] = things.filter((each) => each !== null && each !== undefined)
  if (one === undefined) throw new Error('There is none')
  return one
}
