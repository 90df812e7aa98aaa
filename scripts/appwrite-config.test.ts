/**
 * A push over a database that has the collections already must change nothing: Appwrite's command line deletes and creates an
 * attribute again, without its values, when the file and the server differ in a property that it cannot update.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Properties = Readonly<Record<string, unknown>>

/** The properties of an attribute or an index that the command line compares (12.0.1, and later until 2026). */
const COMPARED = [
  'key',
  'type',
  'required',
  'array',
  'size',
  'default',
  'min',
  'max',
  'format',
  'elements',
  'attributes',
  'orders',
  'encrypt',
]
/** Those of a collection. */
const COMPARED_OF_COLLECTIONS = [
  '$id',
  '$permissions',
  'databaseId',
  'name',
  'enabled',
  'documentSecurity',
]

/** What Appwrite reports of an attribute of a type if its creation did not say it. `undefined`: the creation must say it. */
const REPORTED: Readonly<Record<string, Properties>> = {
  string: { size: undefined, default: null, encrypt: false },
  integer: { min: undefined, max: undefined, default: null },
  double: { min: undefined, max: undefined, default: null },
  boolean: { default: null },
  datetime: { format: '', default: null },
}

const config: {
  readonly collections: readonly (Properties & {
    readonly attributes: readonly Properties[]
    readonly indexes: readonly Properties[]
  })[]
} = JSON.parse(readFileSync(new URL('../appwrite.config.json', import.meta.url), 'utf8'))

test.each(config.collections)('a second push of $name changes nothing', (collection) => {
  const { attributes, indexes } = collection
  expect(attributes.flatMap((each) => changesOf(reported(each), each))).toEqual([])
  expect(indexes.flatMap((each) => changesOf(reportedIndex(each), each))).toEqual([])
  const { attributes: _, indexes: __, ...own } = collection
  expect(Object.keys(own).toSorted()).toEqual(COMPARED_OF_COLLECTIONS.toSorted())
})

test('every attribute names what the command line compares, unless the server reports it as empty', () => {
  for (const { attributes } of config.collections) {
    for (const attribute of attributes) {
      const named = Object.entries(reported(attribute)).filter(
        ([name, value]) => COMPARED.includes(name) && !isEmpty(value),
      )
      expect(Object.keys(attribute).toSorted()).toEqual(named.map(([name]) => name).toSorted())
      expect(named.filter(([, value]) => value === undefined)).toEqual([])
    }
  }
})

test.each(['encrypt', 'size', 'array', 'required', 'default'])(
  'a file without %s is found to change a string',
  (name) => {
    const { attributes } = config.collections[0] ?? { attributes: [] }
    const category = attributes.find(({ key }) => key === 'category') ?? {}
    const { [name]: removed, ...rest } = category
    expect(changesOf(reported(category), rest)).toEqual([
      `category: ${name} changed from ${String(removed)} to undefined`,
    ])
  },
)

/** Returns what Appwrite reports of an attribute that was created from the file. */
function reported(attribute: Properties): Properties {
  const common = { status: 'available', error: '', required: false, array: false }
  return { ...common, ...REPORTED[String(attribute['type'])], ...attribute }
}

function reportedIndex(index: Properties): Properties {
  return { status: 'available', error: '', lengths: [], ...index }
}

/** Returns what a push would change: each compared property that the server reports and that differs in the file. */
function changesOf(remote: Properties, local: Properties): string[] {
  return Object.entries(remote)
    .filter(([name]) => COMPARED.includes(name))
    .filter(([name, value]) => !(isEmpty(value) && isEmpty(local[name])))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(local[name]))
    .map(
      ([name, value]) =>
        `${String(local['key'])}: ${name} changed from ${String(value)} to ${String(local[name])}`,
    )
}

/** The command line takes empty values for the same. */
function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}
