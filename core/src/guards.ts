/** Type guards for values from outside. */

export type Guard<T> = (value: unknown) => value is T
/** The type that a guard checks for. */
export type Guarded<G> = G extends Guard<infer T> ? T : never

/** The fields of an object, each with its guard. */
type Shape = Readonly<Record<string, Guard<unknown>>>
/** The object type that a shape describes. */
export type Shaped<S extends Shape> = { readonly [F in keyof S]: Guarded<S[F]> }
/** A union of objects. The value of the field `Tag` is the name of the shape. */
export type Tagged<Tag extends string, S extends Readonly<Record<string, Shape>>> = {
  [K in keyof S & string]: {
    readonly [F in keyof (Record<Tag, unknown> & S[K])]: F extends Tag ? K : Guarded<S[K][F]>
  }
}[keyof S & string]

export const isText: Guard<string> = (value) => typeof value === 'string'
/** Checks for a text that is not empty, as names and ids are. */
export const isId: Guard<string> = (value): value is string => isText(value) && value !== ''
export const isNumber: Guard<number> = (value): value is number => Number.isFinite(value)
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean'
/** Checks for an object, whatever its fields are. */
export const isFields: Guard<Readonly<Record<string, unknown>>> = (
  value,
): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a guard for these texts. */
export function isOneOf<const T extends string>(...known: readonly T[]): Guard<T> {
  return (value): value is T => known.some((each) => each === value)
}

export function isNullOr<T>(guard: Guard<T>): Guard<T | null> {
  return (value): value is T | null => value === null || guard(value)
}

export function isUndefinedOr<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || guard(value)
}

export function isListOf<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(guard)
}

export function isMapOf<T>(guard: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isFields(value) && Object.values(value).every(guard)
}

/** Returns a guard for an object that has at least these fields. */
export function isObject<S extends Shape>(shape: S): Guard<Shaped<S>> {
  const fields = Object.entries(shape)
  return (value): value is Shaped<S> =>
    isFields(value) && fields.every(([name, guard]) => guard(value[name]))
}

/**
 * Returns a guard for an object of one of these shapes. The value of its field `tag` names the
 * shape.
 */
export function isTagged<Tag extends string, S extends Readonly<Record<string, Shape>>>(
  tag: Tag,
  shapes: S,
): Guard<Tagged<Tag, S>> {
  const guards = new Map<unknown, Guard<unknown>>(
    Object.entries(shapes).map(([name, shape]) => [name, isObject(shape)]),
  )
  return (value): value is Tagged<Tag, S> =>
    isFields(value) && guards.get(value[tag])?.(value) === true
}
