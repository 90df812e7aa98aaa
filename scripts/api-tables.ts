/**
 * Generates the tables of docs/api.md from the schemas of the routes: routes, and the fields of
 * replies.
 */
import type { ApiRoute } from '@stint/server/app.ts'
import { ERROR } from '@stint/server/errors.ts'
import { answersOf, groupOf, propertiesOf } from '@stint/server/http/openapi.ts'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'

/** `<!-- table: account -->`, a table, `<!-- end -->`. */
const PLACE = /(<!-- table: (\w+) -->\n)[^]*?(<!-- end -->)/g

/** Returns the page with its tables generated again, without padding. */
export function withTables(page: string, routes: readonly ApiRoute[]): string {
  return page.replaceAll(PLACE, (_place, start: string, name: string, end: string) => {
    const lines = name === 'answers' ? answersTable(routes) : routesTable(routes, name)
    return `${start}\n${lines.join('\n')}\n\n${end}`
  })
}

function routesTable(routes: readonly ApiRoute[], group: string): string[] {
  return table(
    ['Route', 'What it does', 'Parameters', 'Answer'],
    routes
      .filter(({ url }) => groupOf(url) === group)
      .map(({ name, schema }) => [
        `\`${name}\``,
        `${schema.summary ?? ''}${schema.deprecated === true ? '; for older SDKs' : ''}`,
        parameters(schema).join(', '),
        answersOf(schema.response)
          .map(([status, answer]) => `${status} ${nameOf(answer)}`.trim())
          .join(', '),
      ]),
  )
}

/**
 * Returns the parameters of a route. Those of its path are included only if they have a
 * description.
 */
function parameters({ params, querystring, headers, body }: ApiRoute['schema']): string[] {
  return [
    ...propertiesOf(params).filter(({ schema }) => descriptionOf(schema) !== undefined),
    ...[querystring, body].flatMap(propertiesOf),
    ...propertiesOf(headers).map((header) => ({ ...header, isRequired: true })),
  ].map(({ name, schema, isRequired }) => {
    const description = descriptionOf(schema)
    return `\`${name}${isRequired ? '' : '?'}\`${description === undefined ? '' : ` (${description})`}`
  })
}

function answersTable(routes: readonly ApiRoute[]): string[] {
  const named = new Map<string, TSchema>()
  for (const { schema } of routes) {
    for (const [, answer] of answersOf(schema.response)) addNamed(answer, named)
  }
  addNamed(ERROR, named)
  return table(
    ['Answer', 'Fields'],
    [...named].map(([name, schema]) => [`\`${name}\``, fieldsOf(schema)]),
  )
}

/** Adds the schemas with a title, nested ones included. */
function addNamed(schema: TSchema, named: Map<string, TSchema>): void {
  const title = titleOf(schema)
  if (title !== undefined) named.set(title, schema)
  if (descriptionOf(schema) !== undefined) return
  const parts = Type.IsUnion(schema)
    ? schema.anyOf
    : Type.IsArray(schema)
      ? [schema.items]
      : propertiesOf(schema).map((property) => property.schema)
  for (const part of parts) addNamed(part, named)
}

function fieldsOf(schema: TSchema): string {
  const description = descriptionOf(schema)
  if (description !== undefined) return description
  if (Type.IsUnion(schema)) return schema.anyOf.map(nameOf).join(' or ')
  return propertiesOf(schema)
    .map(({ name, schema: field }) => `\`${name}\`${isNullable(field) ? ' (or null)' : ''}`)
    .join(', ')
}

function isNullable(schema: TSchema): boolean {
  return Type.IsNull(schema) || (Type.IsUnion(schema) && schema.anyOf.some(isNullable))
}

/** Returns the name of a reply: its title, or else its fields or its value. */
function nameOf(schema: TSchema): string {
  const title = titleOf(schema)
  if (title !== undefined) return `\`${title}\``
  if (Type.IsLiteral(schema)) return `\`${schema.const}\``
  const fields = propertiesOf(schema).map(({ name }) => name)
  return fields.length === 0 ? '' : `\`{ ${fields.join(', ')} }\``
}

function titleOf({ title }: TSchema & { readonly title?: string }): string | undefined {
  return title
}

function descriptionOf({
  description,
}: TSchema & { readonly description?: string }): string | undefined {
  return description
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
