/** The description of the API for programs: an OpenAPI document, and a page for people that needs no script. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '@stint/core/version.ts'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { ApiRoute } from '#http/route-table.ts'
import type { Config } from '#config.ts'
import { ERROR, ERRORS } from '#errors.ts'
import { answersOf, openApiForKeys, propertiesOf, routesForKeys } from '#http/openapi.ts'
import { jsonText } from '#http/answers.ts'
import type { Routes } from '#http/params.ts'

/** Registers the document under the prefix of `app`. Anyone may read it. */
export function registerOpenApi(app: Routes): void {
  let document: string | undefined
  app.get(
    '/stint/openapi.json',
    {
      config: { access: 'anyone' },
      schema: {
        summary: 'The OpenAPI 3.1 description of the routes for programs',
        response: { 200: jsonText(Type.Record(Type.String(), Type.Unknown())) },
      },
    },
    async (_request, reply) => {
      reply.type('application/json; charset=utf-8')
      return (document ??= JSON.stringify(openApiForKeys(app.routeTable)))
    },
  )
}

/** Registers the page `/docs/api`. */
export function registerApiPage(app: FastifyInstance, { publicUrl }: Config): void {
  let page: string | undefined
  app.get('/docs/api', async (_request, reply) => {
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-cache')
    return (page ??= apiPage(app.routeTable, publicUrl))
  })
}

const STYLE = `
:root { color-scheme: light dark; --line: #8885; --quiet: light-dark(#555, #aaa) }
html { background: light-dark(#fff, #16181d); color: light-dark(#1b1d22, #e8e8ea) }
a { color: light-dark(#0b57d0, #8ab4f8) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1, h2 { line-height: 1.2 }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; overflow-wrap: anywhere }
h3 { margin-bottom: .25rem; font-size: 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem }
dl { margin: 0; display: grid; grid-template-columns: minmax(8rem, auto) 1fr; gap: .25rem 1rem }
dt { overflow-wrap: anywhere }
dd { margin: 0; color: var(--quiet) }
li { margin: .25rem 0 }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }
`

/** Nothing but this style: no script, no picture, no other address. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function apiPage(routes: readonly ApiRoute[], publicUrl: string): string {
  const own = routesForKeys(routes)
  const answers = new Map<string, TSchema>()
  for (const { schema } of own) {
    for (const [, answer] of answersOf(schema.response)) addNamed(answer, answers)
  }
  addNamed(ERROR, answers)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The API of Stint</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The API of Stint</h1>
<p>Version ${VERSION}. For programs: <a href="/v1/stint/openapi.json">OpenAPI 3.1</a>.</p>
<p>Send a personal key with each call. A key may read, or read and write. Instants end in <code>Z</code>, and durations are whole
seconds. What is computed is what the app shows, in your time zone.</p>
<pre>curl -H "Authorization: Bearer $STINT_KEY" ${text(publicUrl)}/v1/stint/now?timeZone=Europe/Berlin</pre>
<ul>
${own.map(({ name, schema }) => `<li><a href="#${anchor(name)}"><code>${text(name)}</code></a> ${marked(schema.summary)}</li>`).join('\n')}
</ul>
${own.map((route) => section(route, publicUrl)).join('\n')}
<h2>Answers</h2>
${[...answers].map(([name, schema]) => `<h3 id="answer-${name}"><code>${name}</code></h3>${fields(propertiesOf(schema))}`).join('\n')}
<h2>Errors</h2>
<p>Programs should use <code>type</code>; the message is for people.</p>
<dl>
${Object.entries(ERRORS)
  .filter(([type]) => /^(?:stint|general)_/.test(type))
  .map(
    ([type, { status, message }]) =>
      `<dt><code>${type}</code></dt><dd>${status}: ${text(message)}</dd>`,
  )
  .join('\n')}
</dl>
</main>
</body>
</html>
`
}

function section({ name, method, url, schema, access }: ApiRoute, publicUrl: string): string {
  const parameters = [schema.querystring, schema.body, schema.headers].flatMap(propertiesOf)
  const answers = answersOf(schema.response).map(([status, answer]) => {
    return `<p>${status}: ${typeOf(answer)}</p>`
  })
  const [sent] = propertiesOf(schema.body)
  const body = sent && ` -H "Content-Type: application/json" -d '{"${sent.name}": "…"}'`
  const verb = method === 'DELETE' ? ' -X DELETE' : ''
  const call = `curl${verb} -H "Authorization: Bearer $STINT_KEY"${body ?? ''} ${publicUrl}${url}`
  return `<h2 id="${anchor(name)}"><code>${text(name)}</code></h2>
<p>${marked(schema.summary)}. Needs a key that may ${access}.</p>
<pre>${text(call)}</pre>
${parameters.length === 0 ? '' : `<h3>${method === 'GET' ? 'Query' : 'Body and headers'}</h3>${fields(parameters)}`}
<h3>Answer</h3>
${answers.join('')}`
}

function fields(properties: ReturnType<typeof propertiesOf>): string {
  const rows = properties.map(({ name, schema, isRequired }) => {
    const notes = [typeOf(schema), marked(descriptionOf(schema))].filter((each) => each !== '')
    return `<dt><code>${text(name)}</code>${isRequired ? '' : ' (optional)'}</dt><dd>${notes.join('; ')}</dd>`
  })
  return `<dl>${rows.join('\n')}</dl>`
}

/** Returns the type of a value in words, with a link to a named one. */
function typeOf(schema: TSchema & { readonly title?: string; readonly enum?: unknown }): string {
  const { title } = schema
  if (title !== undefined) return `<a href="#answer-${title}"><code>${title}</code></a>`
  if (Type.IsUnion(schema)) return schema.anyOf.map(typeOf).join(' or ')
  if (Type.IsArray(schema)) return `list of ${typeOf(schema.items)}`
  if (Type.IsNull(schema)) return 'null'
  if (Array.isArray(schema.enum))
    return schema.enum.map((each) => `<code>${each}</code>`).join(' or ')
  const parts = propertiesOf(schema).map(({ name, schema: part }) => `${name}: ${typeOf(part)}`)
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : String('type' in schema ? schema.type : '')
}

/** Adds the schemas with a title, nested ones included. */
function addNamed(
  schema: TSchema & { readonly title?: string },
  named: Map<string, TSchema>,
): void {
  if (schema.title !== undefined) named.set(schema.title, schema)
  const parts = Type.IsUnion(schema)
    ? schema.anyOf
    : Type.IsArray(schema)
      ? [schema.items]
      : propertiesOf(schema).map((property) => property.schema)
  for (const part of parts) addNamed(part, named)
}

function descriptionOf({ description = '' }: TSchema & { readonly description?: string }): string {
  return description
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/\W+/g, '-')
}

/** Escapes a text for HTML, and shows what is in backticks as code. */
function marked(raw = ''): string {
  return text(raw).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function text(raw: string): string {
  return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
