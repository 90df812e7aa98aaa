/**
 * One server for the tests of a file, each of which has a person of its own: to start a server takes the time
 * of fifty requests.
 */
import type { TestApp } from '@stint/testing/test-app.ts'

let server: Promise<TestApp> | undefined
let startedAt = 0

/** Returns the server of this file, with its clock at the start and without an intercept. */
export async function serverOfFile(): Promise<TestApp> {
  server ??= import('@stint/testing/test-app.ts').then(({ createTestApp }) => createTestApp())
  const app = await server
  startedAt ||= app.clock.now()
  app.clock.set(startedAt)
  app.intercept(undefined)
  return app
}

/** Closes the server of this file, if it has one. Throws when a reply was not as its route describes. */
export async function closeServerOfFile(): Promise<void> {
  const closing = server
  server = undefined
  startedAt = 0
  await (await closing)?.close()
}
