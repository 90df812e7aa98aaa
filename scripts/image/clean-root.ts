/**
 * Runs the commands of the Dockerfile in clean Debian folders with chroot, where there is no builder.
 * Needs root, debootstrap and Linux.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '@stint/testing/free-port.ts'

import { addNpm, makeDebian, writeSecrets } from './base.ts'
import { attempt, must, outputOf } from './commands.ts'
import { dockerfileStages } from './dockerfile.ts'
import type { Stage } from './dockerfile.ts'
import type { BuiltImage } from './try.ts'
import type { RunningImage } from './probe.ts'

/** Where the last stage's RUN finds deploy/image. */
const MOUNTED = 'mnt'

/** Builds the image into a folder. `remove` deletes it. */
export function buildInCleanRoot(): BuiltImage {
  const folder = mkdtempSync(join(tmpdir(), 'stint-image-'))
  try {
    return buildIn(folder)
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
}

function buildIn(folder: string): BuiltImage {
  const [base, build, image] = ['base', 'build', 'image'].map((name) => join(folder, name))
  const [first, last] = dockerfileStages()
  if (!base || !build || !image || !first || !last) throw new Error('The Dockerfile has two stages')

  makeDebian(base)
  const before = sizeOf(base)

  must('cp', ['--archive', base, build])
  addNpm(build)
  const secrets = writeSecrets(folder)
  mkdirSync(join(build, 'run/secrets'), { recursive: true })
  cpSync(secrets.npmrc, join(build, 'run/secrets/npmrc'))
  cpSync(secrets.ca, join(build, 'run/secrets/ca'))
  copySources(join(build, first.workingDirectory))
  runAll(build, first)

  must('cp', ['--archive', base, image])
  cpSync('deploy/image', join(image, MOUNTED), { recursive: true })
  runAll(image, { ...last, workingDirectory: '/' })
  rmSync(join(image, MOUNTED), { recursive: true })
  mkdirSync(join(image, MOUNTED))
  const program = join(image, last.workingDirectory)
  must('cp', ['--archive', join(build, last.workingDirectory), program])
  rmSync(build, { recursive: true })

  const data = join(folder, 'data')
  must('cp', ['--archive', join(image, 'data'), data])
  return {
    bytes: sizeOf(image) - before,
    paths: outputOf('find', [program, '-mindepth', '1', '-printf', '%P\\n']).split('\n'),
    healthCheck: last.healthCheck,
    start: () => startIn(image, data, last),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Copies what git knows or would add, as the builder's context has no ignored files. */
function copySources(target: string): void {
  mkdirSync(target, { recursive: true })
  const files = outputOf('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  must('tar', ['--create', '--file', join(target, '.sources.tar'), '--files-from', '-'], files)
  must('tar', ['--extract', '--file', join(target, '.sources.tar'), '--directory', target])
  rmSync(join(target, '.sources.tar'))
}

function runAll(root: string, stage: Stage): void {
  // Some programs need /proc; both are gone when the command ends.
  const inRoot =
    'mount -t proc proc "$1/proc" && exec chroot "$1" env -i HOME=/root ' +
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -euc "cd $2 && $3"'
  for (const command of stage.commands) {
    console.log(`RUN ${command}`)
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch
    const complete = command.replaceAll('$TARGETARCH', architecture)
    must('unshare', ['--mount', 'sh', '-euc', inRoot, 'sh', root, stage.workingDirectory, complete])
  }
}

/**
 * Starts the server as a container would: root read-only, /data and a /tmp of its own writable, the
 * Dockerfile's user, no capability, and no way to get one.
 */
async function startIn(root: string, data: string, stage: Stage): Promise<RunningImage> {
  const port = await freePort()
  // The network is that of this machine, so it listens on loopback.
  const environment = { ...stage.environment, HOST: '127.0.0.1', PORT: String(port) }
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const [uid = '', gid = ''] = stage.user.split(':')
  const rights = '--clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all'.split(' ')
  const asUser = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    ...rights,
    'env',
    '-i',
    ...settings,
  ]
  const isolated =
    'root=$1; data=$2; shift 2; mount --bind "$root" "$root"; mount -t proc proc "$root/proc"; ' +
    'mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"; mount --bind "$data" "$root/data"; ' +
    'mount -o remount,bind,ro "$root"; exec chroot "$root" "$@"'
  const inFolder = ['sh', '-c', 'cd "$0" && exec "$@"', stage.workingDirectory]
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-euc', isolated, 'sh', root, data, ...asUser, ...inFolder, ...stage.start],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => void (output += String(text)))
  }
  const exited = new Promise<number | null>((done) => child.once('close', done))
  const enter = ['--target', String(child.pid), '--mount', '--root', '--wd']
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    run: async (command) => attempt('nsenter', [...enter, ...asUser, ...inFolder, ...command]),
    state: async () => ({ output, code: child.exitCode }),
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

function sizeOf(folder: string): number {
  return Number(outputOf('du', ['-s', '--block-size=1', '--apparent-size', folder]).split('\t')[0])
}
