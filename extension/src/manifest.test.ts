import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { buildExtension, manifestFor } from '../build.ts'

test.each(['chromium', 'firefox'] as const)(
  'in %s the extension has no access to pages or servers before it is allowed',
  async (browser) => {
    const manifest = await manifestFor(browser)
    expect(Object.keys(manifest)).not.toContain('host_permissions')
    expect(Object.keys(manifest)).not.toContain('content_scripts')
    expect(manifest['permissions']).toEqual(['activeTab', 'alarms', 'contextMenus', 'storage'])
    const optional = manifest['optional_host_permissions']
    expect(optional).toEqual(['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'])
  },
)

test('the linter of Mozilla finds nothing in the extension for Firefox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stint-extension-'))
  await buildExtension('firefox', folder)
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining(['background.js', 'options.js', 'popup.js', 'icon.png', '_locales']),
  )
  const linter = fileURLToPath(import.meta.resolve('addons-linter/bin/addons-linter'))
  const { stdout } = await promisify(execFile)(process.execPath, [
    linter,
    '--self-hosted',
    '--output=json',
    folder,
  ])
  const { errors, warnings, notices } = JSON.parse(stdout)
  expect([...errors, ...warnings, ...notices]).toEqual([])
  await rm(folder, { recursive: true, force: true })
})
