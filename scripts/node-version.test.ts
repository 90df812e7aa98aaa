import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

/** Runs the check as if this process had that version of Node. */
const checkOn = (node: string) =>
  spawnSync(
    process.execPath,
    [
      '--eval',
      `Object.defineProperty(process, 'versions', { value: { node: '${node}' } })
       import('./scripts/node-version.js')`,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  )

test('A tool on an older Node ends with one sentence', () => {
  const { status, stderr } = checkOn('20.20.2')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Stint's tools need Node 26.*this is Node 20\.20\.2: run them .*\n$/)
})

test('A tool on the Node of the project goes on', () => {
  expect(checkOn(process.versions.node)).toMatchObject({ status: 0, stderr: '' })
})

test.each(['dev', 'start', 'test', 'check'])(
  '"npm run %s" looks at Node before it starts what only the project\'s Node can read',
  (name) => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    expect(scripts[`pre${name}`]).toBe('node scripts/node-version.js')
  },
)
