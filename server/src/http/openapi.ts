/** The OpenAPI 3.1 description of the API, generated from the schemas of the routes. */
import { STATUS_CODES } from 'node:http'
import { PROJECT_ID } from '@stint/core/collections.ts'
import { Type } from 'typebox'
import type { TObject, TSchema } from 'typebox'
import type { ApiRoute } from './route-table.ts'
import { ERROR } from '#errors.ts'
import { VERSION } from '@stint/core/version.ts'
import { isPlainObject } from '#json.ts'

type Json = Record<string, unknown>

/** The ways in, by their names in the document. */
const SECURITY_SCHEMES = {
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Appwrite-Project',
    description: `Always \`${PROJECT_ID}\`; \`GET\` may say \`?project=${PROJECT_ID}\` instead.`,
  },
  session: { type: 'apiKey', in: 'cookie', name: `a_session_${PROJECT_ID}` },
  key: { type: 'http', scheme: 'bearer', description: 'A personal key, `stint_…`' },
}

/** Returns the routes for programs with a key. */
export function routesForKeys(routes: readonly ApiRoute[]): ApiRoute[] {
  return routes.filter(({ access }) => access === 'read' || access === 'write')
}

/** Returns the document of the routes for programs with a key alone. */
export function openApiForKeys(routes: readonly ApiRoute[]): Json {
  const { components, ...document } = openApi(routesForKeys(routes))
  const { key } = SECURITY_SCHEMES
  return {
    ...document,
    security: [{ key: [] }],
    components: { ...components, securitySchemes: { key } },
  }
}

/** Returns the document. Schemas with a title become named components. */
export function openApi(routes: readonly ApiRoute[]): Json & { readonly components: Json } {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = (paths[route.url.replace(/:(\w+)/g, '{$1}')] ??= {})
    path[route.method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Stint', version: VERSION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ project: [] }],
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  }

  function operation({ method, url, schema, access }: ApiRoute): Json {
    return {
      operationId: operationId(method, url),
      tags: [groupOf(url)],
      summary: schema.summary,
      ...(schema.deprecated === true ? { deprecated: true } : {}),
      ...(access === 'users' ? { security: [{ project: [], session: [] }] } : {}),
      ...(access === 'anyone' ? { security: [] } : {}),
      ...(access === 'read' || access === 'write' ? { security: [{ key: [] }] } : {}),
      parameters: [
        ...parameters('path', schema.params),
        ...parameters('query', schema.querystring),
        ...parameters('header', schema.headers),
      ],
      ...(schema.body === undefined
        ? {}
        : {
            requestBody: {
              required: propertiesOf(schema.body).some(({ isRequired }) => isRequired),
              content: jsonContent(schema.body),
            },
          }),
      responses: {
        ...Object.fromEntries(answersOf(schema.response).map(response)),
        default: { description: 'An error', content: jsonContent(ERROR) },
      },
    }
  }

  function parameters(where: string, schema: unknown): Json[] {
    return propertiesOf(schema).map(({ name, schema: property, isRequired }) => {
      const { description, ...rest } = described(property)
      return { name, in: where, required: isRequired, description, schema: rest }
    })
  }

  function response([status, schema]: Answer): [string, Json] {
    const description = STATUS_CODES[status] ?? status
    if (Type.IsUndefined(schema)) return [status, { description }]
    return [
      status,
      { description, content: { [mediaTypeOf(schema)]: { schema: described(schema) } } },
    ]
  }

  function jsonContent(schema: unknown): Json {
    return { 'application/json': { schema: described(schema) } }
  }

  /** Returns the schema without Stint's own keyword. A schema with a title becomes a reference. */
  function described(schema: unknown): Json {
    const { title, refusal: _, ...keywords } = isPlainObject(schema) ? schema : {}
    const plain = Object.fromEntries(
      Object.entries(keywords).map(([keyword, value]) => [keyword, describedValue(value)]),
    )
    if (typeof title !== 'string') return plain
    schemas[title] = plain
    return { $ref: `#/components/schemas/${title}` }
  }

  function describedValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(describedValue)
    return isPlainObject(value) ? described(value) : value
  }
}

function mediaTypeOf(schema: TSchema & { readonly contentMediaType?: string }): string {
  return schema.contentMediaType ?? (Type.IsLiteral(schema) ? 'text/plain' : 'application/json')
}

/** Returns the name of an operation for generated clients: 'getStintNow' for `GET /v1/stint/now`. */
function operationId(method: string, url: string): string {
  const words = url.replace(/^\/v1/, '').split(/\W+/)
  const capitalised = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return method.toLowerCase() + capitalised.join('')
}

/** Returns the group of a route: a tag, and a list of docs/api.md. */
export function groupOf(
  url: string,
): 'account' | 'keys' | 'push' | 'proposals' | 'programs' | 'documents' | 'realtime' | 'other' {
  if (/\/(account|stint\/(oidc|proxy|passkeys|second-factor))/.test(url)) return 'account'
  if (url.includes('/keys') || url.endsWith('/feed')) return 'keys'
  if (url.includes('/stint/push')) return 'push'
  if (url.includes('/proposals')) return 'proposals'
  if (url.includes('/collections/')) return 'documents'
  if (/\/stint\/(?!info|openapi)/.test(url)) return 'programs'
  return url.endsWith('/realtime') ? 'realtime' : 'other'
}

export type Answer = [status: string, schema: TSchema]

/** Returns the replies of a route by status. */
export function answersOf(response: unknown): Answer[] {
  return Object.entries(response ?? {}).filter((each): each is Answer => Type.IsSchema(each[1]))
}

/** Returns the properties of an object's schema, in order. */
export function propertiesOf(schema: unknown) {
  return Object.entries(isObject(schema) ? schema.properties : {}).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: !Type.IsOptional(property),
  }))
}

function isObject(schema: unknown): schema is TObject {
  return Type.IsObject(schema)
}
