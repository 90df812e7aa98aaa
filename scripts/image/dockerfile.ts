/** Reads the Dockerfile, so that its commands can run without a builder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../run.ts'

export interface Stage {
  /** The commands of its RUN lines, in order, without the options of the builder. */
  readonly commands: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** `uid:gid`, or empty. */
  readonly user: string
  readonly workingDirectory: string
  /** The program that it starts, with its arguments. */
  readonly start: readonly string[]
  readonly healthCheck: readonly string[]
}

/** Returns the stages of the Dockerfile in order. */
export function dockerfileStages(): Stage[] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  const [, ...stages] = text.split(/^(?=FROM )/m)
  return stages.map((stage) => {
    const argumentsOf = (instruction: string): string[] =>
      [...stage.matchAll(new RegExp(`^${instruction} +(.+)$`, 'gm'))].map(([, rest = '']) => rest)
    return {
      commands: argumentsOf('RUN').map((run) => run.replaceAll(/--mount=\S+ +/g, '')),
      environment: Object.fromEntries(
        argumentsOf('ENV').flatMap((line) =>
          line.split(/ +/).map((pair) => {
            const at = pair.indexOf('=')
            return [pair.slice(0, at), pair.slice(at + 1)]
          }),
        ),
      ),
      user: argumentsOf('USER').at(-1) ?? '',
      workingDirectory: argumentsOf('WORKDIR').at(-1) ?? '/',
      start: commandOf(argumentsOf('CMD')),
      healthCheck: commandOf(
        argumentsOf('HEALTHCHECK').map((line) => line.replace(/^.*? CMD /, '')),
      ),
    }
  })
}

function commandOf(lines: readonly string[]): string[] {
  const command: string[] = JSON.parse(lines.at(-1) ?? '[]')
  return command
}
