/** Generates the lists of routes of docs/api.md from their schemas, and its list of limits. */
import type { ApiRoute } from '@stint/server/http/route-table.ts'
import { groupOf } from '@stint/server/http/openapi.ts'
import { limitLines } from './limit-lists.ts'

/** `<!-- list: account -->`, a list, `<!-- end -->`. */
const PLACE = /(<!-- list: (\w+) -->\n)[^]*?(<!-- end -->)/g

/** Returns the page with its lists generated again. */
export function withLists(page: string, routes: readonly ApiRoute[]): string {
  return page.replaceAll(PLACE, (_place, start: string, name: string, end: string) => {
    const lines = name === 'limits' ? limitLines() : routeLines(routes, name)
    return `${start}\n${lines.join('\n')}\n\n${end}`
  })
}

/** Returns a line for each route of a group. docs/openapi.json has their parameters and answers. */
function routeLines(routes: readonly ApiRoute[], group: string): string[] {
  return routes
    .filter(({ url }) => groupOf(url) === group)
    .map(({ name, schema: { summary = '', deprecated } }) => {
      return `- \`${name}\`: ${summary}${deprecated === true ? '; for older SDKs' : ''}`
    })
}
