import { readFileSync } from 'node:fs'

import { VERSION } from '@stint/core/version.ts'
import { expect, test } from 'vitest'

test.for(['.', 'core', 'server', 'web', 'testing', 'cli', 'extension'])(
  'the version on screens and in the API is that of the package in %s',
  (folder) => {
    const file = new URL(`../${folder}/package.json`, import.meta.url)
    const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
    expect(version).toBe(VERSION)
  },
)
