/** Generates the lists of routes of docs/api.md from their schemas, and its table of limits. */
import type { ApiRoute } from '@stint/server/http/route-table.ts'
import { groupOf } from '@stint/server/http/openapi.ts'
import { limitRows } from './limit-tables.ts'

/** `<!-- routes: account -->` or `<!-- table: limits -->`, the generated part, `<!-- end -->`. */
const PLACE = /(<!-- (?:routes|table): (\w+) -->\n)[^]*?(<!-- end -->)/g

/** Returns the page with its generated parts made again, its table without padding. */
export function withTables(page: string, routes: readonly ApiRoute[]): string {
  return page.replaceAll(PLACE, (_place, start: string, name: string, end: string) => {
    const lines = name === 'limits' ? limitsTable() : routesList(routes, name)
    return `${start}\n${lines.join('\n')}\n\n${end}`
  })
}

/** Returns a line for each route of a group. docs/openapi.json has their parameters and answers. */
function routesList(routes: readonly ApiRoute[], group: string): string[] {
  return routes
    .filter(({ url }) => groupOf(url) === group)
    .map(({ name, schema: { summary = '', deprecated } }) => {
      return `- \`${name}\`: ${summary}${deprecated === true ? '; for older SDKs' : ''}`
    })
}

function limitsTable(): string[] {
  const head = ['How often', 'Per', 'What']
  return [head, head.map(() => '---'), ...limitRows()].map((cells) => `| ${cells.join(' | ')} |`)
}
