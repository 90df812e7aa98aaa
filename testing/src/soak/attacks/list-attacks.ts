/** Lists that are expensive, and lists that never repeat. */
import { setTimeout as sleep } from 'node:timers/promises'
import { anyOf, inParallel } from './attack.ts'
import type { Attack } from './attack.ts'
import { queriesOf } from './client.ts'
import { ENTRIES, saveMany } from './people.ts'

const NOTES = 5000
const LONG_TEXTS = 300
/** The longest pattern that a server may reasonably accept. */
const SHORT_PATTERN = 64

/**
 * Text filters whose pattern almost matches everywhere: with LIKE each costs the length of the text
 * times that of the pattern.
 */
export const textFilters: Attack = {
  people: 2,
  async prepare({ people, size }, ask) {
    for (const person of people) {
      const count = Math.ceil((NOTES * size) / people.length)
      await saveMany(ask, person, 'note', count, 400, { note: 'a'.repeat(2000) })
      const long = Math.ceil((LONG_TEXTS * size) / people.length)
      await saveMany(ask, person, 'long', long, 16, { pauses: 'a'.repeat(60_000) })
    }
  },
  async run({ people }, ask, counts) {
    await inParallel(12, async (place, round) => {
      const { cookie } = anyOf(people, place)
      const queries = anyOf(FILTERS, place + round)
      const { status } = await ask('GET', `${ENTRIES}?${queriesOf(queries)}`, { cookie })
      counts.add(`status ${status}`)
      if (status === 429) await sleep(1000)
    })
  },
}

function pattern(length: number): string {
  return `${'a'.repeat(length - 1)}b`
}

/** Returns different patterns of this length, none of which occurs. */
function patterns(count: number, length: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const end = `${index}b`
    return 'a'.repeat(length - end.length) + end
  })
}

const FILTERS: readonly (readonly object[])[] = [
  [{ method: 'contains', attribute: 'pauses', values: [pattern(3500)] }],
  [{ method: 'contains', attribute: 'note', values: [pattern(1900)] }],
  [{ method: 'contains', attribute: 'note', values: patterns(20, SHORT_PATTERN) }],
  [{ method: 'contains', attribute: 'pauses', values: [pattern(SHORT_PATTERN)] }],
  [{ method: 'contains', attribute: 'note', values: patterns(50, SHORT_PATTERN) }],
  [{ method: 'startsWith', attribute: 'pauses', values: [pattern(3500)] }],
  [{ method: 'endsWith', attribute: 'note', values: [pattern(1900)] }],
  [{ method: 'endsWith', attribute: 'note', values: [pattern(SHORT_PATTERN)] }],
  [{ method: 'notContains', attribute: 'note', values: patterns(20, SHORT_PATTERN) }],
  [{ method: 'notContains', attribute: 'pauses', values: [pattern(3500)] }],
  [
    {
      method: 'or',
      values: patterns(10, SHORT_PATTERN).map((value) => ({
        method: 'and',
        values: [
          { method: 'notContains', attribute: 'note', values: [value] },
          { method: 'contains', attribute: 'note', values: [`${value}c`.slice(1)] },
        ],
      })),
    },
  ],
]

const ATTRIBUTES = ['$sequence', 'durationSeconds'] as const
const FLAT = ['equal', 'notEqual', 'lessThan', 'greaterThan'] as const
/** The number of values in one request; the next smaller one if the server refuses. */
const SIZES = [6000, 3000, 1000, 500, 200, 100, 50, 20]
/** The server accepts 16 KB of headers, including the path. */
const MAX_PATH = 15_000

/** Lists that each need their own statement. */
export const newShapes: Attack = {
  people: 10,
  async run({ people }, ask, counts) {
    let size = 0
    let shape = 0
    await inParallel(16, async (place) => {
      shape += 1
      const { cookie } = anyOf(people, shape + place)
      const tried = size
      const path = `${ENTRIES}?${queriesOf(newShape(shape, anyOf(SIZES, tried)))}`
      const { status } = await ask('GET', path, { cookie })
      counts.add(`status ${status}`)
      if (status === 400 && tried === size && size < SIZES.length - 1) size += 1
      if (status === 429) await sleep(500)
    })
  },
}

/** Returns queries with about so many values, of a shape that no other `number` has. */
function newShape(number: number, values: number): object[] {
  const queries: object[] = []
  let left = values - (number % Math.ceil(values / 4))
  let length = 0
  let rest = number
  for (let index = 0; index < 90 && left > 0 && length < MAX_PATH; index += 1) {
    const attribute = anyOf(ATTRIBUTES, rest)
    const isFlat = index > 0 && rest % 3 === 0
    const many = Math.max(2, Math.min(490 - (number % 200), left))
    const query = isFlat
      ? { method: anyOf(FLAT, rest), attribute, values: [1] }
      : { method: 'equal', attribute, values: Array.from({ length: many }, () => 1) }
    left -= isFlat ? 1 : many
    length += JSON.stringify(query).length + 30
    if (length < MAX_PATH) queries.push(query)
    rest = Math.floor(rest / 2) + (rest % 2) * 7
  }
  return [...queries, { method: 'limit', values: [1 + (number % 50)] }]
}
