/** Compares errors with Appwrite's description of its client API, as `sdk-calls.test.ts` compares the other replies. */
import { afterAll, beforeAll, expect, test } from 'vitest'

import { problemsOf } from '@stint/testing/openapi.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

let server: TestApp
let user: TestUser

beforeAll(async () => {
  server = await createTestApp()
  user = await server.signedInUser()
})
afterAll(() => server.close())

test('errors match Appwrite’s description, except for the code, which is a number on the wire', async () => {
  const { body } = await user.call('GET', '/databases/stint/collections/tasks/documents/missing')
  expect(problemsOf('error', { ...body, code: String(body.code) })).toEqual([])
  expect(body.code).toBe(404)
})

test('the comparison with Appwrite’s description finds a reply of a wrong shape', async () => {
  const { body } = await user.call('GET', '/account')
  expect(problemsOf('user', { ...body, email: 7 })).not.toEqual([])
  const { $id: _, ...nameless } = body
  expect(problemsOf('user', nameless)).not.toEqual([])
})
