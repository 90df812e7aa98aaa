/** Makes a minimal Debian with debootstrap, as `debian:bookworm-slim` is one. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { must } from './commands.ts'

const RELEASE = 'bookworm'

/** Makes a minimal Debian in a new folder. Needs root and debootstrap. */
export function makeDebian(folder: string): void {
  must('debootstrap', ['--variant=minbase', RELEASE, folder])
  // What was downloaded for it is no part of the published images either.
  for (const cache of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    rmSync(join(folder, cache), { recursive: true })
    mkdirSync(join(folder, cache, 'partial'), { recursive: true })
  }
}

/** Adds npm and the Node that runs this script, as `node:22-bookworm-slim` has them. */
export function addNpm(folder: string): void {
  const npm = process.env['npm_execpath']
  if (npm === undefined) throw new Error('Start this with "npm run image": it copies that npm')
  const local = join(folder, 'usr/local')
  cpSync(process.execPath, join(local, 'bin/node'))
  const target = join(local, 'lib/node_modules/npm')
  mkdirSync(dirname(target), { recursive: true })
  cpSync(dirname(dirname(npm)), target, { recursive: true, dereference: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
}

/**
 * Writes npm's settings of this machine and its certificates into files, for builds that must use
 * another registry or pass through a proxy. Both may be empty.
 */
export function writeSecrets(folder: string): { readonly npmrc: string; readonly ca: string } {
  const npmrc = join(folder, 'npmrc')
  const ca = join(folder, 'ca')
  const settings = process.env['npm_config_userconfig']
  const registry = process.env['npm_config_registry']
  const lines = [
    settings !== undefined && existsSync(settings) ? readFileSync(settings, 'utf8') : '',
    registry === undefined ? '' : `registry=${registry}`,
  ]
  writeFileSync(npmrc, lines.filter(Boolean).join('\n'), { mode: 0o600 })
  const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? process.env['npm_config_cafile']
  if (certificates === undefined) writeFileSync(ca, '')
  else cpSync(certificates, ca, { dereference: true })
  return { npmrc, ca }
}
