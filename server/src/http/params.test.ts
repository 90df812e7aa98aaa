import Fastify from 'fastify'
import { createTestApp } from '@stint/testing/test-app.ts'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { registerErrorHandler } from '#errors.ts'
import { propertiesOf } from './openapi.ts'
import { compileCheck, emailAddress, isEmailAddress, optional, text } from './params.ts'
import type { SchemaTypes } from './params.ts'

const app = Fastify().withTypeProvider<SchemaTypes>()
app.setValidatorCompiler(compileCheck)
registerErrorHandler(app)
const body = Type.Object({
  name: text(1, 3),
  email: optional(emailAddress),
  list: Type.Optional(
    Type.Array(Type.Object({ part: text(1, 3) }), { maxItems: 2, refusal: 'At most two.' }),
  ),
})
app.post('/', { schema: { body } }, (request, reply) => reply.send(request.body))
afterAll(() => app.close())

async function post(payload: unknown): Promise<unknown> {
  const reply = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })
  return reply.statusCode === 200 ? reply.json() : reply.json<{ message: string }>().message
}

const TEXT = 'Value must be a valid string and at least 1 chars and no longer than 3 chars'

test.each([
  [
    'the first property that does not fit',
    { email: 'x', name: '' },
    `Invalid \`name\` param: ${TEXT}`,
  ],
  ['a property that is missing', { email: 'x' }, 'Param "name" is not optional.'],
  ['a property that is null', { name: null }, `Invalid \`name\` param: ${TEXT}`],
  ['a body that is a list', ['a'], 'Param "name" is not optional.'],
  ['a body that is null', null, 'Param "name" is not optional.'],
  [
    'a list that is too long',
    { name: 'a', list: [{}, {}, {}] },
    'Invalid `list` param: At most two.',
  ],
  ['a part of a list', { name: 'a', list: [{ part: 'a' }, {}] }, 'Param "part" is not optional.'],
  ['a part that is no object', { name: 'a', list: [7] }, 'Param "part" is not optional.'],
  [
    'a part that does not fit',
    { name: 'a', list: [{ part: 7 }] },
    `Invalid \`part\` param: ${TEXT}`,
  ],
])('the refusal of %s contains the name of the parameter', async (_, payload, message) => {
  expect(await post(payload)).toBe(message)
})

test('a valid body arrives decoded, including properties that the schema does not have', async () => {
  expect(await post({ name: 'a', email: 'Ann@Example.com', other: 1 })).toEqual({
    name: 'a',
    email: 'ann@example.com',
    other: 1,
  })
  expect(await post({ name: 'a', email: null })).toEqual({ name: 'a', email: null })
})

test('every parameter that can be refused describes what is valid', async () => {
  const server = await createTestApp()
  const silent = server.app.routeTable.flatMap(({ name, schema }) =>
    [schema.params, schema.querystring, schema.body]
      .flatMap(propertiesOf)
      .filter((property) => !('refusal' in property.schema))
      // Paths and queries are texts, so a schema that accepts every text refuses nothing.
      .filter((property) =>
        ['', '\0', 'x'.repeat(9999)].some((each) => !Check(property.schema, each)),
      )
      .map((property) => `${name}: ${property.name}`),
  )
  expect(silent).toEqual([])
  await server.close()
})

test('an e-mail address has no characters that control a terminal', () => {
  const wrong = ['a\u001Bb@example.com', 'a@exam\u009Bple.com', 'a\u007F@example.com', 'a b@c.de']
  expect(wrong.filter(isEmailAddress)).toEqual([])
  expect(['ann@example.com', 'jörg@münchen.de', '名@例え.jp'].every(isEmailAddress)).toBe(true)
})
