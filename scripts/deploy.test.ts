/** The files with which Stint is installed agree with each other and with the server. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { VERSION } from '@stint/core/version.ts'

import { has } from './image/commands.ts'
import { dockerfileStages } from './image/dockerfile.ts'
import { releaseNotes } from './release-notes.ts'
import { ROOT } from './run.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const VARIABLES = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name)

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly healthcheck?: object
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
}
interface Composition {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

const composition = (file: string): Composition => parse(read(file), { merge: true })

describe.each([
  ['compose.yaml', ['stint'], ['HOST', 'DATA_DIR']],
  ['compose.postgres.yaml', ['stint-1', 'stint-2'], ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL']],
])('%s', (file, processes, own) => {
  const { services, volumes } = composition(file)

  test.for(processes)('%s gets every variable of .env.example', (name) => {
    const environment = services[name]?.environment ?? {}
    expect(VARIABLES.length).toBeGreaterThan(15)
    expect(VARIABLES.filter((variable) => !(variable in environment))).toEqual([])
    // Those that are the container's own are plain values; the rest come from `.env`.
    const passedOn = Object.entries(environment).filter(([name]) => !own.includes(name))
    for (const [variable, value] of passedOn) {
      expect(String(value)).toMatch(new RegExp(`^\\$\\{${variable}:[-?]`))
    }
  })

  test.for(processes)('%s has no rights and writes only /data and /tmp', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['data:/data'],
    })
  })

  test('every volume and every service that is named exists, and who is waited for has a health check', () => {
    const all = Object.values(services)
    const named = all
      .flatMap((service) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => !source.startsWith('.'))
    expect(new Set(named)).toEqual(new Set(Object.keys(volumes)))

    const awaited = all.flatMap((service) => Object.entries(service.depends_on ?? {}))
    for (const [other, { condition }] of awaited) {
      expect(condition).toBe('service_healthy')
      // The image of Stint has its own.
      const isStint = processes.some((name) => name === other)
      expect([other, isStint || services[other]?.healthcheck !== undefined]).toEqual([other, true])
    }
  })
})

test('with PostgreSQL only Caddy can be reached from outside', () => {
  const { services } = composition('compose.postgres.yaml')
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
  expect(published.map(([name]) => name)).toEqual(['caddy'])
})

test('the Dockerfile runs nothing but the scripts of deploy/image, each of which exists', () => {
  const stages = dockerfileStages()
  expect(stages.map(({ commands }) => commands)).toEqual([
    [
      'sh deploy/image/system.sh libatomic1 binutils-x86-64-linux-gnu binutils-aarch64-linux-gnu',
      'sh deploy/image/packages.sh',
      'sh deploy/image/web.sh',
      'sh deploy/image/assemble.sh /stint $TARGETARCH',
    ],
    ['sh /mnt/runtime.sh'],
  ])
  for (const name of ['system', 'packages', 'web', 'assemble', 'runtime']) {
    const { status, stderr } = spawnSync('sh', ['-n', join(ROOT, `deploy/image/${name}.sh`)])
    expect([name, status, String(stderr)]).toEqual([name, 0, ''])
  }
})

test('the steps refuse an npm that would leave out the pinned Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stint-npm-'))
  try {
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho 9.2.0\n', { mode: 0o755 })
    for (const step of ['packages.sh', 'assemble.sh']) {
      const { status, stderr } = spawnSync(
        'sh',
        [join(ROOT, 'deploy/image', step), join(folder, 'new')],
        { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } },
      )
      expect([status, stderr]).toEqual([
        1,
        "Stint needs npm 10 or newer; this is npm 9.2.0. 'npm install --global npm@11' installs one.\n",
      ])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the image has the version of the package and runs as a numbered user', () => {
  expect(read('Dockerfile')).toContain(`org.opencontainers.image.version="${VERSION}"`)
  const last = dockerfileStages().at(-1)
  expect(last?.user).toBe('1000:1000')
  expect(read('deploy/image/runtime.sh')).toContain('useradd --uid 1000 ')
})

test('the build gets the package file of every workspace, as npm compares them with its list', () => {
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'))
  for (const workspace of workspaces) {
    expect(read('Dockerfile')).toContain(`COPY ${workspace}/package.json ${workspace}/\n`)
  }
})

test('image, service and npm start give Node the same options', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const [option = ''] = /--max-semi-space-size=\d+/.exec(scripts['start'] ?? '') ?? []
  expect(option).not.toBe('')
  const command = `node_modules/.bin/node ${option} server/src/main.ts\n`
  expect(read('deploy/image/bin/start')).toContain(`exec ${command}`)
  expect(read('deploy/stint.service')).toContain(`ExecStart=/opt/stint/${command}`)
})

test('a version is published only under its own tag, and with notes', () => {
  const changelog = read('CHANGELOG.md')
  expect(releaseNotes('v1.0.0', '1.0.0', changelog)).toMatch(/^### Timer\n/)
  expect(() => releaseNotes('v1.0.1', '1.0.0', changelog)).toThrow(
    'The tag is "v1.0.1", but package.json has the version 1.0.0: its tag is v1.0.0.',
  )
  expect(() => releaseNotes('v9.9.9', '9.9.9', changelog)).toThrow(
    'CHANGELOG.md has no notes under "## 9.9.9".',
  )
  expect(() => releaseNotes('v1.0.0', '1.0.0', '## 1.0.0\n\n## 0.9.0\n\n- x\n')).toThrow(
    'CHANGELOG.md has no notes under "## 1.0.0".',
  )
})

test('the workflow of a release checks the tag and runs the tests before it publishes', () => {
  const workflow: {
    on: unknown
    jobs: Record<string, { needs?: string; uses?: string; steps?: { run?: string }[] }>
  } = parse(read('.github/workflows/release.yml'))
  expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
  expect(workflow.jobs['version']?.steps?.map(({ run }) => run)).toContain(
    'node scripts/release-notes.ts "$GITHUB_REF_NAME"',
  )
  expect(workflow.jobs['test']).toEqual({ needs: 'version', uses: './.github/workflows/ci.yml' })
  expect(parse(read('.github/workflows/ci.yml')).on).toHaveProperty('workflow_call')
  expect(workflow.jobs['publish']?.needs).toBe('test')
})

const noCaddy = has('caddy', ['version']) ? '' : ' (skipped: caddy is not installed)'
test.skipIf(noCaddy !== '')(`Caddy accepts the Caddyfile${noCaddy}`, () => {
  const { status, stdout, stderr } = spawnSync(
    'caddy',
    ['validate', '--adapter', 'caddyfile', '--config', join(ROOT, 'deploy/Caddyfile')],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        PUBLIC_URL: 'https://time.example.com',
        STINT_PROCESSES: 'stint-1:3000 stint-2:3000',
      },
    },
  )
  expect(`${stdout}${stderr}`).toContain('Valid configuration')
  expect(status).toBe(0)
})

const noSystemd = has('systemd-analyze') ? '' : ' (skipped: systemd-analyze is not installed)'
test.skipIf(noSystemd !== '')(
  `systemd understands every line of the service, and finds it well closed${noSystemd}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-service-'))
    try {
      // The program is not installed here: any that exists does.
      const file = join(folder, 'stint.service')
      writeFileSync(
        file,
        read('deploy/stint.service').replaceAll('/opt/stint/node_modules/.bin/node', '/bin/true'),
      )
      const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
      expect([verified.status, verified.stderr]).toEqual([0, ''])
      const rated = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=20', file],
        { encoding: 'utf8' },
      )
      expect([rated.status, rated.stdout.split('\n').at(-2)]).toEqual([
        0,
        expect.stringContaining('OK'),
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
