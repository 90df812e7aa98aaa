/** Compares errors with Appwrite's description of its client API, as `sdk-calls.test.ts` compares the other replies. */
import { beforeAll, expect, test } from 'vitest'

import { problemsOf } from '@stint/testing/openapi.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import type { TestUser } from '@stint/testing/test-app.ts'

const server = serverForFile()
let user: TestUser

beforeAll(async () => {
  user = await server.signedInUser()
})

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
