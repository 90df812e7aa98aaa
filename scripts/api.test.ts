import { readFileSync } from 'node:fs'
import { validate } from '@readme/openapi-parser'
import type { ApiRoute } from '@stint/server/http/route-table.ts'
import { openApi } from '@stint/server/http/openapi.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import { Type } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { withLists } from './api-lists.ts'
import { appwriteConfig } from './appwrite-config.ts'

const OUT_OF_DATE = 'is not what the routes say: run npm run api'

let routes: readonly ApiRoute[]

beforeAll(async () => {
  const server = await createTestApp()
  routes = server.app.routeTable
  await server.close()
})

test('docs/openapi.json describes the current routes', () => {
  const description: unknown = JSON.parse(text('openapi.json'))
  expect(description, `docs/openapi.json ${OUT_OF_DATE}`).toEqual(plain(openApi(routes)))
})

test('appwrite.config.json describes the collections for an Appwrite server', () => {
  const config: unknown = JSON.parse(
    readFileSync(new URL('../appwrite.config.json', import.meta.url), 'utf8'),
  )
  expect(config, 'appwrite.config.json is not what core says: run npm run api').toEqual(
    appwriteConfig(),
  )
})

test('the lists of docs/api.md describe the current routes', () => {
  const page = text('api.md')
  expect(page, `docs/api.md ${OUT_OF_DATE}`).toBe(withLists(page, routes))
})

test('every route is in a list of docs/api.md', () => {
  const rows = [...text('api.md').matchAll(/^- `((?:GET|POST|PUT|PATCH|DELETE) \/v1\S+)`/gm)]
  expect(new Set(rows.map(([, route]) => route))).toEqual(new Set(routes.map(({ name }) => name)))
})

test('every route has a summary and describes its replies', () => {
  const silent = routes.filter(
    ({ schema }) => schema.summary === undefined || schema.response === undefined,
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('docs/openapi.json is valid OpenAPI 3.1', async () => {
  const description = JSON.parse(text('openapi.json'))
  expect(description.openapi).toMatch(/^3\.1\./)
  expect(await validate(description)).toMatchObject({ valid: true, warnings: [] })
})

test('the check of the description finds an invalid one', async () => {
  const { info: _, ...nameless } = JSON.parse(text('openapi.json'))
  expect(await validate(nameless)).toMatchObject({ valid: false })
  const { components: __, ...dangling } = JSON.parse(text('openapi.json'))
  expect(await validate(dangling)).toMatchObject({ valid: false })
})

test.each([
  ['a field of an answer', { response: { 200: Type.Object({ version: Type.String() }) } }],
  ['a parameter', { body: Type.Object({ planted: Type.String() }) }],
  ['a summary', { summary: 'Something else' }],
])('%s that changes without docs/openapi.json is found', (_, change) => {
  expect(plain(openApi(withInfo(change)))).not.toEqual(JSON.parse(text('openapi.json')))
})

test('a summary that changes without docs/api.md is found', () => {
  const page = text('api.md')
  expect(withLists(page, withInfo({ summary: 'Something else' }))).not.toBe(page)
})

/** Returns the routes with a change of the schema of `GET /v1/stint/info`. */
function withInfo(change: Partial<ApiRoute['schema']>): ApiRoute[] {
  return routes.map((route) =>
    route.name === 'GET /v1/stint/info'
      ? { ...route, schema: { ...route.schema, ...change } }
      : route,
  )
}

function text(name: string): string {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')
}

function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value))
}
