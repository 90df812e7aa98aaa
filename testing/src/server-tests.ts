/** Servers and people for the tests of a file. What these functions return can be used in hooks and tests alone. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createTestApp } from './test-app.ts'
import type { TestApp, TestAppOptions, TestUser } from './test-app.ts'

/**
 * Returns one server for all tests of the file, with its clock at the start before each: to start a server takes
 * the time of fifty requests. Its tests have people whom no other one meets (`userForEach`).
 */
export function serverForFile(options: TestAppOptions = {}): TestApp {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a hook fills it before it is used
  const server = {} as TestApp
  let startedAt = 0
  beforeAll(async () => {
    Object.assign(server, await createTestApp(options))
    startedAt = server.clock.now()
  })
  beforeEach(() => server.clock.set(startedAt))
  afterAll(() => server.close())
  return server
}

/** Returns a server of its own for each test. */
export function serverForEach(options: TestAppOptions = {}): TestApp {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a hook fills it before it is used
  const server = {} as TestApp
  beforeEach(async () => void Object.assign(server, await createTestApp(options)))
  afterEach(() => server.close())
  return server
}

/** Returns a new person for each test, who is signed in. Default: a name that nobody else has. */
export function userForEach(server: TestApp, name?: string): TestUser {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a hook fills it before it is used
  const user = {} as TestUser
  beforeEach(async () => void Object.assign(user, await server.signedInUser(name)))
  return user
}
