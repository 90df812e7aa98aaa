/** The texts of refusals that need no database, exactly as clients receive them. */
import type { CollectionId } from '@stint/core/collections.ts'
import { expect, test } from 'vitest'
import { TEXTS } from '#errors.ts'
import type { ErrorText } from '#errors.ts'
import { epochMilliseconds } from '#instant.ts'
import { boundsOfNumber, changedDocument, incrementedDocument, newDocument } from './changes.ts'
import { parseQueries } from './queries/parse.ts'

type Data = Record<string, unknown>

const NOW = epochMilliseconds('2026-03-01T12:00:00.000+00:00')
const TASK: Data = { userId: 'ann', name: 'Write' }
const SESSION: Data = { userId: 'ann', taskId: 't1', startTime: '2026-03-01T10:00:00.000Z' }
const ENTRY: Data = { ...SESSION, endTime: '2026-03-01T11:00:00.000Z', durationSeconds: 3600 }
const FUTURE = '2026-03-01T12:05:00.001Z'
/** A log with a press in the year 1600. */
const LOG_OF_1600 = '[1,-11676096000000,["a"],[[0,1,0,0,0,0,"pause"]]]'

const create = (collection: CollectionId, data: Data, permissions?: string[]) =>
  newDocument('ann', collection, { data, permissions }, NOW)

const changeStopped = (data: Data, unchangedSince: number | null) => {
  const stopped = { ...SESSION, isRunning: false, endTime: '2026-03-01T11:00:00.000Z' }
  const before = { id: 's1', ...create('timer_sessions', stopped) }
  const change = { data, permissions: undefined, unchangedSince }
  return changedDocument('ann', 'timer_sessions', before, change, NOW)
}

const increment = (attribute: string, by: number, min?: number, max?: number) => {
  const asked = { attribute, by, min, max }
  const before = { id: 'a1', ...create('tasks', TASK) }
  return incrementedDocument('tasks', before, asked, boundsOfNumber('tasks', asked), NOW)
}

const list = (...queries: unknown[]) =>
  parseQueries(
    'timer_sessions',
    queries.map((query) => (typeof query === 'string' ? query : JSON.stringify(query))),
  )

const ask = (method: string, attribute: string, ...values: unknown[]) => ({
  method,
  attribute,
  values,
})

const ofDevice = (method: string, ...values: unknown[]) => ask(method, 'device', ...values)
const equal = ofDevice('equal', 'a')

