/**
 * The values that an event `set` gives, as texts under their names in the log: what an edit changes of an entry beside
 * its times. They follow from the description of an entry (record/time-entry.ts). An empty text is the default.
 */
import type { Field } from '#record/fields.ts'
import { ENTRY_FIELDS } from '#record/time-entry.ts'
import type { SetFields, SetName } from '#record/time-entry.ts'

export type SetValues = Readonly<Record<SetName, string>>

const DESCRIBED = Object.entries<Field & { readonly set: string | null }>(ENTRY_FIELDS).flatMap(
  ([key, { set: name, ...field }]) => (name === null ? [] : { key, name, ...field }),
)

/* oxlint-disable typescript/no-unsafe-type-assertion -- `DESCRIBED` has each name and each field */
export const SET_NAMES = DESCRIBED.map(({ name }) => name) as SetName[]

/** What nobody has set yet. */
export const NO_VALUES = Object.fromEntries(SET_NAMES.map((name) => [name, ''])) as SetValues

/** Returns the texts of the fields that are given. */
export function valuesOf<F extends Partial<SetFields>>(
  fields: F,
): F extends SetFields ? SetValues : Partial<SetValues> {
  const given: Readonly<Record<string, unknown>> = fields
  const values = DESCRIBED.filter(({ key }) => given[key] !== undefined).map(
    ({ key, name, type, default: none }) => {
      const wire = given[key] === none ? '' : type.toWire(given[key])
      return [name, typeof wire === 'string' ? wire : JSON.stringify(wire)] as const
    },
  )
  return Object.fromEntries(values) as unknown as ReturnType<typeof valuesOf<F>>
}

/** Returns the fields that these texts mean. A text that cannot be read means the default. */
export function fieldsFrom(values: SetValues): SetFields {
  const texts: Readonly<Record<string, string>> = values
  const fields = DESCRIBED.map(({ key, name, type, default: none }) => {
    const text = texts[name] ?? ''
    const read = text === '' ? none : (type.fromWire(text) ?? type.fromWire(parsed(text)))
    return [key, read ?? none] as const
  })
  return Object.fromEntries(fields) as unknown as SetFields
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** Returns the values other than the task and the note that are not the default, or undefined without any. */
export function furtherValues({
  task: _task,
  note: _note,
  ...others
}: SetValues): Readonly<Record<string, string>> | undefined {
  const set = Object.entries<string>(others).filter(([, text]) => text !== '')
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
