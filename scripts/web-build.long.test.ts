import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { expect, test } from 'vitest'

import { run } from './run.ts'
import { buildWebAppIfStale, filesOf } from './web-stamp.ts'

test('a page of the first build finds all its files in the complete one', async () => {
  const complete = await buildWebAppIfStale()
  const folder = await mkdtemp(join(tmpdir(), 'stint-first-'))
  try {
    const settings = { PUBLIC_URL: '', SUPPORT_EMAIL: '', NODE_ENV: 'production' }
    const code = await run(process.execPath, ['scripts/build.ts', folder, 'first'], settings)
    expect(code).toBe(0)
    const names = (await filesOf(folder)).map((file) => relative(folder, file))
    const differing: string[] = []
    for (const name of names) {
      const [one, other] = await Promise.all(
        [folder, complete].map((each) => readFile(join(each, name)).catch(() => null)),
      )
      if (!one || !other?.equals(one)) differing.push(name)
    }
    expect(names.filter((name) => name.startsWith('assets/')).length).toBeGreaterThan(20)
    // The complete one requests the parts of signed-in screens in it.
    expect(differing).toEqual(['app.html'])
    const shells = [folder, complete].map((build) => readFile(join(build, 'app.html'), 'utf8'))
    const areMarked = (await Promise.all(shells)).map((text) => text.includes('service-worker'))
    expect(areMarked).toEqual([true, false])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the source maps of a build lead to the lines of the sources, and are not beside its files', async () => {
  const build = await buildWebAppIfStale()
  expect((await filesOf(join(build, 'assets'))).filter((file) => file.endsWith('.map'))).toEqual([])
  const found: string[] = []
  for (const name of await readdir(join(build, '.maps'))) {
    const code = await readFile(join(build, 'assets', name.replace(/\.map$/, '')), 'utf8')
    const at = code.indexOf('stint_language')
    if (at === -1) continue
    const before = code.slice(0, at).split('\n')
    const payload = JSON.parse(await readFile(join(build, '.maps', name), 'utf8'))
    const entry = new SourceMap(payload).findEntry(before.length - 1, before.at(-1)?.length ?? 0)
    if (!('originalSource' in entry)) throw new Error(`${name} has no source of 'stint_language'`)
    const source: string = payload.sourcesContent[payload.sources.indexOf(entry.originalSource)]
    found.push(source.split('\n')[entry.originalLine] ?? '')
  }
  expect(found.length).toBeGreaterThan(0)
  for (const line of found) expect(line).toMatch(/stint_language|COOKIE/)
})
