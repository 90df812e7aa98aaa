/** Compares the replies with Appwrite's description of its client API. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { problemsOf } from '@stint/testing/openapi.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'

const DOCUMENTS = '/databases/stint/collections'

let server: TestApp
let user: TestUser

beforeEach(async () => {
  server = await createTestApp()
  user = await server.signedInUser('Ada')
})

afterEach(() => server.close())

describe('Appwrite’s description', () => {
  test('replies with the account and its sessions match Appwrite’s description', async () => {
    expect(problemsOf('user', (await user.call('GET', '/account')).body)).toEqual([])
    expect(
      problemsOf('session', (await user.call('GET', '/account/sessions/current')).body),
    ).toEqual([])
    expect(problemsOf('sessionList', (await user.call('GET', '/account/sessions')).body)).toEqual(
      [],
    )
    expect(problemsOf('preferences', (await user.call('GET', '/account/prefs')).body)).toEqual([])
    const renamed = await user.call('PATCH', '/account/name', { name: 'Ada L.' })
    expect(problemsOf('user', renamed.body)).toEqual([])
    const other = server.newBrowser()
    const created = await other.call('POST', '/account', {
      userId: 'unique()',
      email: 'grace@example.com',
      password: TEST_PASSWORD,
    })
    expect(problemsOf('user', created.body)).toEqual([])
    const session = await other.call('POST', '/account/sessions/email', {
      email: 'grace@example.com',
      password: TEST_PASSWORD,
    })
    expect(problemsOf('session', session.body)).toEqual([])
  })

  test('replies with documents and lists of them match Appwrite’s description', async () => {
    const path = `${DOCUMENTS}/tasks/documents`
    const data = { name: 'Write', userId: user.id }
    const created = await user.call('POST', path, { documentId: 'd1', data })
    expect(problemsOf('document', created.body)).toEqual([])
    const patched = await user.call('PATCH', `${path}/d1`, { data: { name: 'Plan' } })
    expect(problemsOf('document', patched.body)).toEqual([])
    const raised = await user.call('PATCH', `${path}/d1/totalTime/increment`, { value: 5 })
    expect(problemsOf('document', raised.body)).toEqual([])
    const list = await user.call('GET', path)
    expect(problemsOf('documentList', list.body)).toEqual([])
    expect(list.body.total).toBe(1)
  })

  test('errors match Appwrite’s description, except for the code, which is a number on the wire', async () => {
    const { body } = await user.call('GET', `${DOCUMENTS}/tasks/documents/missing`)
    expect(problemsOf('error', { ...body, code: String(body.code) })).toEqual([])
    expect(body.code).toBe(404)
  })

  test('the comparison with Appwrite’s description finds a reply of a wrong shape', async () => {
    const { body } = await user.call('GET', '/account')
    expect(problemsOf('user', { ...body, email: 7 })).not.toEqual([])
    const { $id: _, ...nameless } = body
    expect(problemsOf('user', nameless)).not.toEqual([])
  })
})
