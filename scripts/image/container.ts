/** Builds and runs the image with Docker or Podman. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '@stint/testing/free-port.ts'

import { writeSecrets } from './base.ts'
import { attempt, must, outputOf } from './commands.ts'
import { dockerfileStages } from './dockerfile.ts'
import type { BuiltImage } from './try.ts'
import type { RunningImage } from './probe.ts'

/** The image that the Dockerfile is based on. */
const BASE = 'debian:bookworm-slim'
/** The name of the image on this machine. */
export const IMAGE = 'localhost/stint'

/** Builds the image with `docker` or `podman`, and keeps it. */
export function buildWith(builder: string): BuiltImage {
  const folder = mkdtempSync(join(tmpdir(), 'stint-image-'))
  try {
    const secrets = writeSecrets(folder)
    must(builder, [
      'build',
      `--secret=id=npmrc,src=${secrets.npmrc}`,
      `--secret=id=ca,src=${secrets.ca}`,
      `--label=org.opencontainers.image.revision=${outputOf('git', ['rev-parse', 'HEAD'])}`,
      // Docker's own format has health checks, which that of OCI lacks.
      ...(builder === 'podman' ? ['--format=docker'] : []),
      `--tag=${IMAGE}`,
      '.',
    ])
    const list = ['run', '--rm', '--entrypoint', 'find', IMAGE, '/stint', '-mindepth', '1']
    const { healthCheck = [] } = dockerfileStages().at(-1) ?? {}
    return {
      bytes: imageSize(builder, IMAGE) - imageSize(builder, BASE),
      paths: outputOf(builder, [...list, '-printf', '%P\\n']).split('\n'),
      healthCheck,
      start: volumeStarter(builder),
      remove: () => must(builder, ['volume', 'rm', '--force', VOLUME]),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const VOLUME = `stint-probe-${process.pid}`

/** Returns a function that starts a container, as compose.yaml does. All have the same data. */
function volumeStarter(builder: string): () => Promise<RunningImage> {
  return async () => {
    const port = String(await freePort())
    // The health check is run by hand; its timer needs systemd with Podman.
    const isolation =
      '--detach --no-healthcheck --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges'
    const id = outputOf(builder, [
      'run',
      ...isolation.split(' '),
      `--volume=${VOLUME}:/data`,
      `--publish=127.0.0.1:${port}:3000`,
      IMAGE,
    ])
    const exitCode = (): number | null => {
      const format = '{{.State.Running}} {{.State.ExitCode}}'
      const [running, code] = outputOf(builder, ['inspect', '--format', format, id]).split(' ')
      return running === 'true' ? null : Number(code)
    }
    return {
      url: `http://127.0.0.1:${port}`,
      pid: 1,
      run: async (command) => attempt(builder, ['exec', id, ...command]),
      state: async () => ({ output: attempt(builder, ['logs', id]).output, code: exitCode() }),
      async stop() {
        must(builder, ['stop', '--time', '20', id])
        const code = exitCode()
        must(builder, ['rm', id])
        return code
      },
    }
  }
}

function imageSize(builder: string, name: string): number {
  return Number(outputOf(builder, ['image', 'inspect', '--format', '{{.Size}}', name]))
}
