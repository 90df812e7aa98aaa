/** Several starts from one folder, as with `npm start`, each with its own address. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from '@playwright/test'
import type { APIRequestContext } from '@playwright/test'

import { BUILDS } from '../server/src/site/build.ts'
import { freePort } from '@stint/testing/free-port.ts'
import { MAX_WAIT } from '@stint/testing/waits.ts'

const START = join(import.meta.dirname, '../scripts/start.ts')

test('two starts with different addresses share a build, and each serves its own address @long', async ({
  request,
}, info) => {
  const before = new Set(readdirSync(BUILDS))
  const starts = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const port = await freePort()
      const child = spawn(process.execPath, [START], {
        stdio: 'ignore',
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: info.outputPath(name),
          PUBLIC_URL: `https://${name}.example.com`,
          SUPPORT_EMAIL: `help@${name}.example.com`,
          LOG_LEVEL: 'silent',
        },
      })
      return { child, name, url: `http://127.0.0.1:${port}` }
    }),
  )
  try {
    for (const { name, url } of starts) {
      await expect(async () => {
        expect((await request.get(`${url}/v1/health`)).ok()).toBe(true)
      }).toPass({ timeout: MAX_WAIT })
      expect(await addressesOf(request, url)).toEqual({
        canonical: `https://${name}.example.com/terms`,
        mail: `help@${name}.example.com`,
        sitemap: `https://${name}.example.com/privacy`,
      })
    }
    // A start may remove builds that nobody has used for an hour; it makes none here.
    expect(readdirSync(BUILDS).filter((name) => !before.has(name))).toEqual([])
  } finally {
    for (const { child } of starts) await ended(child)
  }
})

async function addressesOf(request: APIRequestContext, url: string) {
  const terms = await (await request.get(`${url}/terms`)).text()
  const sitemap = await (await request.get(`${url}/sitemap.xml`)).text()
  return {
    canonical: /<link rel="canonical" href="([^"]+)"/.exec(terms)?.[1],
    mail: /<a href="mailto:([^"]+)"/.exec(terms)?.[1],
    sitemap: /<loc>([^<]+privacy)<\/loc>/.exec(sitemap)?.[1],
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await exited
}
