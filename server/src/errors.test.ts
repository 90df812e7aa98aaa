import { expect, test } from 'vitest'
import { ApiError, apiError } from './errors.ts'

test('the placeholders of an error’s text are filled in', () => {
  const error = apiError('document_not_found', { id: 'a1' })
  expect(error).toBeInstanceOf(ApiError)
  expect([error.type, error.status, error.message]).toEqual([
    'document_not_found',
    404,
    "Document with the requested ID 'a1' could not be found.",
  ])
})

test('a more precise text has the type and the status of the error that its name begins with', () => {
  const { type, status, message } = apiError('attribute_limit_exceeded.max', { name: 'n', max: 7 })
  expect([type, status, message]).toEqual([
    'attribute_limit_exceeded',
    400,
    'databases "n" has reached the maximum value of 7',
  ])
  expect(apiError('general_argument_invalid.body_size').message).toBe(
    'The request body is too large.',
  )
})

test('braces in a value are kept and not replaced', () => {
  const { message } = apiError('general_argument_invalid.param', {
    name: '{description}',
    description: 'Value {name} is wrong. $&',
  })
  expect(message).toBe('Invalid `{description}` param: Value {name} is wrong. $&')
})

test('a text with placeholders does not compile without its values', () => {
  // @ts-expect-error -- the id is missing
  expect(apiError('document_not_found').message).toContain('{id}')
  // @ts-expect-error -- a text with placeholders is not a message
  expect(new ApiError('document_not_found').message).toContain('{id}')
  // @ts-expect-error -- the text has no placeholder of this name
  expect(apiError('document_not_found', { id: 'a1', name: 'b' }).message).toContain("'a1'")
})
