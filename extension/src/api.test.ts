import { expect, test } from 'vitest'

import { failureOf } from '#api.ts'

test.each([
  [401, 'stint_key_invalid', 'key'],
  [401, '', 'key'],
  [403, 'stint_key_forbidden', 'read-only'],
  [409, 'stint_no_timer', 'no-timer'],
  [409, 'stint_task_ambiguous', 'tasks'],
  [403, 'user_blocked', 'refused'],
  [429, 'general_rate_limit_exceeded', 'refused'],
] as const)('the answer %i %s means: %s', (status, type, kind) => {
  expect(failureOf({ status, type, body: { message: 'Said so.' } })).toMatchObject({
    kind,
    message: 'Said so.',
  })
})

test('a refusal has the tasks that fit, and a sentence even if a proxy answered', () => {
  const choices = [{ id: 'a', name: 'Call Ann' }]
  const type = 'stint_task_ambiguous'
  expect(failureOf({ status: 409, type, body: { choices } }).choices).toEqual(choices)
  expect(failureOf({ status: 502, type: '', body: null }).message).toBe('HTTP 502')
})
