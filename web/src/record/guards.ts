/** Checks of values that come from the disk: a guard says what a value is, and proves it to TypeScript. */

export type Guard<T> = (value: unknown) => value is T
type Guarded<G> = G extends Guard<infer T> ? T : never
type Shape = Readonly<Record<string, Guard<unknown>>>

export const isText: Guard<string> = (value) => typeof value === 'string'
/** A name or id: not empty. */
export const isId: Guard<string> = (value): value is string => isText(value) && value !== ''
export const isNumber: Guard<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value)
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean'
/** An object with any fields. */
export const isFields: Guard<Readonly<Record<string, unknown>>> = (
  value,
): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One of these texts. */
export function isOneOf<const T extends string>(...known: readonly T[]): Guard<T> {
  return (value): value is T => known.some((each) => each === value)
}

export function isNullOr<T>(guard: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || guard(value)
}

export function isEither<A, B>(first: Guard<A>, second: Guard<B>): Guard<A | B> {
  return (value): value is A | B => first(value) || second(value)
}

export function isListOf<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(guard)
}

export function isMapOf<T>(guard: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isFields(value) && Object.values(value).every(guard)
}

/** An object that has at least these fields. */
export function isObject<S extends Shape>(
  shape: S,
): Guard<{ readonly [K in keyof S]: Guarded<S[K]> }> {
  const fields = Object.entries(shape)
  return (value): value is { readonly [K in keyof S]: Guarded<S[K]> } =>
    isFields(value) && fields.every(([name, guard]) => guard(value[name]))
}
