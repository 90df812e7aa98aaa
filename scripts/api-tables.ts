/** Generates the tables of docs/api.md from the schemas of the routes, and that of limits. */
import type { ApiRoute } from '@stint/server/http/route-table.ts'
import { answersOf, groupOf, propertiesOf } from '@stint/server/http/openapi.ts'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { limitRows } from './limit-tables.ts'

/** `<!-- table: account -->`, a table, `<!-- end -->`. */
const PLACE = /(<!-- table: (\w+) -->\n)[^]*?(<!-- end -->)/g

/** Returns the page with its tables generated again, without padding. */
export function withTables(page: string, routes: readonly ApiRoute[]): string {
  return page.replaceAll(
    PLACE,
    (_place, start: string, name: string, end: string) =>
      `${start}\n${tableOf(name, routes).join('\n')}\n\n${end}`,
  )
}

function tableOf(name: string, routes: readonly ApiRoute[]): string[] {
  if (name === 'limits') return table(['What', 'How often', 'Per'], limitRows())
  return routesTable(routes, name)
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
 * Returns the names of a route's parameters, which docs/openapi.json describes. Those of its path are included only if
 * they have a description.
 */
function parameters({ params, querystring, headers, body }: ApiRoute['schema']): string[] {
  return [
    ...propertiesOf(params).filter(({ schema }) => descriptionOf(schema) !== undefined),
    ...[querystring, body].flatMap(propertiesOf),
    ...propertiesOf(headers).map((header) => ({ ...header, isRequired: true })),
  ].map(({ name, isRequired }) => `\`${name}${isRequired ? '' : '?'}\``)
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
