/** Runs every block of docs/recipes.md against a server. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { COMPILE_CACHE } from '@stint/testing/compile-cache.ts'
import { serverForFile } from '@stint/testing/server-tests.ts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/recipes.md'), 'utf8')

const server = serverForFile()
let address: string
let key: string
let home: string

beforeAll(async () => {
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(async () => {
  const ann = await server.signedInUser()
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
  const created = await ann.call('POST', '/stint/keys', { name: 'Recipes', access: 'write' })
  key = created.body.secret
  home = mkdtempSync(join(tmpdir(), 'stint-recipes-'))
  mkdirSync(join(home, 'bin'))
  symlinkSync(join(import.meta.dirname, '../bin/stint.js'), join(home, 'bin/stint'))
})
afterEach(async () => {
  rmSync(home, { recursive: true })
})

/** Not every machine has curl; the other recipes run everywhere. */
const HAS_CURL = spawnSync('curl', ['--version']).status === 0

test.for(
  blocks('sh')
    .filter((block) => HAS_CURL || !block.includes('curl'))
    .map((block) => [block]),
)('this works in a shell: %s', async ([block = '']) => {
  // So that a stop has something to stop, and yesterday has a session.
  await shell('stint add "yesterday 9-10" Reading')
  if (block.includes('/stop')) await shell('stint start Reading')
  const { code, output } = await shell(block)
  expect(code).toBe(0)
  expect(output).not.toMatch(/"type":"(general|stint)_/)
})

test('the recipe for Home Assistant makes calls that the server accepts', async () => {
  const [block = ''] = blocks('yaml')
  const secret = { tag: '!secret', resolve: () => `Bearer ${key}` }
  const recipe = parse(block, { customTags: [secret] })
  const { stint_start: start, stint_stop: stop } = recipe.rest_command
  for (const { url, method, headers, content_type: type, payload } of [start, stop]) {
    const answer = await fetch(url.replace('https://stint.example.com', address), {
      method,
      headers: { ...headers, 'Content-Type': type },
      body: payload,
    })
    expect(answer.ok).toBe(true)
    server.clock.advance(60_000)
  }
  const [{ resource, headers }] = recipe.rest
  const now = await fetch(resource.replace('https://stint.example.com', address), { headers })
  expect(await now.json()).toMatchObject({ timer: null, todaySeconds: 60 })
})

/** Returns the blocks of the page in a language. */
function blocks(language: string): string[] {
  const found = [...PAGE.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
  return found.filter(([, name]) => name === language).map(([, , block = '']) => block)
}

async function shell(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', script], {
    cwd: home,
    env: {
      ...COMPILE_CACHE,
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      STINT_SERVER: address,
      STINT_KEY: key,
    },
  })
  const exited = new Promise<number | null>((done) => child.once('close', done))
  const [output, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exited, output: output + error }
}
