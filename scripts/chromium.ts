/**
 * Finds a Chromium for the browser tests: the one that CHROMIUM names, the system's, or the one
 * Playwright brought; else installs one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

import { chromium } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC_PATH = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** The path of a Chromium that can be run. Throws with what to do when there is none. */
export function findChromium(): string {
  const found = existing() ?? (install() ? existing() : null)
  if (found !== null) return found
  throw new Error(
    'No Chromium was found, and none could be installed. Install Chromium or Google Chrome, or ' +
      'set CHROMIUM to the path of one.',
  )
}

function existing(): string | null {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`CHROMIUM names ${named}, which cannot be run.`)
  }
  const candidates = [...NAMES.map(onPath), MAC_PATH, chromium.executablePath()]
  return candidates.find((path) => path !== null && isExecutable(path)) ?? null
}

function onPath(name: string): string | null {
  const { stdout, status } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Debian's package where this user may install it, else Playwright's own download. */
function install(): boolean {
  console.log('No Chromium found: installing one …')
  const attempts: [string, string[]][] =
    onPath('apt-get') !== null && process.getuid?.() === 0
      ? [
          ['apt-get', ['update', '-qq']],
          ['apt-get', ['install', '-y', '-qq', 'chromium']],
        ]
      : [[process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']]]
  try {
    for (const [command, args] of attempts) {
      execFileSync(command, args, {
        stdio: 'inherit',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    }
    return true
  } catch {
    return false
  }
}