const REFUSALS: readonly (readonly [ErrorText, () => unknown, string])[] = [
  [
    'document_invalid_structure.unknown',
    () => create('tasks', { ...TASK, x: 1 }),
    'Invalid document structure: Unknown attribute: "x"',
  ],
  [
    'document_invalid_structure.required',
    () => create('tasks', { userId: 'ann' }),
    'Invalid document structure: Missing required attribute "name"',
  ],
  [
    'document_invalid_structure.required',
    () => create('tasks', { ...TASK, name: null }),
    'Invalid document structure: Missing required attribute "name"',
  ],
  [
    'document_invalid_structure.string',
    () => create('tasks', { ...TASK, name: 7 }),
    'Invalid document structure: Attribute "name" has invalid type. Value must be a valid string and no longer than 255 chars',
  ],
  [
    'document_invalid_structure.boolean',
    () => create('tasks', { ...TASK, isActive: 'yes' }),
    'Invalid document structure: Attribute "isActive" has invalid type. Value must be a valid boolean',
  ],
  [
    'document_invalid_structure.datetime',
    () => create('timer_sessions', { ...SESSION, startTime: 'now' }),
    'Invalid document structure: Attribute "startTime" has invalid type. Value must be a valid date between 2000-01-01 00:00:00 and 2100-12-31 23:59:59.',
  ],
  [
    'document_invalid_structure.integer',
    () => create('tasks', { ...TASK, totalTime: 1.5 }),
    'Invalid document structure: Attribute "totalTime" has invalid type. Value must be a valid signed 32-bit integer',
  ],
  [
    'document_invalid_structure.double',
    () => create('tasks', { ...TASK, goalHours: '8' }),
    'Invalid document structure: Attribute "goalHours" has invalid type. Value must be a valid float',
  ],
  [
    'document_invalid_structure.range',
    () => create('tasks', { ...TASK, totalTime: -1 }),
    'Invalid document structure: Attribute "totalTime" has invalid format. Value must be a valid range between 0 and 2,147,483,647',
  ],
  [
    'document_invalid_structure.operator',
    () => create('tasks', { ...TASK, totalTime: '{"method":"increment","values":[1]}' }),
    "Invalid document structure: Cannot apply increment operator to field 'totalTime'",
  ],
  [
    'document_invalid_structure.array_operator',
    () => create('tasks', { ...TASK, name: '{"method":"arrayAppend","values":["a"]}' }),
    "Invalid document structure: Cannot apply arrayAppend operator to non-array field 'name'",
  ],
  [
    'document_invalid_structure.blank',
    () => create('tasks', { ...TASK, name: ' ' }),
    'Invalid document structure: Attribute "name" has invalid format. Value must not be blank',
  ],
  [
    'document_invalid_structure.running_and_paused',
    () => create('timer_sessions', { ...SESSION, isRunning: true, isPaused: true }),
    'Invalid document structure: A session cannot be running and paused at the same time',
  ],
  [
    'document_invalid_structure.future',
    () => create('timer_sessions', { ...SESSION, startTime: FUTURE }),
    'Invalid document structure: Attribute "startTime" has invalid format. Value must not be in the future',
  ],
  [
    'document_invalid_structure.end',
    () => create('timer_sessions', { ...SESSION, endTime: '2026-03-01T09:59:59.999Z' }),
    'Invalid document structure: Attribute "endTime" has invalid format. Value must not be before "startTime"',
  ],
  [
    'document_invalid_structure.end',
    () => create('time_entries', { ...ENTRY, endTime: '2026-03-01T09:59:59.999Z' }),
    'Invalid document structure: Attribute "endTime" has invalid format. Value must not be before "startTime"',
  ],
  [
    'document_invalid_structure.log',
    () => create('time_entries', { ...ENTRY, log: LOG_OF_1600 }),
    'Invalid document structure: Attribute "log" has an event with an impossible instant: a.1',
  ],
  [
    'document_invalid_structure.log',
    () => create('timer_sessions', { ...SESSION, log: LOG_OF_1600 }),
    'Invalid document structure: Attribute "log" has an event with an impossible instant: a.1',
  ],
  [
    'document_invalid_structure.duration',
    () => create('time_entries', { ...ENTRY, durationSeconds: 3602 }),
    'Invalid document structure: Attribute "durationSeconds" has invalid format. Value must not exceed the time between "startTime" and "endTime"',
  ],
  [
    'user_unauthorized.owner',
    () => create('tasks', { ...TASK, userId: 'bob' }),
    'The attribute "userId" must be the current user.',
  ],
  [
    'user_unauthorized.permissions',
    () => create('tasks', TASK, ['read("any")']),
    'Permissions must be one of: (user:ann)',
  ],
  [
    'general_argument_invalid.permissions',
    () => create('tasks', TASK, ['read("user:ann")']),
    'Invalid `permissions` param: A document is its owner\'s alone. Leave the list out, or send read, update and delete for "user:ann".',
  ],
  [
    'document_update_conflict',
    () => changeStopped({}, NOW - 1),
    'Remote document is newer than local.',
  ],
  [
    'document_update_conflict.ended',
    () => changeStopped({ isRunning: true }, null),
    'The session has ended: it can only be deleted.',
  ],
  [
    'attribute_not_found',
    () => increment('x'.repeat(65), 1),
    `Attribute with the requested ID '${'x'.repeat(64)}' could not be found.`,
  ],
  [
    'attribute_type_invalid.not_a_number',
    () => increment('name', 1),
    'Attribute "name" is not a number',
  ],
  [
    'attribute_type_invalid.not_whole',
    () => increment('totalTime', 0.5),
    'Attribute "totalTime" takes whole numbers only',
  ],
  [
    'attribute_limit_exceeded.max',
    () => increment('totalTime', 6, undefined, 5),
    'databases "totalTime" has reached the maximum value of 5',
  ],
  [
    'attribute_limit_exceeded.min',
    () => increment('totalTime', -1),
    'databases "totalTime" has reached the minimum value of 0',
  ],
  ['general_query_invalid.syntax', () => list('{'), 'Invalid query: Syntax error'],
  [
    'general_query_invalid.length',
    () => list('x'.repeat(4097)),
    'Invalid query: longer than 4096 characters',
  ],
  [
    'general_query_invalid.queries',
    () => list(...Array(101).fill(equal)),
    'Invalid query: Too many queries: at most 100 are allowed',
  ],
  [
    'general_query_invalid.method',
    () => list(ofDevice('m'.repeat(65))),
    `Invalid query: Invalid query method: ${'m'.repeat(64)}`,
  ],
  [
    'general_query_invalid.attribute',
    () => list(ask('equal', 'x'.repeat(65), 1)),
    `Invalid query: Attribute not found in schema: ${'x'.repeat(64)}`,
  ],
  [
    'general_query_invalid.value',
    () => list(ofDevice('equal', 1)),
    'Invalid query: Query value is invalid for attribute "device"',
  ],
  [
    'general_query_invalid.value',
    () => list(ofDevice('contains', '\0')),
    'Invalid query: Query value is invalid for attribute "device"',
  ],
  [
    'general_query_invalid.no_value',
    () => list(ofDevice('equal')),
    'Invalid query: Equal queries require at least one value.',
  ],
  [
    'general_query_invalid.no_value',
    () => list(ofDevice('contains')),
    'Invalid query: Contains queries require at least one value.',
  ],
  [
    'general_query_invalid.exactly_one',
    () => list(ofDevice('lessThan')),
    'Invalid query: LessThan queries require exactly one value.',
  ],
  [
    'general_query_invalid.exactly_two',
    () => list(ofDevice('notBetween', 'a')),
    'Invalid query: NotBetween queries require exactly two values.',
  ],
  [
    'general_query_invalid.two_queries',
    () => list(ask('or', '', equal)),
    'Invalid query: Or queries require at least two queries',
  ],
  [
    'general_query_invalid.depth',
    () => list(ask('or', '', equal, ask('or', '', equal, ask('and', '', equal, equal)))),
    'Invalid query: Queries cannot be nested more than 3 deep',
  ],
  [
    'general_query_invalid.fulltext',
    () => list(ofDevice('search', 'a')),
    'Invalid query: Searching by attribute "device" requires a fulltext index.',
  ],
  [
    'general_query_invalid.text_type',
    () => list(ask('contains', 'isPaused', 'a')),
    'Invalid query: Cannot query contains on attribute "isPaused" of type boolean.',
  ],
  [
    'general_query_invalid.long_attribute',
    () => list(ask('endsWith', 'pauses', 'a')),
    'Invalid query: Cannot query endsWith on attribute "pauses": it is too long.',
  ],
  [
    'general_query_invalid.pattern',
    () => list(ofDevice('startsWith', 'a'.repeat(65))),
    'Invalid query: StartsWith queries take at most 64 characters.',
  ],
  [
    'general_query_invalid.values_of_query',
    () => list(ofDevice('equal', ...Array(501).fill('a'))),
    'Invalid query: Query on attribute has greater than 500 values: device',
  ],
  [
    'general_query_invalid.filters',
    () => list(ask('exists', '', ...Array(101).fill('device'))),
    'Invalid query: Too many filters: at most 100 are allowed',
  ],
  [
    'general_query_invalid.values',
    () => list(...Array(3).fill(ofDevice('equal', ...Array(400).fill('a')))),
    'Invalid query: Too many values: at most 1000 are allowed',
  ],
  [
    'general_query_invalid.text_values',
    () => list(ofDevice('contains', ...Array(21).fill('a'))),
    'Invalid query: Too many text filters: at most 20 values are allowed',
  ],
  [
    'general_query_invalid.range',
    () => list(ask('limit', '', 5001)),
    'Invalid query: Invalid limit: Value must be a valid range between 1 and 5,000',
  ],
  [
    'general_query_invalid.select',
    () => list(ask('select', '')),
    'Invalid query: No attributes selected',
  ],
  [
    'general_cursor_not_found.document',
    () => list(ask('cursorAfter', '', '-'.repeat(40))),
    `Document '${'-'.repeat(36)}' for the 'cursor' value not found.`,
  ],
]

test.for(REFUSALS)('a client reads the text of %s (row %$)', ([name, refused, message]) => {
  expect(refused).toThrow(expect.objectContaining({ type: name.replace(/\..*/, ''), message }))
})

test('the table contains every refusal of documents and of queries', () => {
  const named = new Set<string>(REFUSALS.map(([name]) => name))
  const missing = Object.keys(TEXTS).filter(
    (name) =>
      /^(document_invalid_structure|general_query_invalid)\./.test(name) && !named.has(name),
  )
  // Only the database knows the size of a page: see `queries/list.test.ts`.
  expect(missing).toEqual(['general_query_invalid.page_size'])
})
