import { expect, test } from 'vitest'
import { validate } from '@readme/openapi-parser'
import { callEveryRoute } from '@stint/testing/api-calls.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'

const server = serverForFile()

test('the description of the API for programs is valid OpenAPI 3.1 and needs no key', async () => {
  const { status, body } = await server.newBrowser().call('GET', '/stint/openapi.json')
  expect([status, body.openapi]).toEqual([200, '3.1.0'])
  const ids = operations(body).map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(Object.keys(body.components.securitySchemes)).toEqual(['key'])
  expect(await validate(body)).toMatchObject({ valid: true, warnings: [] })
})

test('every route of the description, and no other, can be called with a key as it says', async () => {
  const { body } = await server.newBrowser().call('GET', '/stint/openapi.json')
  const described = operations(body).map(({ name }) => name)
  // The test server compares each reply with the schema that is in the description.
  const called = await callEveryRoute(await server.program(await server.signedInUser('Ann')))
  expect([...called].toSorted()).toEqual(described.toSorted())
})

test('the page of the API names every route and loads nothing', async () => {
  const reply = await server.fetch('http://localhost:3000/docs/api')
  const page = await reply.text()
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toContain('text/html')
  expect(reply.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect(page).not.toMatch(/<script|<img|<link|@import|url\(|\son\w+=|undefined|\[object/)
  const { body } = await server.newBrowser().call('GET', '/stint/openapi.json')
  for (const { name } of operations(body)) expect(page).toContain(`<code>${name}</code>`)
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
  expect(targets.filter((target) => !page.includes(`id="${target}"`))).toEqual([])
})

interface Operation {
  readonly name: string
  readonly operationId: string
}

function operations(document: { paths: Record<string, Record<string, Operation>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      // OpenAPI writes the parameters of a path in braces.
      const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
      return { name: `${method.toUpperCase()} ${route}`, operationId }
    }),
  )
}
