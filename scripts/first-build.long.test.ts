import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
  } finally {
    await rm(folder, { recursive: true })
  }
})
