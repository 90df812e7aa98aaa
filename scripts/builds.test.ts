import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { currentBuild, keepBuild } from '../server/src/site/build.ts'
import { switchIn } from './builds.ts'

let builds: string

beforeEach(async () => {
  builds = join(await mkdtemp(join(tmpdir(), 'stint-builds-')), 'dist')
})
afterEach(() => rm(join(builds, '..'), { recursive: true }))

test('a new build becomes current when it is complete, and is made only once', async () => {
  expect(currentBuild(builds)).toBe(builds)
  let made = 0
  const make = async (folder: string): Promise<void> => {
    made++
    await mkdir(folder)
    await writeFile(join(folder, 'index.html'), 'one')
    expect(await readdir(builds)).not.toContain('one')
  }
  expect(await switchIn(builds, 'one', make)).toBe(join(builds, 'one'))
  expect(await switchIn(builds, 'one', make)).toBe(join(builds, 'one'))
  expect([made, currentBuild(builds)]).toEqual([1, join(builds, 'one')])
})

test('simultaneous makers of the same build all succeed with one build', async () => {
  const together = Promise.withResolvers<undefined>()
  let begun = 0
  const folders = await Promise.all(
    ['a', 'b', 'c'].map((who) =>
      switchIn(builds, 'one', async (folder) => {
        await mkdir(folder)
        if (++begun === 3) together.resolve(undefined)
        await together.promise
        for (const name of ['index.html', 'app.js']) await writeFile(join(folder, name), who)
      }),
    ),
  )
  expect(new Set(folders)).toEqual(new Set([join(builds, 'one')]))
  const [page, script] = await Promise.all(
    ['index.html', 'app.js'].map((name) => readFile(join(builds, 'one', name), 'utf8')),
  )
  expect(page).toBe(script)
  expect((await readdir(builds)).toSorted()).toEqual(['current', 'one'])
})

test('a failed build does not change the current one', async () => {
  await switchIn(builds, 'one', writePage)
  const failing = switchIn(builds, 'two', async (folder) => {
    await writePage(folder)
    throw new Error('out of memory')
  })
  await expect(failing).rejects.toThrow('out of memory')
  expect(currentBuild(builds)).toBe(join(builds, 'one'))
  expect((await readdir(builds)).toSorted()).toEqual(['current', 'one'])
})

test('builds are kept as long as a server may use them, then deleted', async () => {
  await switchIn(builds, 'old', writePage)
  await switchIn(builds, 'recent', writePage)
  // A file of an earlier release in this folder.
  await writeFile(join(builds, 'index.html'), '')
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const name of ['old', 'index.html']) await utimes(join(builds, name), longAgo, longAgo)
  await switchIn(builds, 'new', writePage)
  expect((await readdir(builds)).toSorted()).toEqual(['current', 'new', 'recent'])
})

test('a build that a server marks as used is kept, however old it is', async () => {
  const folder = await switchIn(builds, 'old', writePage)
  await utimes(folder, new Date(0), new Date(0))
  keepBuild(folder)
  await vi.waitFor(async () => expect((await stat(folder)).mtimeMs).toBeGreaterThan(0))
  await switchIn(builds, 'new', writePage)
  expect(await readdir(builds)).toContain('old')
})

async function writePage(folder: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), 'page')
}
