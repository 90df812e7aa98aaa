/** Servers and people for the tests of a file. What these functions return can be used in hooks and tests alone. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createTestApp } from './test-app.ts'
import type { TestApp, TestAppOptions, TestUser } from './test-app.ts'

/**
 * Returns one server for all tests of the file, with its clock at the start before each: to start a server takes
 * the time of fifty requests. Its tests have people whom no other one meets (`userForEach`).
 */
export function serverForFile(options: TestAppOptions = {}): TestApp {
  const server = filledBy(beforeAll, () => createTestApp(options))
  let startedAt = 0
  beforeAll(() => {
    startedAt = server.clock.now()
  })
  beforeEach(() => server.clock.set(startedAt))
  afterAll(() => server.close())
  return server
}

/** Returns a server of its own for each test. */
export function serverForEach(options: TestAppOptions = {}): TestApp {
  const server = filledBy(beforeEach, () => createTestApp(options))
  afterEach(() => server.close())
  return server
}

/** Returns a new person for each test, who is signed in. Default: a name that nobody else has. */
export function userForEach(server: TestApp, name?: string): TestUser {
  return filledBy(beforeEach, () => server.signedInUser(name))
}

/** Returns an object that a hook fills before it is used. */
function filledBy<T extends object>(
  hook: (fill: () => Promise<void>) => void,
  make: () => Promise<T>,
): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hook fills it
  const object = {} as T
  hook(async () => void Object.assign(object, await make()))
  return object
}
