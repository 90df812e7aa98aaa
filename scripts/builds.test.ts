import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { currentBuild, keepBuild } from '../server/src/site/build.ts'
import { buildOnce, switchIn } from './builds.ts'
import { MAX_HELD } from './file-lock.ts'
import { sourceStamp } from './web-stamp.ts'

let builds: string

beforeEach(async () => {
  vi.spyOn(console, 'log').mockReturnValue()
  builds = join(await mkdtemp(join(tmpdir(), 'stint-builds-')), 'dist')
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(join(builds, '..'), { recursive: true })
})

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

test('a build that is only made leaves the current one as it is', async () => {
  await switchIn(builds, 'one', writePage)
  expect(await buildOnce(builds, 'two', writePage)).toBe(join(builds, 'two'))
  expect(currentBuild(builds)).toBe(join(builds, 'one'))
})

test('simultaneous starts make a build once, and the others wait for it', async () => {
  let made = 0
  const folders = await Promise.all(
    ['a', 'b', 'c'].map(async () =>
      switchIn(builds, 'one', async (folder) => {
        made++
        await writePage(folder)
      }),
    ),
  )
  expect([made, new Set(folders)]).toEqual([1, new Set([join(builds, 'one')])])
  expect((await readdir(builds)).toSorted()).toEqual(['current', 'one'])
})

test('makers of the same build that do not see each other all succeed with one build', async () => {
  const together = Promise.withResolvers<undefined>()
  let begun = 0
  const folders = await Promise.all(
    ['a', 'b', 'c'].map(async (who) =>
      switchIn(builds, 'one', async (folder) => {
        // To the others, the owner of the lock has ended, as if it ran in another container.
        await writeFile(LOCK(), `${await endedProcess()}\n`)
        await mkdir(folder)
        if (++begun === 3) together.resolve(undefined)
        await together.promise
        for (const name of ['index.html', 'app.js']) await writeFile(join(folder, name), who)
      }),
    ),
  )
  expect(new Set(folders)).toEqual(new Set([join(builds, 'one')]))
  const [page, script] = await Promise.all(
    ['index.html', 'app.js'].map(async (name) => readFile(join(builds, 'one', name), 'utf8')),
  )
  expect(page).toBe(script)
  expect((await readdir(builds)).toSorted()).toEqual(['current', 'one'])
})

test('a start waits while the owner of the lock runs, and takes over when it is killed', async () => {
  await mkdir(builds)
  const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await writeFile(LOCK(), `${owner.pid}\n`)
  let isOwnerRunning = true
  const making = switchIn(builds, 'one', async (folder) => {
    expect(isOwnerRunning).toBe(false)
    await writePage(folder)
  })
  await vi.waitFor(() =>
    expect(console.log).toHaveBeenCalledWith('Another process is building the web app …'),
  )
  expect(existsSync(join(builds, 'one'))).toBe(false)
  isOwnerRunning = false
  owner.kill('SIGKILL')
  await making
  expect((await readdir(builds)).toSorted()).toEqual(['current', 'one'])
})

test('a lock that was held for too long is taken over, as its process id may be reused', async () => {
  await mkdir(builds)
  await writeFile(LOCK(), `${process.pid}\n`)
  const then = new Date(Date.now() - MAX_HELD - 1000)
  await utimes(LOCK(), then, then)
  await switchIn(builds, 'one', writePage)
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

test.each([
  ['PUBLIC_URL', 'https://two.example.com', true],
  ['SUPPORT_EMAIL', 'help@example.com', true],
  ['STINT_BASE', '/stint/', false],
])('whether a change of %s leaves the build as it is', async (name, value, isSame) => {
  const before = await sourceStamp()
  vi.stubEnv(name, value)
  expect((await sourceStamp()) === before).toBe(isSame)
})

const LOCK = (): string => join(builds, '.one.lock')

/** Returns the id of a process that has ended. */
async function endedProcess(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid
}

async function writePage(folder: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), 'page')
}
