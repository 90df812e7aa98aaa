/**
 * Finds a Chromium for the browser tests: the one that CHROMIUM names, the system's, or
 * Playwright's. Installs one if there is none.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

import { chromium } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC_PATH = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Returns the path of an executable Chromium. Throws with what to do if there is none. */
export function findChromium(): string {
  const found = existing() ?? (install() ? existing() : null)
  if (found !== null) return found
  throw new Error(
    'Chromium was not found and could not be installed. Install Chromium or Google Chrome, or ' +
      'set CHROMIUM to its path.',
  )
}

function existing(): string | null {
  const named = process.env['CHROMIUM']
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named
    throw new Error(`CHROMIUM must be the path of an executable Chromium, not ${named}.`)
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

/** Installs Debian's package if this user may, otherwise Playwright's download. */
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
