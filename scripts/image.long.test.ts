/**
 * The last steps of the image on this machine, without a container: the folder that they make, run by
 * a user without rights. `npm run image` runs all of them, in a clean Debian.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { freePort } from '@stint/testing/free-port.ts'

import { has } from './image/commands.ts'
import { accountOf, signUp, unwantedPaths, untilReady } from './image/probe.ts'
import type { RunningImage } from './image/probe.ts'
import { ROOT } from './run.ts'
import { buildWebAppIfStale } from './web-stamp.ts'

/** The user `nobody` of every Linux. A test that is not run by root has no rights to begin with. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** What npm says of packages that it can get neither from its cache nor from its registry. */
const NO_PACKAGES = /npm error code (?:ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT)\b/

const missing =
  process.platform !== 'linux'
    ? ' (skipped: the image is for Linux)'
    : has('npm')
      ? ''
      : ' (skipped: npm is not on the PATH)'

describe.skipIf(missing !== '')(`the folder of the image${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'stint-image-'))
  const program = join(folder, 'program')
  const data = join(folder, 'data')
  let paths: string[] = []
  let hasPackages = true

  beforeAll(async () => {
    await buildWebAppIfStale()
    chmodSync(folder, 0o755)
    const made = spawnSync('sh', [join(ROOT, 'deploy/image/assemble.sh'), program], {
      encoding: 'utf8',
    })
    const output = `${made.stdout}${made.stderr}`
    hasPackages = !NO_PACKAGES.test(output)
    if (!hasPackages) return
    if (made.status !== 0) throw new Error(output)
    paths = pathsOf(program)
    spawnSync('chmod', ['-R', 'a-w', program])
    mkdirSync(data)
    chmodSync(data, 0o777)
  })
  afterAll(() => {
    spawnSync('chmod', ['-R', 'u+w', program])
    rmSync(folder, { recursive: true })
  })

  beforeEach((context) => {
    context.skip(!hasPackages, 'npm has the packages neither in its cache nor from its registry')
  })

  test('has no test, no tool and no package that only development needs', () => {
    expect(paths.length).toBeGreaterThan(500)
    expect(unwantedPaths(paths)).toEqual([])
  })

  test('has at most 48.5 MB beside Node, of which 4 are public holidays in four languages', () => {
    const rest = paths.filter((path) => !path.includes('node_modules/node-linux-'))
    const bytes = rest.reduce((sum, path) => sum + lstatSync(join(program, path)).size, 0)
    expect(bytes).toBeLessThan(48_500_000)
  })

  test('has the web app as users get it, not one for tests', () => {
    const scripts = paths.filter((path) => /^web\/dist\/[^/]+\/assets\/[^/]+\.js$/.test(path))
    const texts = scripts.map((path) => readFileSync(join(program, path), 'utf8'))
    // Only React for production writes errors as links.
    expect(texts.some((text) => text.includes('react.dev/errors/'))).toBe(true)
  })

  test('lists exactly the packages that it has, Node among them', () => {
    const lock: { packages: Record<string, { version?: string }> } = JSON.parse(
      readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
    )
    const list: { components: { name: string; version: string }[] } = JSON.parse(
      readFileSync(join(program, 'sbom.cdx.json'), 'utf8'),
    )
    const listed = list.components
      .filter(({ name }) => !['core', 'server', '@stint/core', '@stint/server'].includes(name))
      .map(({ name, version }) => `${name} ${version}`)
    const folders = paths.filter((path) =>
      /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/@]*$/.test(path),
    )
    const present = folders
      .filter((folder) => !folder.startsWith('node_modules/@stint/'))
      .map((folder) => {
        const text = readFileSync(join(program, folder, 'package.json'), 'utf8')
        const { name, version }: { name: string; version: string } = JSON.parse(text)
        // Nothing newer than what was tested.
        expect([folder, lock.packages[folder]?.version]).toEqual([folder, version])
        return `${name} ${version}`
      })
    expect(new Set(present)).toEqual(new Set(listed))
    expect(listed.join('\n')).toMatch(/^node-linux-(?:x64|arm64) 26\./m)
  })

  test('runs as a user who may only write its data, answers, and ends with 0 on SIGTERM', async () => {
    const server = await start()
    try {
      await untilReady(server)
      const cookie = await signUp(server.url)
      expect(await accountOf(server.url, cookie)).toBe('ann@example.com')
      const page = await fetch(`${server.url}/login`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('Sign in')
      expect(await server.run([join(program, 'bin/health')])).toEqual({ code: 0, output: '' })
      const users = await server.run([join(program, 'bin/admin'), 'list-users'])
      expect(users.output).toContain('ann@example.com')
    } finally {
      expect(await server.stop()).toBe(0)
    }
    expect(await server.run([join(program, 'bin/health')])).toEqual({ code: 1, output: '' })
    expect(readdirSync(data)).toEqual(expect.arrayContaining(['.cache', 'stint.db']))
    expect(pathsOf(program)).toEqual(paths)
  })

  async function start(): Promise<RunningImage> {
    const port = await freePort()
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: data, PORT: String(port) }
    const child = spawn(join(program, 'bin/start'), { cwd: '/', env, ...NOBODY })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => void (output += String(text)))
    }
    const exited = new Promise<number | null>((done) => child.once('close', done))
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      async run([command = '', ...args]) {
        const ran = spawnSync(command, args, { cwd: '/', env, ...NOBODY, encoding: 'utf8' })
        return { code: ran.status ?? 1, output: `${ran.stdout}${ran.stderr}`.trim() }
      },
      state: async () => ({ output, code: child.exitCode }),
      async stop() {
        child.kill('SIGTERM')
        return exited
      },
    }
  }
})

/** Returns all files and folders in a folder, relative to it. */
function pathsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}
